"""Moves that people ask for: a new definition, a pause, its end, one instant less, and the end of all.

What was due when they asked is accounted for first, by the rule that was in force then. What had been prepared was withdrawn
by the store before, so `next_due` is the first instant that has no run.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.triggers.evaluate import Draft
from mainspring.domain.triggers.fire_times.build_timer import omitting, timer_of
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.fire_times.timers import TICK, earliest
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.spec import At, Delay, TriggerSpec, is_followed, is_prepared, is_timed
from mainspring.domain.triggers.trigger import Move, Pause, Trigger
from mainspring.errors import ConflictError

ASKED_MAX = 1_000
"""Instants to come that may be skipped one by one; who wants more left out pauses the trigger."""


def made(namespace: str, spec: TriggerSpec, inputs: Inputs, *, owner: str = "") -> Move:
    """A trigger that did not exist."""
    calendar = inputs.calendar_for(namespace, spec)
    due = first_due(spec, calendar, created_at=inputs.now, now=inputs.now)
    trigger = Trigger(
        namespace=namespace,
        spec=spec,
        next_due=due,
        act_at=due - inputs.look_ahead if due is not None and is_prepared(spec) else due,
        owner=owner,
        applied=spec if owner else None,
        created_at=inputs.now,
        updated_at=inputs.now,
    )
    return Move(trigger=trigger)


def edited(trigger: Trigger, spec: TriggerSpec, inputs: Inputs, *, owner: str = "") -> Move:
    """Another definition. A rule that stays as it is goes on where it was; another one begins behind now."""
    if owner and (trigger.owner, trigger.applied) != (owner, spec):
        trigger = msgspec.structs.replace(trigger, owner=owner, applied=spec, updated_at=inputs.now)
    if spec == trigger.spec:
        return unchanged(trigger, inputs)
    draft = Draft(trigger, inputs)
    came(draft)
    revision, old = trigger.revision + 1, draft.spec
    ruled_at = trigger.ruled_since if same_rule(old, spec) else inputs.now
    draft.trigger = msgspec.structs.replace(
        trigger, spec=spec, revision=revision, updated_at=inputs.now, ruled_at=ruled_at
    )
    draft.spec = spec
    draft.calendar = inputs.calendar_for(trigger.namespace, spec)
    if not is_followed(spec):
        draft.pending = ()
        draft.failures = 0
    if not is_timed(spec):
        draft.next_due = None
    elif isinstance(spec.when, Delay):
        draft.next_due = delayed(draft, old, spec.when)
    elif not same_rule(old, spec) or draft.next_due is None:
        draft.next_due = first_of(draft)
    if draft.exhausted():
        draft.next_due = None
    draft.release()
    return draft.move()


def unchanged(trigger: Trigger, inputs: Inputs) -> Move:
    """As it is, with what was withdrawn to come again; a change of its calendar counts."""
    draft = Draft(trigger, inputs)
    if draft.calendar is not None and draft.paused is None:
        draft.look_again()
    return draft.move()


def paused(trigger: Trigger, pause: Pause, inputs: Inputs) -> Move:
    draft = Draft(trigger, inputs)
    came(draft)
    draft.trigger = msgspec.structs.replace(trigger, updated_at=inputs.now)
    draft.paused = pause
    return draft.move()


def resumed(trigger: Trigger, inputs: Inputs) -> Move:
    """The instants that came meanwhile are skipped."""
    draft = Draft(trigger, inputs)
    came(draft)
    draft.trigger = msgspec.structs.replace(trigger, updated_at=inputs.now)
    draft.paused = None
    draft.failures = 0
    draft.release()
    return draft.move()


def next_skipped(trigger: Trigger, inputs: Inputs) -> tuple[Move, datetime]:
    """Without the instant that comes next; raises ConflictError if nobody knows which that is."""
    if trigger.paused is not None:
        raise ConflictError("trigger", trigger.name, "is paused: it fires at no instant", code="trigger_paused")
    draft = Draft(trigger, inputs)
    came(draft)
    instant = draft.next_due
    if instant is None:
        raise ConflictError("trigger", trigger.name, "has no instant to come that is known", code="trigger_ended")
    if sum(each > inputs.now for each in draft.asked) >= ASKED_MAX:
        reason = f"has {ASKED_MAX} instants to come that are skipped already: pause it instead"
        raise ConflictError("trigger", trigger.name, reason, code="too_many_skipped")
    draft.leave_out(instant)
    draft.skip(instant, SkipReason.ASKED)
    draft.asked = tuple(sorted({*draft.asked, instant}))
    if isinstance(draft.spec.when, Delay):
        draft.wait_from(instant)
    else:
        draft.next_due = draft.timer.next(instant)
    return draft.move(), instant


def removed(trigger: Trigger, inputs: Inputs) -> Move:
    """The last move of a trigger that is taken away: what was due and has no run is skipped."""
    draft = Draft(trigger, inputs)
    for instant in draft.held:
        draft.skip(instant, SkipReason.DELETED)
    draft.held = ()
    if draft.paused is not None:
        came(draft)
        return draft.move()
    if draft.calendar is not None:
        draft.look_again()
    pass_over(draft, SkipReason.DELETED)
    draft.leave_out(inputs.now + TICK)
    return draft.move()


def came(draft: Draft) -> None:
    """Account for what was due until now: fired or skipped as usual, or skipped by a pause."""
    if draft.paused is None:
        draft.account()
    else:
        if draft.calendar is not None:
            look_back(draft, draft.paused)
        pass_over(draft, SkipReason.PAUSED)
    draft.leave_out(draft.inputs.now + TICK)


def look_back(draft: Draft, pause: Pause) -> None:
    """Nobody looks at a trigger while it is paused: its calendar may have become another one meanwhile."""
    due = draft.next_due
    passed = due if due is not None and due <= draft.inputs.now else None
    since = max(pause.at, draft.trigger.updated_at, draft.last_fire_at or pause.at)
    draft.next_due = earliest([passed, None if draft.over() else draft.timer.next(since)])


def pass_over(draft: Draft, reason: SkipReason) -> None:
    """Skip all that was due until now."""
    now = draft.inputs.now
    if draft.next_due is None or draft.next_due > now:
        return
    draft.leave_out(draft.next_due)
    final = draft.timer.previous(now + TICK)
    if final is not None and final >= draft.next_due:
        draft.skips.append(Span(draft.next_due, final, reason))
    draft.next_due = draft.timer.next(now)
    draft.wait_from(now)


def first_of(draft: Draft) -> datetime | None:
    trigger, now = draft.trigger, draft.inputs.now
    return first_due(draft.spec, draft.calendar, created_at=trigger.created_at, now=now, asked=draft.asked)


def first_due(
    spec: TriggerSpec,
    calendar: Calendar | None,
    *,
    created_at: datetime,
    now: datetime,
    asked: Collection[datetime] = (),
) -> datetime | None:
    """The first instant of a rule that begins now. What happens once, or begins at once, may do so now."""
    if type(spec.when) is Delay:
        return now if spec.start_at is None else max(now, spec.start_at)
    timer = omitting(timer_of(spec, created_at=created_at, calendar=calendar), asked)
    return timer.next(now - TICK if type(spec.when) is At else now)


def delayed(draft: Draft, old: TriggerSpec, rule: Delay) -> datetime | None:
    """A run that is under way is waited for; a delay that has begun becomes longer or shorter."""
    if draft.pending:
        return None
    if isinstance(old.when, Delay) and draft.next_due is not None:
        due: datetime | None = max(draft.inputs.now, draft.next_due + timedelta(seconds=rule.delay - old.when.delay))
    else:
        due = first_of(draft)
    while due is not None and due in draft.asked:
        due += timedelta(seconds=rule.delay)
    return due


def same_rule(old: TriggerSpec, new: TriggerSpec) -> bool:
    """Whether the two name the same instants."""
    return (old.when, old.start_at, old.end_at, old.calendar, old.roll) == (
        new.when,
        new.start_at,
        new.end_at,
        new.calendar,
        new.roll,
    )
