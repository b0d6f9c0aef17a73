"""Moves that operators request: create, edit, pause, resume, skip the next fire time, delete.

Fire times that were due are evaluated first, by the rule in force until then. The store has withdrawn prepared runs before, so
`next_due` is the first fire time without a run.

A move never counts from a time before one that the row proves another server reached (`reached`): a clock that was set back
would account for the same fire times again.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.triggers.evaluate import Evaluation
from mainspring.domain.triggers.fire_times.build_timer import excluding, timer_of
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.fire_times.timers import TICK, earliest
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.spec import At, Delay, TriggerSpec, is_followed, is_prepared, is_timed
from mainspring.domain.triggers.trigger import CLOCKS_APART, RecordedPause, Trigger, TriggerMove
from mainspring.errors import ConflictError

ASKED_MAX = 1_000
"""Future fire times of one trigger that may be skipped one by one."""


def made(namespace: str, spec: TriggerSpec, inputs: Inputs, *, owner: str = "") -> TriggerMove:
    """The first move of a new trigger."""
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
    return TriggerMove(trigger=trigger)


def edited(trigger: Trigger, spec: TriggerSpec, inputs: Inputs, *, owner: str = "") -> TriggerMove:
    """Give a trigger another definition; an unchanged rule continues, a changed one starts now."""
    inputs = not_before(trigger, inputs)
    if owner and (trigger.owner, trigger.applied) != (owner, spec):
        trigger = msgspec.structs.replace(trigger, owner=owner, applied=spec, updated_at=inputs.now)
    if spec == trigger.spec:
        return unchanged(trigger, inputs)
    evaluation = Evaluation(trigger, inputs)
    came(evaluation)
    revision, old = trigger.revision + 1, evaluation.spec
    ruled_at = trigger.ruled_since if same_rule(old, spec) else inputs.now
    evaluation.trigger = msgspec.structs.replace(
        trigger, spec=spec, revision=revision, updated_at=inputs.now, ruled_at=ruled_at
    )
    evaluation.spec = spec
    evaluation.calendar = inputs.calendar_for(trigger.namespace, spec)
    if not is_followed(spec):
        evaluation.pending = ()
        evaluation.failures = 0
    if not is_timed(spec):
        evaluation.next_due = None
    elif isinstance(spec.when, Delay):
        evaluation.next_due = delayed(evaluation, old, spec.when)
    elif not same_rule(old, spec) or evaluation.next_due is None:
        evaluation.next_due = first_of(evaluation)
    if evaluation.exhausted():
        evaluation.next_due = None
    evaluation.release()
    return evaluation.move()


def unchanged(trigger: Trigger, inputs: Inputs) -> TriggerMove:
    """Keep the definition, and prepare withdrawn runs again."""
    evaluation = Evaluation(trigger, not_before(trigger, inputs))
    if evaluation.calendar is not None and evaluation.paused is None:
        evaluation.follow_calendar()
    return evaluation.move()


def paused(trigger: Trigger, pause: RecordedPause, inputs: Inputs) -> TriggerMove:
    inputs = not_before(trigger, inputs)
    evaluation = Evaluation(trigger, inputs)
    came(evaluation)
    evaluation.trigger = msgspec.structs.replace(trigger, updated_at=inputs.now)
    evaluation.paused = pause
    return evaluation.move()


def resumed(trigger: Trigger, inputs: Inputs) -> TriggerMove:
    """End a pause; fire times within it are skipped."""
    inputs = not_before(trigger, inputs)
    evaluation = Evaluation(trigger, inputs)
    came(evaluation)
    evaluation.trigger = msgspec.structs.replace(trigger, updated_at=inputs.now)
    evaluation.paused = None
    evaluation.failures = 0
    evaluation.release()
    return evaluation.move()


def next_skipped(trigger: Trigger, inputs: Inputs) -> tuple[TriggerMove, datetime]:
    """Skip the next fire time; raises ConflictError if it is unknown."""
    inputs = not_before(trigger, inputs)
    if trigger.paused is not None:
        raise ConflictError("trigger", trigger.name, "is paused: it fires at no instant", code="trigger_paused")
    evaluation = Evaluation(trigger, inputs)
    came(evaluation)
    instant = evaluation.next_due
    if instant is None:
        raise ConflictError("trigger", trigger.name, "has no instant to come that is known", code="trigger_ended")
    if sum(each > inputs.now for each in evaluation.asked) >= ASKED_MAX:
        reason = f"has {ASKED_MAX} instants to come that are skipped already: pause it instead"
        raise ConflictError("trigger", trigger.name, reason, code="too_many_skipped")
    evaluation.record_calendar_skip(instant)
    evaluation.skip(instant, SkipReason.ASKED)
    evaluation.asked = tuple(sorted({*evaluation.asked, instant}))
    if isinstance(evaluation.spec.when, Delay):
        evaluation.wait_from(instant)
    else:
        evaluation.next_due = evaluation.timer.next(instant)
    return evaluation.move(), instant


def removed(trigger: Trigger, inputs: Inputs) -> TriggerMove:
    """The last move of a deleted trigger: due fire times without a run are skipped."""
    inputs = not_before(trigger, inputs)
    evaluation = Evaluation(trigger, inputs)
    for instant in evaluation.held:
        evaluation.skip(instant, SkipReason.DELETED)
    evaluation.held = ()
    if evaluation.paused is not None:
        came(evaluation)
        return evaluation.move()
    if evaluation.calendar is not None:
        evaluation.follow_calendar()
    pass_over(evaluation, SkipReason.DELETED)
    evaluation.record_calendar_skip(inputs.now + TICK)
    return evaluation.move()


def not_before(trigger: Trigger, inputs: Inputs) -> Inputs:
    """The inputs at the latest time that the trigger's row has reached, if that is later."""
    latest = reached(trigger, inputs)
    # Further apart, a clock was wrong by hours, and an operator's change is the way back to the present.
    if inputs.now < latest < inputs.now + CLOCKS_APART:
        return msgspec.structs.replace(inputs, now=latest)
    return inputs


