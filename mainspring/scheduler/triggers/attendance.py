"""Whether a server is there when instants come: prepared fires count only if one was."""

import asyncio
import logging
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.triggers.fire_times.misfires import LATE
from mainspring.domain.triggers.trigger import CLOCKS_APART
from mainspring.scheduler.facts import AttendanceLapsed, Facts
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.attend_instants")

PERIOD = 5.0
FRESH = LATE / 2
"""For so long a server knows that no instant was missed that it has not heard of."""
BATCH = 500
RACES = 10


class AttendInstants:
    """Writes down that a server is there. One that comes after a lapse first takes back what was made ahead of the instants
    that passed in it, so that each is fired or skipped by its trigger's misfire policy like those of which no run was made."""

    name = "attend_instants"

    def __init__(self, store: Store, clock: Clock, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = PERIOD
        self._store = store
        self._clock = clock
        self._attended: datetime | None = None
        self._looking = asyncio.Lock()
        self._facts = facts

    @property
    def is_sure(self) -> bool:
        """Whether queued runs may be started: no server has to decide about them first."""
        return self._attended is not None and self._clock.now() - self._attended < FRESH

    async def be_sure(self) -> None:
        """Every duty that starts runs or accounts for instants asks for this first: the rest of a lapse is decided once."""
        if not self.is_sure:
            async with self._looking:
                while not self.is_sure:
                    await self._look()

    async def tick(self) -> bool:
        # One at a time: two would make up for the same lapse, and report it twice.
        async with self._looking:
            await self._look()
        return False

    async def _look(self) -> None:
        for _ in range(RACES):
            now = self._clock.now()
            before = await self._store.triggers.attended()
            if before is not None and now <= before < now + CLOCKS_APART:
                # A server whose clock is ahead was there: to go back behind that would look like a lapse to it.
                self._attended = now
                break
            lapsed = before is not None and now - before > LATE
            if before is not None and lapsed:
                await self._make_up(before, now)
            # One that loses against another server after a lapse looks again: that one may have looked before this one did.
            if await self._store.triggers.attend(before=before, now=now) or not lapsed:
                self._attended = now
                if lapsed:
                    self._facts.publish(AttendanceLapsed())
                break

    async def _make_up(self, since: datetime, now: datetime) -> None:
        log.info(
            "no server was there from %s to %s: misfire policies decide about the instants that passed", since, now
        )
        after: int | None = 0
        while after is not None:
            after = await self._store.triggers.recall(since=since, now=now, after=after, limit=BATCH)
