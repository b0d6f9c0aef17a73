"""Alerts: their definitions, their states, and silences."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import groupby

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.alerts.alert import Alert, AlertId, NoticeTo, Silence, Transition
from mainspring.domain.alerts.channel import Channel
from mainspring.domain.alerts.notice import WAIT_NEXT, Notice, NoticeId, NoticeState, joined, send_at
from mainspring.domain.alerts.rule import AlertRule
from mainspring.domain.ids import ServerId
from mainspring.domain.slos.slo import Slo
from mainspring.store.acts.alerts.rows import (
    DEFINITION_KEY,
    alert_fields,
    alert_row,
    channel_row,
    notice_fields,
    notice_row,
    rule_row,
    silence_row,
    slo_row,
)
from mainspring.store.acts.audit import write_audit, write_audits
from mainspring.store.interface.alerts.alerts import AlertFilter, Defining, DefinitionsStamp
from mainspring.store.sql import Filled
from mainspring.store.tx import Acts, Tx, reads, writes, writes_once

TABLE = "alert_definitions"
ABSURD = timedelta(hours=1)
NewNoticeId = Callable[[], NoticeId]


class AlertActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads
    async def rules(self, tx: Tx) -> list[AlertRule]:
        return tx.aside.read(TABLE, await tx.all("alert_definitions", noun="rule"), rule_row, *DEFINITION_KEY)

    @reads
    async def channels(self, tx: Tx) -> list[Channel]:
        return tx.aside.read(TABLE, await tx.all("alert_definitions", noun="channel"), channel_row, *DEFINITION_KEY)

    @reads
    async def slos(self, tx: Tx) -> list[Slo]:
        return tx.aside.read(TABLE, await tx.all("alert_definitions", noun="slo"), slo_row, *DEFINITION_KEY)

    @reads
    async def stamp(self, tx: Tx) -> DefinitionsStamp:
        row = await tx.one("definitions_stamp")
        assert row is not None
        return DefinitionsStamp(row["count"], row["versions"], row["updated_at"])

    @writes
    async def define(
        self,
        tx: Tx,
        namespace: str,
        puts: Sequence[Defining],
        deletes: Sequence[tuple[str, str]],
        entries: Sequence[AuditEntry],
    ) -> int:
        # One writer of a namespace's definitions at a time, so that two sets that are applied do not mix.
        await tx.all("lock_alert_definitions", namespace=namespace)
        for put in puts:
            fields = msgspec.structs.asdict(put) | {"spec": msgspec.json.encode(put.spec)}
            await tx.one("put_alert_definition", namespace=namespace, **fields)
        gone = 0
        for noun, name in deletes:
            gone += await tx.run("delete_alert_definition", noun=noun, namespace=namespace, name=name)
        if puts or gone:
            await write_audits(tx, entries)
        return len(puts) + gone

    @reads
    async def open(self, tx: Tx) -> list[Alert]:
        return tx.aside.read("alerts", await tx.all("open_alerts"), alert_row, "id")

    @reads
    async def get(self, tx: Tx, ids: Sequence[AlertId]) -> list[Alert]:
        rows = await tx.all("alerts_by_id", ids=list(ids)) if ids else ()
        return tx.aside.read("alerts", rows, alert_row, "id")

    @writes
    async def change(
        self, tx: Tx, transitions: Sequence[Transition], new_id: NewNoticeId, *, now: datetime
    ) -> list[Transition]:
        # In one order for all servers, so that two of them do not wait for each other.
        ordered = sorted(transitions, key=lambda one: (one.alert.namespace, one.alert.rule, one.alert.subject))
        won = [one for one in ordered if await wins(tx, one)]
        await write_notices(tx, won, new_id, now)
        return won

    @writes
    async def steer(
        self,
        tx: Tx,
        namespace: str,
        alert: AlertId,
        steer: Callable[[Alert], Transition | None],
        new_id: NewNoticeId,
        *,
        entry: AuditEntry,
    ) -> Alert | None:
        row = await tx.one("lock_alert", id=alert)
        if row is None or row["namespace"] != namespace:
            return None
        present = tx.aside.one("alerts", row, alert_row, "id")
        made = steer(present)
        if made is None:
            return present
        await wins(tx, made)
        await write_notices(tx, [made], new_id, entry.at)
        await write_audit(tx, entry)
        return made.alert

    @reads
    async def silences(self, tx: Tx, *, now: datetime) -> list[Silence]:
        return tx.aside.read("silences", await tx.all("silences", now=now), silence_row, "id")

    @writes
    async def silence(self, tx: Tx, silence: Silence, *, entry: AuditEntry) -> None:
        await tx.run("add_silence", **msgspec.structs.asdict(silence))
        await write_audit(tx, entry)

    @writes
    async def end_silence(self, tx: Tx, namespace: str, silence: bytes, *, entry: AuditEntry) -> bool:
        ended = await tx.run("end_silence", id=silence, namespace=namespace, now=entry.at)
        if ended:
            await write_audit(tx, entry)
        return bool(ended)

    @writes_once
    async def hold(self, tx: Tx, duty: str, server: ServerId, *, now: datetime, until: datetime) -> bool:
        # No lease is ever so long: the row is damaged, and would stop the duty for good.
        absurd = until + ABSURD
        return bool(await tx.run("hold_duty", duty=duty, server=server, now=now, until=until, absurd=absurd))

    @writes
    async def prune(self, tx: Tx, *, before: datetime) -> None:
        for statement in ("prune_alerts", "prune_silences", "prune_notices"):
            await tx.run(statement, before=before)

    @reads
    async def list(self, tx: Tx, query: AlertFilter) -> list[Alert]:
        statement, parameters = list_statement(query)
        return await tx.aside.first(
            "alerts", query.limit, lambda limit: tx.all(statement, **parameters, limit=limit), alert_row, "id"
        )


def list_statement(query: AlertFilter) -> tuple[Filled, dict[str, object]]:
    parameters: dict[str, object] = {"namespace": query.namespace}
    conditions = ["true"]
    if query.states:
        named = {f"state_{number}": state for number, state in enumerate(query.states)}
        parameters |= named
        conditions.append(f"a.state IN ({', '.join(f':{name}' for name in named)})")
    for name in ("rule", "subject", "id"):
        if (wanted := getattr(query, name)) is not None:
            parameters[name] = wanted
            conditions.append(f"a.{name} = :{name}")
    if query.before is not None:
        parameters["at"], parameters["last"] = query.before
        conditions.append("(a.since_at, a.id) < (:at, :last)")
    return Filled("list_alerts", {"conditions": " AND ".join(conditions)}), parameters


async def wins(tx: Tx, one: Transition) -> bool:
    """Write a transition; False if another server was faster."""
    if one.alert.ended_at is not None and one.alert.fired_at is None:
        return bool(await tx.run("drop_alert", id=one.alert.id, before=one.before))
    if one.before:
        return bool(await tx.run("change_alert", **without_place(one.alert), before=one.before))
    return bool(await tx.run("add_alert", **alert_fields(one.alert)))


def without_place(alert: Alert) -> dict[str, object]:
    """The fields of an alert that can change, and its id."""
    fixed = ("namespace", "rule", "subject", "since_at")
    return {name: value for name, value in alert_fields(alert).items() if name not in fixed}


async def write_notices(tx: Tx, won: Sequence[Transition], new_id: NewNoticeId, now: datetime) -> None:
    """Write the notices of these transitions, those of one channel, kind and rule together."""
    each = [(one.alert.namespace, to, one.alert) for one in won for to in one.notices]

    def key(item: tuple[str, NoticeTo, Alert]) -> tuple[str, str, str, str]:
        namespace, to, _ = item
        return namespace, to.channel, to.group, to.kind

    for _, mates in groupby(sorted(each, key=key), key=key):
        items = list(mates)
        namespace, to, _ = items[0]
        await join_notice(tx, namespace, to, [alert.id.hex() for _, _, alert in items], new_id, now)


async def join_notice(
    tx: Tx, namespace: str, to: NoticeTo, alerts: Sequence[str], new_id: NewNoticeId, now: datetime
) -> None:
    """Add alerts to a notice that waits for company, or write a new one."""
    place = {"namespace": namespace, "channel": to.channel, "kind": to.kind.value, "topic": to.group}
    rows = await tx.all("lock_notice_to_join", **place)
    for found in tx.aside.read("notices", rows, notice_row, "id"):
        await tx.run("change_notice", **changing(joined(found, to, alerts, now)))
        return
    row = await tx.one("last_notice", **place, since=now - WAIT_NEXT)
    last = None if row is None else row["made_at"]
    notice = Notice(
        id=new_id(),
        namespace=namespace,
        channel=to.channel,
        kind=to.kind,
        group=to.group,
        alerts=tuple(alerts),
        state=NoticeState.WAITING,
        next_at=send_at(to, last, now),
        made_at=now,
    )
    await tx.run("add_notice", **notice_fields(notice))


def changing(notice: Notice) -> dict[str, object]:
    """The fields of a notice that can change, and its id."""
    fixed = ("namespace", "channel", "kind", "topic", "made_at")
    return {name: value for name, value in notice_fields(notice).items() if name not in fixed}
