"""Serves alert rules, and sets of definitions as code has them."""

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.views import view_of
from mainspring.contract.alerts import operations as alerts
from mainspring.contract.alerts.views import (
    AlertPlanInfo,
    AlertRuleBody,
    AlertRuleInfo,
    AlertRulePage,
    ChannelBody,
    PlannedAlert,
)
from mainspring.domain.access.permissions import NAMESPACE_ALL, Role
from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.plan import AnyAlertSpec, NounName
from mainspring.domain.alerts.rule import AlertRule, AlertSpec
from mainspring.domain.slos.slo import SloSpec
from mainspring.scheduler.alerts.definitions import CHANNEL, RULE, SLO, AlertPlan

router = Routes()


@router.bind(alerts.LIST_ALERT_RULES)
async def list_alert_rules(call: Call) -> AlertRulePage:
    return AlertRulePage([show_rule(one) for one in await call.engine.alerting.definitions.rules(call.namespace)])


@router.bind(alerts.APPLY_ALERTS)
async def apply_alerts(call: Call, body: alerts.AlertPlanBody) -> AlertPlanInfo:
    wanted: dict[NounName, AnyAlertSpec] = {}
    wanted |= {(CHANNEL, name): as_channel(one) for name, one in body.channels.items()}
    wanted |= {(RULE, name): as_rule(one) for name, one in body.rules.items()}
    wanted |= {(SLO, name): SloSpec(**msgspec.structs.asdict(one)) for name, one in body.slos.items()}
    definitions = call.engine.alerting.definitions
    if body.dry_run:
        plan = await definitions.plan(call.namespace, body.owner, wanted, adopt=body.adopt)
    else:
        plan = await definitions.apply(
            call.namespace, body.owner, wanted, adopt=body.adopt, actor=call.actor, is_admin=rules_cluster(call)
        )
    return show_plan(body.owner, plan, applied=not body.dry_run)


@router.bind(alerts.GET_ALERT_RULE)
async def get_alert_rule(call: Call, name: str) -> AlertRuleInfo:
    return show_rule(await call.engine.alerting.definitions.rule(call.namespace, name))


@router.bind(alerts.SET_ALERT_RULE)
async def set_alert_rule(call: Call, name: str, body: AlertRuleBody) -> AlertRuleInfo:
    definitions = call.engine.alerting.definitions
    return show_rule(await definitions.set_rule(call.namespace, name, as_rule(body), actor=call.actor))


@router.bind(alerts.DELETE_ALERT_RULE)
async def delete_alert_rule(call: Call, name: str) -> None:
    await call.engine.alerting.definitions.delete(call.namespace, RULE, name, actor=call.actor)


def as_rule(body: AlertRuleBody) -> AlertSpec:
    return AlertSpec(**msgspec.structs.asdict(body))


def as_channel(body: ChannelBody) -> ChannelSpec:
    return ChannelSpec(**msgspec.structs.asdict(body))


def rules_cluster(call: Call) -> bool:
    """Whether the caller is an admin of all namespaces."""
    return call.grant.token.role is Role.ADMIN and call.grant.token.namespace == NAMESPACE_ALL


def show_rule(rule: AlertRule) -> AlertRuleInfo:
    return view_of(AlertRuleInfo, rule, spec=msgspec.to_builtins(rule.spec))


def show_plan(owner: str, plan: AlertPlan, *, applied: bool) -> AlertPlanInfo:
    items = [
        PlannedAlert(noun=one.noun, name=one.name, act=one.act.value, fields=list(one.fields), owner=one.owner)
        for one in plan.items
    ]
    return AlertPlanInfo(owner=owner, applied=applied, kept=plan.kept, items=items)
