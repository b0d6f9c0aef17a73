"""Lines in which a duty looks for due runs: what wakes it before its period is over."""

from collections.abc import Iterable
from datetime import datetime

from mainspring.clock import Clock
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts, HintReceived, Listening, RunsQueued, RunsScheduled


class LineWatch:
    """Wakes a duty for runs of its lines; while it has none, publishers do not pass here."""

    def __init__(self, duty: Duty, clock: Clock, facts: Facts) -> None:
        self.lines: frozenset[int] = frozenset()
        self._duty = duty
        self._clock = clock
        self._queued = Listening(facts, lambda fact: self.look(fact.lines), RunsQueued)
        self._scheduled = Listening(facts, lambda fact: self._due(fact.due_at), RunsScheduled)
        facts.subscribe(HintReceived, lambda hint: self.look(hint.lines or self.lines))

    def watch(self, lines: frozenset[int]) -> None:
        """These are the duty's lines from now on."""
        self.lines = lines
        self._queued.switch(bool(lines))
        self._scheduled.switch(bool(lines))

    def look(self, lines: Iterable[int]) -> None:
        """There may be due runs in these lines."""
        if not self.lines.isdisjoint(lines):
            self._duty.wake.set()

    def _due(self, instant: datetime) -> None:
        # A later one is found by the tick before it, which sets the period by the next due run.
        if (instant - self._clock.now()).total_seconds() < self._duty.period:
            self._duty.wake.set()
