"""Serves triggers as code: planning and applying an owner's set of definitions."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.routes.calendars.define import learn_holidays
from mainspring.api.routes.calendars.views import show_impact
from mainspring.api.routes.workflows.definitions import read_job
from mainspring.contract.jobs import ChangeInfo
from mainspring.contract.operations.triggers import APPLY_TRIGGERS, PlanBody
from mainspring.contract.triggers import DriftInfo, PlanInfo, PlannedCalendar, PlannedTrigger, PlannedWorkflow
from mainspring.contract.workflows.bodies import NamedWorkflowBody
from mainspring.domain.jobs.definition import FieldChange
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.fire_times.build_timer import own_zone
from mainspring.domain.triggers.fire_times.preview import fixed
from mainspring.domain.triggers.plan import Act, Drift
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.workflows.definitions.plan import WorkflowPlanItem
from mainspring.domain.workflows.spec import read_workflow
from mainspring.errors import InvalidInputError
from mainspring.scheduler.plans.apply_calendars import CalendarOutlook
from mainspring.scheduler.plans.apply_plan import Definitions
from mainspring.scheduler.plans.plan_outlook import Outlook, Shown

router = Routes()


@router.bind(APPLY_TRIGGERS)
async def apply_triggers(call: Call, body: PlanBody) -> PlanInfo:
    for spec in body.calendars:
        await learn_holidays(call, spec)
    wanted = Definitions(
        owner=body.owner,
        triggers=body.triggers,
        calendars=body.calendars,
        workflows=[read_named(position, one) for position, one in enumerate(body.workflows)],
        adopt=body.adopt,
        code=body.code,
    )
    if body.dry_run:
        return show_plan(await call.engine.applying.plan(call.namespace, wanted))
    applied = await call.engine.applying.apply(
        call.namespace, wanted, actor=call.actor, note=body.note, based_on=body.based_on
    )
    return show_plan(applied, applied=True)


def show_plan(outlook: Outlook, *, applied: bool = False) -> PlanInfo:
    plan = outlook.plan
    return PlanInfo(
        owner=plan.owner,
        applied=applied,
        based_on=plan.based_on,
        kept=len(plan.of(Act.KEEP)) + outlook.others_kept,
        calendars=[show_planned_calendar(each) for each in outlook.calendars],
        workflows=[show_planned_workflow(each) for each in outlook.workflows],
        triggers=[show_planned(each) for each in outlook.shown],
    )


def in_zone(spec: TriggerSpec | None, instants: Sequence[datetime]) -> list[datetime]:
    """With the offsets that the clock of the trigger's zone has then."""
    return [] if spec is None else [fixed(at.astimezone(own_zone(spec))) for at in instants]


def show_planned(shown: Shown) -> PlannedTrigger:
    item, drift = shown.item, shown.item.drift
    spec = item.after if item.after is not None or item.before is None else item.before.spec
    assert spec is not None
    return PlannedTrigger(
        name=item.name,
        act=item.act,
        job=spec.job,
        words=say(spec),
        changes=show_changes(item.changes),
        drift=show_drift(drift),
        next_before=in_zone(None if item.before is None else item.before.spec, shown.next_before),
        next_after=in_zone(item.after, shown.next_after),
        reason=item.reason,
    )


def show_planned_calendar(found: CalendarOutlook) -> PlannedCalendar:
    item = found.item
    return PlannedCalendar(
        name=item.name,
        act=item.act,
        changes=show_changes(item.changes),
        drift=show_drift(item.drift),
        reason=item.reason,
        triggers=[show_impact(each) for each in found.impacts],
    )


def read_named(position: int, body: NamedWorkflowBody) -> JobSpec:
    """Raises InvalidInputError with the place in the set."""
    try:
        return read_job(body.name, body)
    except InvalidInputError as error:
        raise type(error)(f"workflows[{position}].{error.field}", error.reason, code=error.code) from None


def show_planned_workflow(item: WorkflowPlanItem) -> PlannedWorkflow:
    spec = item.after if item.after is not None or item.before is None else item.before.spec
    assert spec is not None
    return PlannedWorkflow(
        name=item.name,
        act=item.act,
        version=None if item.before is None else item.before.version,
        steps=len(read_workflow(spec.workflow).steps) if spec.workflow else 0,
        changes=show_changes(item.changes),
        drift=show_drift(item.drift),
        reason=item.reason,
    )


def show_drift(drift: Drift | None) -> DriftInfo | None:
    return None if drift is None else DriftInfo(drift.at, drift.by, show_changes(drift.changes))


def show_changes(changes: Sequence[FieldChange]) -> list[ChangeInfo]:
    return [ChangeInfo(each.path, each.before, each.after) for each in changes]
