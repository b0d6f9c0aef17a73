"""A trigger and what its moves came to, without a store: rows and ledgers as lists."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import msgspec

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import Job, JobSpec
from mainspring.domain.runs.birth import line_of
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.evaluate import fire_move, follow_move
from mainspring.domain.triggers.fire_times.build_timer import excluding, timer_of
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.inputs import Inputs
from mainspring.domain.triggers.revise import edited, made, next_skipped, paused, removed, resumed
from mainspring.domain.triggers.spec import AnyRule, Cron, TriggerSpec
from mainspring.domain.triggers.trigger import EndedRun, RecordedPause, TriggerMove, has_prepared, turned_back

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
MINUTELY = Cron(expressions=("* * * * *",))
LOOK_AHEAD = timedelta(seconds=30)
REPORT = Job(
    id=1, namespace="default", spec=JobSpec(name="report", handler="report"), version=1, code=None, updated_at=NOON
)


def at(text: str) -> datetime:
    """A time of the first day, or with a date in front, of any other."""
    return datetime.fromisoformat(text if "T" in text else f"2030-01-01T{text}").replace(tzinfo=UTC)


class Story:
    """What happens to one trigger, told step by step."""

    def __init__(
        self, when: AnyRule = MINUTELY, *, now: datetime = NOON, days: Calendar | None = None, **said: Any
    ) -> None:
        self.now = now
        self.days = days
        self.jobless = False
        self.fires: dict[datetime, NewRun] = {}
        self.skips: list[Span] = []
        self.skipped: list[tuple[datetime, SkipReason]] = []
        """Each instant of each span, by the rule that was in force."""
        self.cancels: list[RunId] = []
        self._ids = (RunId(number.to_bytes(16, "big")) for number in count(1))
        spec = TriggerSpec(name="nightly", job="report", when=when, **said)
        self.trigger = msgspec.structs.replace(made("default", spec, self.inputs()).trigger, id=1)

    def inputs(self) -> Inputs:
        return Inputs(
            now=self.now,
            look_ahead=LOOK_AHEAD,
            ids=self._ids,
            jobs={} if self.jobless else {("default", "report"): REPORT},
            lines={line_of(REPORT, None): 1},
            calendars={} if self.days is None else {("default", "work"): self.days},
        )

    @property
    def spec(self) -> TriggerSpec:
        return self.trigger.spec

    def apply(self, move: TriggerMove) -> TriggerMove:
        """Make a move true, as the store does."""
        for instant, run in move.fires:
            assert instant not in self.fires, f"{instant} is fired twice"
            self.fires[instant] = run
        timer = excluding(timer_of(self.trigger.spec, created_at=self.trigger.created_at), self.trigger.asked)
        for span in move.skips:
            self.skips.append(span)
            found: datetime | None = span.first
            while found is not None and found <= span.last:
                self.skipped.append((found, span.reason))
                found = timer.next(found)
        self.cancels += move.cancels
        self.trigger = move.trigger
        return move

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def fire(self) -> None:
        """Move it as long as its time has come."""
        while self.trigger.act_at is not None and self.trigger.act_at <= self.now:
            self.apply(fire_move(self.trigger, self.inputs()))

    def until(self, text: str, *, step: float = 1.0) -> None:
        """Let time pass, moving the trigger whenever its time has come."""
        while self.now < at(text):
            self.pass_by(step)
            self.fire()

    def ended(self, *states: RunState | None) -> None:
        """Its oldest pending runs are over."""
        runs = self.trigger.pending[: len(states)]
        ended = [EndedRun(run, state, self.now) for run, state in zip(runs, states, strict=True)]
        self.apply(follow_move(self.trigger, ended, self.inputs()))

    def withdraw(self) -> None:
        """What the store does before people's changes."""
        if not has_prepared(self.trigger, self.now):
            return
        ahead = [instant for instant in self.fires if instant > self.now]
        runs = [self.fires.pop(instant).id for instant in ahead]
        last = max(self.fires, default=None)
        self.trigger = turned_back(self.trigger, ahead, runs=runs, last=last, now=self.now)

    def pause(self) -> None:
        self.withdraw()
        self.apply(paused(self.trigger, RecordedPause("maintenance", "anna", self.now), self.inputs()))

    def resume(self) -> None:
        self.withdraw()
        self.apply(resumed(self.trigger, self.inputs()))

    def edit(self, **said: Any) -> None:
        self.withdraw()
        self.apply(edited(self.trigger, msgspec.structs.replace(self.spec, **said), self.inputs()))

    def skip_next(self) -> datetime:
        self.withdraw()
        move, instant = next_skipped(self.trigger, self.inputs())
        self.apply(move)
        return instant

    def delete(self) -> None:
        self.withdraw()
        self.apply(removed(self.trigger, self.inputs()))

    def turn_to(self, days: Calendar) -> None:
        """Its calendar becomes another one; the store has it looked at again unless it is paused."""
        self.days = days
        if self.trigger.paused is None:
            self.trigger = msgspec.structs.replace(self.trigger, act_at=self.now)
            self.withdraw()

    def fired(self) -> list[str]:
        return [clock(instant) for instant in sorted(self.fires)]

    def left_out(self) -> list[str]:
        return [f"{clock(instant)} {reason.value}" for instant, reason in sorted(self.skipped)]


def clock(instant: datetime) -> str:
    return f"{instant:%H:%M:%S}" if instant.second else f"{instant:%H:%M}"


def clocks(instants: Sequence[datetime]) -> list[str]:
    return [clock(each) for each in instants]
