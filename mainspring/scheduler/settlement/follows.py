"""The work that decisions about attempts leave to other duties, and the arrivals from which their waits count."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from mainspring.clock import Clock
from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Decision, Held
from mainspring.scheduler.facts import (
    LONG_AGO,
    DeadlineSet,
    Fact,
    Facts,
    ResumeSet,
    RunsChanged,
    RunsScheduled,
    ServersSeen,
)


class Follows:
    """What decisions about attempts ask of other duties."""

    def __init__(self) -> None:
        self.waiting: list[RunId] = []
        """Runs whose handlers wait for runs, events or times."""
        self._dues: list[datetime] = []
        self._deadlines: list[datetime] = []
        self._resumes: list[datetime] = []

    def add(self, held: Held, decision: Decision) -> None:
        if decision.suspension is not None and decision.suspension.resume_at is not None:
            self._resumes.append(decision.suspension.resume_at)
        if decision.waits:
            self.waiting.append(held.run)
        if not decision.state.final:
            self._dues.append(decision.due_at or LONG_AGO)
            if held.deadline_at is not None:
                self._deadlines.append(held.deadline_at)

    def facts(self) -> Iterator[Fact]:
        if self._resumes:
            yield ResumeSet(min(self._resumes))
        if self.waiting:
            yield RunsChanged(self.waiting)
        if self._dues:
            yield RunsScheduled(min(self._dues))
        if self._deadlines:
            yield DeadlineSet(min(self._deadlines))


class Arrivals:
    """Keeps arrivals by the monotonic clock, which no correction of the other one moves: no wait ends early."""

    def __init__(self, clock: Clock, facts: Facts) -> None:
        self._clock = clock
        self._unsure = timedelta()
        facts.subscribe(ServersSeen, self._seen)

    def instant(self, mark: float) -> datetime:
        """The latest instant, by the database's clock, at which the monotonic clock showed that."""
        return self._clock.now() + self._unsure - timedelta(seconds=self._clock.monotonic() - mark)

    def _seen(self, seen: ServersSeen) -> None:
        self._unsure = timedelta(seconds=seen.unsure)
