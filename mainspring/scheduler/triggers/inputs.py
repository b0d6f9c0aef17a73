"""The inputs of evaluations, from the caches of this server."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from mainspring.clock import Clock
from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.ids import Ids, RunId
from mainspring.domain.triggers.inputs import Inputs, UnknownError
from mainspring.scheduler.catalog import Catalog
from mainspring.telemetry.switch import Tracing

IDS_MAX = 256
TRUST = 1.0
"""Seconds after a refresh for which a job or a calendar that is missing from the caches does not exist."""


class CalendarSource(Protocol):
    """The calendars of all namespaces, as last read."""

    @property
    def known(self) -> Mapping[tuple[str, str], Calendar]:
        """By namespace and name."""

    def of(self, namespace: str, name: str) -> Calendar | None:
        """None if the cache has no such calendar."""

    async def refresh(self) -> None:
        """Read the calendars that have changed."""


class TriggerInputs:
    """Hands out the caches as values, and refreshes them when an evaluation finds them too old."""

    def __init__(
        self, catalog: Catalog, calendars: CalendarSource, clock: Clock, ids: Ids, *, look_ahead: float
    ) -> None:
        self._catalog = catalog
        self._clock = clock
        self._ids = ids
        self._look_ahead = timedelta(seconds=look_ahead)
        self._calendars = calendars
        self._complete_until = 0.0

    def at(self, now: datetime) -> Inputs:
        return Inputs(
            now=now,
            look_ahead=self._look_ahead,
            ids=self._fresh(now),
            jobs=self._catalog.jobs,
            lines=self._catalog.numbers,
            calendars=self._calendars.known,
            complete=self._clock.monotonic() < self._complete_until,
            traced=Tracing.share_end if Tracing.is_on else b"",
        )

    def _fresh(self, now: datetime) -> Iterator[RunId]:
        """Ids in growing order, drawn in batches of growing size."""
        size = 1
        while True:
            yield from self._ids.runs(size, now)
            size = min(2 * size, IDS_MAX)

    async def learn(self, lacks: Sequence[UnknownError]) -> None:
        """Create the lines and refresh the caches for want of which evaluations failed."""
        if lines := {lack.line for lack in lacks if lack.line is not None}:
            await self._catalog.make_lines(lines)
        if any(lack.line is None for lack in lacks):
            await self._catalog.refresh()
            await self._calendars.refresh()
            self._complete_until = self._clock.monotonic() + TRUST
