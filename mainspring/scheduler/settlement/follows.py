"""The work that decisions about attempts leave to other duties."""

from collections.abc import Iterator
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Decision, Held
from mainspring.scheduler.facts import LONG_AGO, DeadlineSet, Fact, ResumeSet, RunsChanged, RunsScheduled


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
