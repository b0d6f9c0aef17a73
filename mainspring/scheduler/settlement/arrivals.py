"""Arrivals of outcomes: the instants from which the waits count that they ask for."""

from datetime import datetime, timedelta

from mainspring.clock import Clock
from mainspring.scheduler.facts import Facts, ServersSeen


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
