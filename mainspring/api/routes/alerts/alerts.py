"""Serves alerts and silences."""

import re
from datetime import datetime

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import next_of, parse_place, write_place
from mainspring.api.input.parameters import choice
from mainspring.api.views import view_of
from mainspring.contract.alerts import operations as alerts
from mainspring.contract.alerts.views import AlertInfo, AlertPage, FindingInfo, FindingPage, SilenceInfo, SilencePage
from mainspring.contract.base.fields import RUN_ID
from mainspring.domain.alerts.alert import Alert, AlertState, Silence
from mainspring.domain.alerts.trouble import Trouble
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.store.interface import AlertFilter

ID = re.compile(RUN_ID)
FINDINGS_MAX = 200

router = Routes()


@router.bind(alerts.LIST_ALERTS)
async def list_alerts(call: Call, query: alerts.AlertQuery) -> AlertPage:
    wanted = AlertFilter(
        namespace=call.namespace,
        rule=query.rule,
        states=tuple(sorted({choice("state", each, AlertState) for each in query.state})),
        before=read_place(query.cursor),
        limit=query.limit,
    )
    found = await call.engine.alerting.operations.list(wanted)
    following = next_of(found, query.limit, lambda last: write_place(last.since_at, id_text(last.id)))
    return AlertPage([show_alert(one) for one in found], following)


@router.bind(alerts.LIST_FINDINGS)
async def list_findings(call: Call) -> FindingPage:
    look = await call.engine.alerting.looking.look(call.namespace)
    shown = [show_finding(one) for one in look.findings[:FINDINGS_MAX]]
    more = len(look.findings) - len(shown)
    return FindingPage(findings=shown, more=more, taken_at=look.taken_at, fresh=look.fresh)


@router.bind(alerts.GET_ALERT)
async def get_alert(call: Call, alert_id: str) -> AlertInfo:
    return show_alert(await call.engine.alerting.operations.get(call.namespace, parse_run_id(alert_id)))


@router.bind(alerts.ACKNOWLEDGE_ALERT)
async def acknowledge_alert(call: Call, alert_id: str, body: alerts.AckBody) -> AlertInfo:
    operations = call.engine.alerting.operations
    alert = parse_run_id(alert_id)
    return show_alert(await operations.acknowledge(call.namespace, alert, note=body.note, actor=call.actor))


@router.bind(alerts.LIST_SILENCES)
async def list_silences(call: Call) -> SilencePage:
    return SilencePage([show_silence(one) for one in await call.engine.alerting.operations.silences(call.namespace)])


@router.bind(alerts.CREATE_SILENCE)
async def create_silence(call: Call, body: alerts.SilenceBody) -> SilenceInfo:
    made = await call.engine.alerting.operations.silence(
        call.namespace,
        rule=body.rule,
        subject=body.subject,
        until=body.until,
        reason=body.reason,
        actor=call.actor,
    )
    return show_silence(made)


@router.bind(alerts.END_SILENCE)
async def end_silence(call: Call, silence_id: str) -> None:
    operations = call.engine.alerting.operations
    await operations.end_silence(call.namespace, parse_run_id(silence_id), actor=call.actor)


def show_alert(alert: Alert) -> AlertInfo:
    return view_of(AlertInfo, alert, id=id_text(alert.id), severity=alert.severity.value, state=alert.state.value)


def show_finding(finding: Trouble) -> FindingInfo:
    alert = "" if finding.alert is None else id_text(finding.alert)
    return view_of(FindingInfo, finding, kind=finding.kind.value, severity=finding.severity.value, alert=alert)


def show_silence(silence: Silence) -> SilenceInfo:
    return view_of(SilenceInfo, silence, id=id_text(silence.id))


def read_place(cursor: str | None) -> tuple[datetime, bytes] | None:
    """The last entry of the page before; raises InvalidInputError."""
    place = parse_place(cursor, ID)
    return None if place is None else (place[0], parse_run_id(place[1]))
