"""A plan as people see it: its changes, with the next instants of each trigger before and after."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.plan import Act, Plan, Planned
from mainspring.domain.triggers.spec import Delay, TriggerSpec
from mainspring.domain.workflows.definitions.plan import WorkflowPlanItem
from mainspring.scheduler.plans.apply_calendars import CalendarOutlook

COMING = 3
"""Instants that are named of each trigger,"""
COMING_MAX = 500
"""of so many triggers at most."""


class Shown(msgspec.Struct, frozen=True):
    """One changed trigger of a plan, with its next fire time before and after."""

    item: Planned
    next_before: Sequence[datetime] = ()
    next_after: Sequence[datetime] = ()


class Outlook(msgspec.Struct, frozen=True):
    plan: Plan
    shown: Sequence[Shown]
    calendars: Sequence[CalendarOutlook] = ()
    workflows: Sequence[WorkflowPlanItem] = ()
    others_kept: int = 0
    """Calendars and workflows that stay as they are."""


def outlook(namespace: str, plan: Plan, inputs: Inputs) -> Outlook:
    items = [item for item in plan.items if item.act is not Act.KEEP]
    return Outlook(
        plan,
        [
            Shown(item, *coming(namespace, item, inputs)) if number < COMING_MAX else Shown(item)
            for number, item in enumerate(items)
        ],
    )


def coming(namespace: str, item: Planned, inputs: Inputs) -> tuple[tuple[datetime, ...], tuple[datetime, ...]]:
    """The next instants before and after; one that is paused has none."""
    before, after = item.before, item.after
    if before is None:
        return (), instants(namespace, after, inputs.now, inputs)
    if before.paused is not None:
        return (), ()
    was = instants(namespace, before.spec, before.created_at, inputs)
    return was, instants(namespace, after, before.created_at, inputs)


def instants(namespace: str, spec: TriggerSpec | None, created_at: datetime, inputs: Inputs) -> tuple[datetime, ...]:
    """Those of a fixed delay depend on runs, and are not known."""
    if spec is None or isinstance(spec.when, Delay):
        return ()
    timer = timer_of(spec, created_at=created_at, calendar=inputs.calendar_for(namespace, spec))
    at = inputs.now
    found: list[datetime] = []
    while len(found) < COMING and (following := timer.next(at)) is not None:
        found.append(following)
        at = following
    return tuple(found)