def reached(trigger: Trigger, inputs: Inputs) -> datetime:
    """The latest time that some server's clock had when it moved the trigger, as far as the row proves it."""
    times = [trigger.updated_at, trigger.last_fire_at, *trigger.held]
    if trigger.paused is not None:
        times.append(trigger.paused.at)
    # A calendar may have changed since, and then the fire time before the next one was never accounted for.
    elif trigger.next_due is not None and not trigger.spec.calendar:
        times.append(Evaluation(trigger, inputs).timer.previous(trigger.next_due))
    return max(time for time in times if time is not None)


def came(evaluation: Evaluation) -> None:
    """Evaluate the fire times up to now, or skip them if the trigger is paused."""
    if evaluation.paused is None:
        evaluation.account()
    else:
        if evaluation.calendar is not None:
            look_back(evaluation, evaluation.paused)
        pass_over(evaluation, SkipReason.PAUSED)
    evaluation.record_calendar_skip(evaluation.inputs.now + TICK)


def look_back(evaluation: Evaluation, pause: RecordedPause) -> None:
    """Find the next fire time anew: the calendar may have changed during the pause."""
    due = evaluation.next_due
    passed = due if due is not None and due <= evaluation.inputs.now else None
    since = max(pause.at, evaluation.trigger.updated_at, evaluation.last_fire_at or pause.at)
    evaluation.next_due = earliest([passed, None if evaluation.over() else evaluation.timer.next(since)])


def pass_over(evaluation: Evaluation, reason: SkipReason) -> None:
    """Skip every fire time up to now."""
    now = evaluation.inputs.now
    if evaluation.next_due is None or evaluation.next_due > now:
        return
    evaluation.record_calendar_skip(evaluation.next_due)
    final = evaluation.timer.previous(now + TICK)
    if final is not None and final >= evaluation.next_due:
        evaluation.skips.append(Span(evaluation.next_due, final, reason))
    evaluation.next_due = evaluation.timer.next(now)
    evaluation.wait_from(now)


def first_of(evaluation: Evaluation) -> datetime | None:
    trigger, now = evaluation.trigger, evaluation.inputs.now
    return first_due(
        evaluation.spec, evaluation.calendar, created_at=trigger.created_at, now=now, asked=evaluation.asked
    )


def first_due(
    spec: TriggerSpec,
    calendar: Calendar | None,
    *,
    created_at: datetime,
    now: datetime,
    asked: Collection[datetime] = (),
) -> datetime | None:
    """The first fire time of a rule that starts now."""
    if type(spec.when) is Delay:
        return now if spec.start_at is None else max(now, spec.start_at)
    timer = excluding(timer_of(spec, created_at=created_at, calendar=calendar), asked)
    return timer.next(now - TICK if type(spec.when) is At else now)


def delayed(evaluation: Evaluation, old: TriggerSpec, rule: Delay) -> datetime | None:
    """The next fire time of a fixed delay after an edit; None while a run is pending."""
    if evaluation.pending:
        return None
    if isinstance(old.when, Delay) and evaluation.next_due is not None:
        due: datetime | None = max(
            evaluation.inputs.now, evaluation.next_due + timedelta(seconds=rule.delay - old.when.delay)
        )
    else:
        due = first_of(evaluation)
    while due is not None and due in evaluation.asked:
        due += timedelta(seconds=rule.delay)
    return due


def same_rule(old: TriggerSpec, new: TriggerSpec) -> bool:
    """Whether two definitions have the same fire times."""
    return (old.when, old.start_at, old.end_at, old.calendar, old.roll) == (
        new.when,
        new.start_at,
        new.end_at,
        new.calendar,
        new.roll,
    )
