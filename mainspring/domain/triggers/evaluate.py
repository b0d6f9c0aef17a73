"""Moves of a trigger: which instants are fired, which wait for a run to end, and which are skipped.

All rules are pure. A move accounts for instants in their order, and `next_due` is the first that it leaves: what is decided
again from the same row is decided alike, and what was decided is never looked at again.
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
from mainspring.domain.triggers.trigger import Ended, Move, Pause, Trigger
from mainspring.domain.years import END

AHEAD_MAX = 200
"""Fires that one move prepares; more come with the next one."""
REACH = 1.5
"""How far a move prepares, in look-aheads: a trigger that fires every second is then moved twice a minute only."""
CLOCKS_APART = timedelta(hours=1)
"""Further than the clocks of servers will ever differ."""
ITSELF = "mainspring"
"""By whose word a trigger stands still that nobody has paused."""


class Evaluation:
    """A move under way."""

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
        self._gave_up: Pause | None = None
        self._jobless = False

    @property
    def timer(self) -> Timer:
        """Of a fixed delay only the instant is known that comes next."""
        if type(self.spec.when) is Delay:
            return NO_FIRE_TIMES if self.next_due is None else Once(self.next_due)
        timer = timer_of(self.spec, created_at=self.trigger.created_at, calendar=self.calendar)
        return excluding(timer, self.asked)

    def exhausted(self) -> bool:
        return self.spec.fires_max is not None and self.fired + len(self.held) >= self.spec.fires_max

    def account(self) -> None:
        """Find a place for every instant that has come."""
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
        """An instant has come that is wanted."""
        if self.exhausted():
            return
        if self.spec.overlap is not Overlap.ALLOW and (self.pending or self.held):
            self.queue_or_skip(instant)
        elif not self.fire(instant):
            self.skip(instant, SkipReason.JOB_GONE)
        if self.exhausted():
            self.next_due = None

    def fire(self, instant: datetime) -> bool:
        run = self.inputs.new_run(self.trigger, instant, instant + lateness(self.trigger, instant))
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
        """The run before has not ended."""
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
        """Fire what has waited, once nothing is in its way. What is dropped leaves room for an instant to come."""
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
        """Make runs for instants to come. Whether a job is missing then is not known yet."""
        horizon = self.inputs.now + REACH * self.inputs.look_ahead
        timer = self.timer
        while self.next_due is not None and self.next_due <= horizon and len(self.fires) < AHEAD_MAX:
            self.record_calendar_skip(self.next_due)
            if not self.fire(self.next_due):
                self._jobless = True
                return
            self.next_due = None if self.exhausted() else timer.next(self.next_due)

    def follow_calendar(self) -> None:
        """If its calendar has changed, the instant that comes next may be another one, and one that had ended may go on."""
        if self.next_due is None:
            if self.trigger.act_at is not None and not self.over():
                self.next_due = self.timer.next(self.accounted())
        elif self.trigger.act_at not in (self.next_due, self.next_due - self.inputs.look_ahead):
            self.next_due = self.timer.next(min(self.next_due - TICK, self.accounted()))
        self.record_last_calendar_skip()

    def over(self) -> bool:
        """Whether nothing is to come whatever its calendar says. What happens once, and did, does not happen again."""
        return self.exhausted() or (isinstance(self.spec.when, At) and self.fired > 0)

    def accounted(self) -> datetime:
        """Up to when every instant has its place if none is known to come."""
        return max(self.inputs.now, self.last_fire_at or self.inputs.now)

    def record_calendar_skip(self, until: datetime) -> None:
        """Record the days that the calendar leaves out between the instant before and this one."""
        settled = self.next_due is None and self.trigger.act_at is None and self.trigger.paused is None
        span = None if settled else self.calendar_skip_before(until)
        if span is not None and span not in self.skips:
            self.skips.append(span)

    def record_last_calendar_skip(self) -> None:
        """Record what the calendar leaves out and nothing comes behind, once the last of it has come."""
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
        """What the calendar leaves out between two instants."""
        if self.calendar is None:
            return None
        plain = bounded(plain_timer(self.spec, self.trigger.created_at), self.spec)
        return left_out(plain, self.calendar, self.spec.roll, own_zone(self.spec), since + TICK, until - TICK)

    def last_calendar_skip(self) -> datetime | None:
        """Of a rule that has an end and under its calendar nothing to come: the last that is left out until then."""
        end = self.spec.when.at + TICK if isinstance(self.spec.when, At) else self.spec.end_at
        span = None if end is None or self.over() else self.calendar_skip_between(self.accounted(), end)
        return None if span is None else span.last

    def end(self, ended: Sequence[Ended]) -> None:
        """Runs are over: count those that failed in a row, and go on."""
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
            self.paused = self._gave_up = Pause(f"{self.failures} runs in a row have failed", ITSELF, self.inputs.now)
        if isinstance(self.spec.when, Delay) and not self.pending and not self.exhausted():
            self.wait_from(max(each.at for each in ended))
        self.release()

    def wait_from(self, instant: datetime) -> None:
        """A fixed delay begins."""
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
        """Without those that lie well behind now and behind what is accounted for: nobody's clock names them again."""
        first = self.inputs.now if self.next_due is None else min(self.inputs.now, self.next_due)
        return tuple(each for each in self.asked if each > first - CLOCKS_APART)

    def move(self) -> Move:
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
        return Move(trigger=trigger, fires=self.fires, skips=self.skips, cancels=self.cancels, gave_up=self._gave_up)


def fire_move(trigger: Trigger, inputs: Inputs) -> Move:
    """Of a trigger whose time to move has come."""
    evaluation = Evaluation(trigger, inputs)
    evaluation.account()
    if is_prepared(trigger.spec):
        evaluation.prepare()
    return evaluation.move()


def follow_move(trigger: Trigger, ended: Sequence[Ended], inputs: Inputs) -> Move:
    """Of a trigger of whose runs some have ended."""
    evaluation = Evaluation(trigger, inputs)
    evaluation.end(ended)
    return evaluation.move()
