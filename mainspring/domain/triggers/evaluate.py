"""Evaluates a trigger: which fire times are fired, queued after a running run, or skipped.

An evaluation is pure and takes fire times in order; `next_due` is the first that it leaves to the next one. The same row and
inputs always give the same move, and no fire time is evaluated twice.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.calendars.policy import left_out
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.fire_times.build_timer import (
    NO_FIRE_TIMES,
    bounded,
    excluding,
    own_zone,
    plain_timer,
    timer_of,
)
from mainspring.domain.triggers.fire_times.jitter import lateness
from mainspring.domain.triggers.fire_times.misfires import MisfirePolicy, SkipReason, Span, fire
from mainspring.domain.triggers.fire_times.timers import TICK, Once, Timer
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.spec import At, Delay, Overlap, is_followed, is_prepared
from mainspring.domain.triggers.trigger import CLOCKS_APART, EndedRun, RecordedPause, Trigger, TriggerMove
from mainspring.domain.years import END

AHEAD_MAX = 200
"""Fires that one move prepares at most."""
REACH = 1.5
"""How far ahead a move prepares, in look-aheads."""
# More than one, so that a trigger that fires every second is moved only about twice a minute.
ITSELF = "mainspring"
"""The author of a pause that no operator asked for."""


class Evaluation:
    """The state of one trigger while its move is computed."""

    def __init__(self, trigger: Trigger, inputs: Inputs) -> None:
        self.trigger = trigger
        self.spec = trigger.spec
        self.inputs = inputs
        self.next_due = trigger.next_due
        self.pending = trigger.pending
        self.held = trigger.held
        self.asked = trigger.asked
        self.fired = trigger.fired
        self.failures = trigger.failures
        self.last_fire_at = trigger.last_fire_at
        self.paused = trigger.paused
        self.calendar = inputs.calendar_for(trigger.namespace, trigger.spec)
        self.fires: list[tuple[datetime, NewRun]] = []
        self.skips: list[Span] = []
        self.cancels: list[RunId] = []
        self._gave_up: RecordedPause | None = None
        self._jobless = False

    @property
    def timer(self) -> Timer:
        """The fire times of the trigger; of a fixed delay only the next one."""
        if type(self.spec.when) is Delay:
            return NO_FIRE_TIMES if self.next_due is None else Once(self.next_due)
        timer = timer_of(self.spec, created_at=self.trigger.created_at, calendar=self.calendar)
        return excluding(timer, self.asked)

    def exhausted(self) -> bool:
        return self.spec.fires_max is not None and self.fired + len(self.held) >= self.spec.fires_max

    def account(self) -> None:
        """Fire, queue or skip every fire time up to now."""
        self.release()
        if self.calendar is not None:
            self.follow_calendar()
        if self.next_due is None or self.next_due > self.inputs.now:
            return
        deadline = self.spec.start_deadline
        policy = MisfirePolicy(
            misfire=self.spec.misfire,
            catch_up_max=self.spec.catch_up_max,
            start_deadline=None if deadline is None else timedelta(seconds=deadline),
        )
        self.record_calendar_skip(self.next_due)
        firing = fire(self.timer, self.next_due, self.inputs.now, policy)
        self.next_due = firing.next_due
        if firing.skipped is not None:
            self.skips.append(firing.skipped)
        for instant in firing.fires:
            self.fire_or_queue(instant)
        if type(self.spec.when) is Delay and not self.pending and not self.exhausted():
            self.wait_from(self.inputs.now)

    def fire_or_queue(self, instant: datetime) -> None:
        """Fire a due fire time, or queue or skip it if an earlier run is in its way."""
        if self.exhausted():
            return
        if self.spec.overlap is not Overlap.ALLOW and (self.pending or self.held):
            self.queue_or_skip(instant)
        elif not self.fire(instant):
            self.skip(instant, SkipReason.JOB_GONE)
        if self.exhausted():
            self.next_due = None

    def fire(self, instant: datetime) -> bool:
        spread_out = self.spec.jitter or self.spec.spread
        due_at = instant + lateness(self.trigger, instant) if spread_out else instant
        run = self.inputs.new_run(self.trigger, instant, due_at)
        if run is None:
            return False
        self.fires.append((instant, run))
        self.fired += 1
        self.last_fire_at = instant
        if is_followed(self.spec):
            self.pending = (*self.pending, run.id)
        return True

    def skip(self, instant: datetime, reason: SkipReason) -> None:
        self.skips.append(Span(instant, instant, reason))

    def queue_or_skip(self, instant: datetime) -> None:
        """Apply the overlap policy to a fire time while an earlier run is live."""
        overlap = self.spec.overlap
        if overlap is Overlap.SKIP:
            self.skip(instant, SkipReason.OVERLAP)
            return
        if overlap is Overlap.CANCEL_PREVIOUS:
            for each in self.held:
                self.skip(each, SkipReason.REPLACED)
            self.held = ()
            self.cancels = list(self.pending)
        if len(self.held) < (self.spec.overlap_max if overlap is Overlap.QUEUE_ALL else 1):
            self.held = (*self.held, instant)
        else:
            self.skip(instant, SkipReason.HELD_FULL)

    def release(self) -> None:
        """Fire queued fire times as long as no run is pending."""
        waiting = self.held
        while self.held and not self.pending and self.paused is None:
            instant, *rest = self.held
            self.held = tuple(rest)
            deadline = self.spec.start_deadline
            if deadline is not None and (self.inputs.now - instant).total_seconds() > deadline:
                self.skip(instant, SkipReason.TOO_LATE)
            elif not self.fire(instant):
                self.skip(instant, SkipReason.JOB_GONE)
        if self.next_due is None and len(self.held) < len(waiting) and not self.over():
            self.next_due = self.timer.next(max(self.accounted(), waiting[-1]))

    def prepare(self) -> None:
        """Create runs for fire times within the look-ahead."""
        horizon = self.inputs.now + REACH * self.inputs.look_ahead
        timer = self.timer
        while self.next_due is not None and self.next_due <= horizon and len(self.fires) < AHEAD_MAX:
            self.record_calendar_skip(self.next_due)
            if not self.fire(self.next_due):
                # The job may exist by then, so nothing is skipped yet.
                self._jobless = True
                return
            self.next_due = None if self.exhausted() else timer.next(self.next_due)

    def follow_calendar(self) -> None:
        """Find the next fire time anew, for the calendar may have changed."""
        if self.next_due is None:
            if self.trigger.act_at is not None and not self.over():
                self.next_due = self.timer.next(self.accounted())
        elif self.trigger.act_at not in (self.next_due, self.next_due - self.inputs.look_ahead):
            self.next_due = self.timer.next(min(self.next_due - TICK, self.accounted()))
        self.record_last_calendar_skip()

    def over(self) -> bool:
        """Whether no fire time follows, even without the calendar."""
        return self.exhausted() or (isinstance(self.spec.when, At) and self.fired > 0)

    def accounted(self) -> datetime:
        """The time up to which every fire time is evaluated, if no next one is known."""
        return max(self.inputs.now, self.last_fire_at or self.inputs.now)

    def record_calendar_skip(self, until: datetime) -> None:
        """Record the fire times that the calendar excludes between the previous one and `until`."""
        settled = self.next_due is None and self.trigger.act_at is None and self.trigger.paused is None
        span = None if settled else self.calendar_skip_before(until)
        if span is not None and span not in self.skips:
            self.skips.append(span)

    def record_last_calendar_skip(self) -> None:
        """Record the excluded fire times after which none follows, once the last of them has passed."""
        last = self.trigger.act_at
        if self.next_due is not None or last is None or last > self.inputs.now:
            return
        span = self.calendar_skip_before(last + TICK)
        # A trigger that is only to be looked at again, as its calendar has changed, is so at another time.
        if span is not None and span.last == last:
            self.skips.append(span)

    def calendar_skip_before(self, until: datetime) -> Span | None:
        before = self.timer.previous(until) or self.trigger.created_at
        return self.calendar_skip_between(max(before, self.trigger.updated_at), until)

    def calendar_skip_between(self, since: datetime, until: datetime) -> Span | None:
        """The fire times that the calendar excludes between two times."""
        if self.calendar is None:
            return None
        plain = bounded(plain_timer(self.spec, self.trigger.created_at), self.spec)
        return left_out(plain, self.calendar, self.spec.roll, own_zone(self.spec), since + TICK, until - TICK)

    def last_calendar_skip(self) -> datetime | None:
        """The last excluded fire time of a rule with an end, if none other follows."""
        end = self.spec.when.at + TICK if isinstance(self.spec.when, At) else self.spec.end_at
        span = None if end is None or self.over() else self.calendar_skip_between(self.accounted(), end)
        return None if span is None else span.last

    def end(self, ended: Sequence[EndedRun]) -> None:
        """Count failures in a row, pause the trigger if they are too many, and fire queued fire times."""
        over = {each.run for each in ended}
        self.pending = tuple(run for run in self.pending if run not in over)
        self.record_last_calendar_skip()
        for each in sorted(ended, key=lambda each: each.at):
            if each.state is RunState.FAILED:
                self.failures += 1
            elif each.state is RunState.SUCCEEDED:
                self.failures = 0
        most = self.spec.pause_after
        if most is not None and self.failures >= most and self.paused is None:
            self.paused = self._gave_up = RecordedPause(
                f"{self.failures} runs in a row have failed", ITSELF, self.inputs.now
            )
        if isinstance(self.spec.when, Delay) and not self.pending and not self.exhausted():
            self.wait_from(max(each.at for each in ended))
        self.release()

    def wait_from(self, instant: datetime) -> None:
        """Start a fixed delay."""
        if isinstance(self.spec.when, Delay):
            due = instant + timedelta(seconds=self.spec.when.delay)
            self.next_due = due if due < (self.spec.end_at or END) else None

    def act_at(self) -> datetime | None:
        if self.paused is not None:
            return None
        if self.next_due is None:
            return self.last_calendar_skip()
        prepared = is_prepared(self.spec) and not self._jobless
        return self.next_due - self.inputs.look_ahead if prepared else self.next_due

    def still_asked(self) -> tuple[datetime, ...]:
        """The skipped fire times that some server's clock may still reach."""
        first = self.inputs.now if self.next_due is None else min(self.inputs.now, self.next_due)
        return tuple(each for each in self.asked if each > first - CLOCKS_APART)

    def move(self) -> TriggerMove:
        trigger = msgspec.structs.replace(
            self.trigger,
            spec=self.spec,
            next_due=self.next_due,
            act_at=self.act_at(),
            pending=self.pending,
            held=self.held,
            asked=self.still_asked() if self.asked else (),
            fired=self.fired,
            failures=self.failures,
            last_fire_at=self.last_fire_at,
            paused=self.paused,
        )
        return TriggerMove(
            trigger=trigger, fires=self.fires, skips=self.skips, cancels=self.cancels, gave_up=self._gave_up
        )


def fire_move(trigger: Trigger, inputs: Inputs) -> TriggerMove:
    """The move of a trigger that is due; raises UnknownError."""
    evaluation = Evaluation(trigger, inputs)
    evaluation.account()
    if is_prepared(trigger.spec):
        evaluation.prepare()
    return evaluation.move()


def follow_move(trigger: Trigger, ended: Sequence[EndedRun], inputs: Inputs) -> TriggerMove:
    """The move of a trigger whose runs have ended; raises UnknownError."""
    evaluation = Evaluation(trigger, inputs)
    evaluation.end(ended)
    return evaluation.move()
