"""Moves that people ask for: a new definition, a pause, its end, and one instant less.

What was due when they asked is accounted for first, by the rule that was in force then. What had been prepared was withdrawn
by the store before, so `next_due` is the first instant that has no run.
"""

from datetime import datetime, timedelta

import msgspec

from mainspring.domain.triggers.calendars import Calendar
from mainspring.domain.triggers.making import timer_of
from mainspring.domain.triggers.misfires import SkipReason, Span
from mainspring.domain.triggers.moving import Draft, Terms
from mainspring.domain.triggers.spec import At, Delay, TriggerSpec, is_followed, is_prepared, is_timed
from mainspring.domain.triggers.timers import TICK
from mainspring.domain.triggers.trigger import Move, Pause, Trigger
from mainspring.errors import ConflictError


def made(namespace: str, spec: TriggerSpec, terms: Terms, *, owner: str = "") -> Move:
    """A trigger that did not exist."""
    calendar = terms.calendar_of(namespace, spec.calendar) if spec.calendar else None
    due = first_due(spec, calendar, created_at=terms.now, now=terms.now)
    trigger = Trigger(
        namespace=namespace,
        spec=spec,
        next_due=due,
        act_at=due - terms.look_ahead if due is not None and is_prepared(spec) else due,
        owner=owner,
        applied=spec if owner else None,
        created_at=terms.now,
        updated_at=terms.now,
    )
    return Move(trigger=trigger)


def edited(trigger: Trigger, spec: TriggerSpec, terms: Terms, *, owner: str = "") -> Move:
    """Another definition. A rule that stays as it is goes on where it was; another one begins behind now."""
    if owner and (trigger.owner, trigger.applied) != (owner, spec):
        trigger = msgspec.structs.replace(trigger, owner=owner, applied=spec, updated_at=terms.now)
    draft = Draft(trigger, terms)
    if spec == trigger.spec:
        return draft.move()
    came(draft)
    revision, old = trigger.revision + 1, draft.spec
    draft.trigger = msgspec.structs.replace(trigger, spec=spec, revision=revision, updated_at=terms.now)
    draft.spec = spec
    draft.calendar = terms.calendar_of(trigger.namespace, spec.calendar) if spec.calendar else None
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


def paused(trigger: Trigger, pause: Pause, terms: Terms) -> Move:
    draft = Draft(trigger, terms)
    came(draft)
    draft.trigger = msgspec.structs.replace(trigger, updated_at=terms.now)
    draft.paused = pause
    return draft.move()


def resumed(trigger: Trigger, terms: Terms) -> Move:
    """The instants that came meanwhile are skipped."""
    draft = Draft(trigger, terms)
    came(draft)
    draft.trigger = msgspec.structs.replace(trigger, updated_at=terms.now)
    draft.paused = None
    draft.failures = 0
    draft.release()
    return draft.move()


def next_skipped(trigger: Trigger, terms: Terms) -> tuple[Move, datetime]:
    """Without the instant that comes next; raises ConflictError if nobody knows which that is."""
    if trigger.paused is not None:
        raise ConflictError("trigger", trigger.name, "is paused: it fires at no instant", code="trigger_paused")
    draft = Draft(trigger, terms)
    came(draft)
    instant = draft.next_due
    if instant is None:
        raise ConflictError("trigger", trigger.name, "has no instant to come that is known", code="trigger_ended")
    draft.leave_out(instant)
    draft.skip(instant, SkipReason.ASKED)
    if isinstance(draft.spec.when, Delay):
        draft.wait_from(instant)
    else:
        draft.next_due = draft.timer.next(instant)
    return draft.move(), instant


def came(draft: Draft) -> None:
    """Account for what was due until now: fired or skipped as usual, or skipped by a pause."""
    if draft.paused is None:
        draft.account()
    elif draft.next_due is not None and draft.next_due <= draft.terms.now:
        final = draft.timer.previous(draft.terms.now + TICK)
        if final is not None and final >= draft.next_due:
            draft.skips.append(Span(draft.next_due, final, SkipReason.PAUSED))
        draft.next_due = draft.timer.next(draft.terms.now)
        draft.wait_from(draft.terms.now)
    draft.leave_out(draft.terms.now + TICK)


def first_of(draft: Draft) -> datetime | None:
    return first_due(draft.spec, draft.calendar, created_at=draft.trigger.created_at, now=draft.terms.now)


def first_due(spec: TriggerSpec, calendar: Calendar | None, *, created_at: datetime, now: datetime) -> datetime | None:
    """The first instant of a rule that begins now. What happens once, or begins at once, may do so now."""
    if type(spec.when) is Delay:
        return now if spec.start_at is None else max(now, spec.start_at)
    timer = timer_of(spec, created_at=created_at, calendar=calendar)
    return timer.next(now - TICK if type(spec.when) is At else now)


def delayed(draft: Draft, old: TriggerSpec, rule: Delay) -> datetime | None:
    """A run that is under way is waited for; a delay that has begun becomes longer or shorter."""
    if draft.pending:
        return None
    if isinstance(old.when, Delay) and draft.next_due is not None:
        return max(draft.terms.now, draft.next_due + timedelta(seconds=rule.delay - old.when.delay))
    return first_of(draft)


def same_rule(old: TriggerSpec, new: TriggerSpec) -> bool:
    """Whether the two name the same instants."""
    return (old.when, old.start_at, old.end_at, old.calendar, old.roll) == (
        new.when,
        new.start_at,
        new.end_at,
        new.calendar,
        new.roll,
    )
