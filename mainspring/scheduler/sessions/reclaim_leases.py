"""Lapsed leases: the session dies first, then its attempts are settled as lost, each by its token."""

import asyncio
import logging
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.ids import SessionId, id_text
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.run import Failure
from mainspring.errors import StoreUnavailableError, UnavailableError
from mainspring.scheduler.facts import Facts, LeasesReclaimed
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.reclaim_leases")

BATCH = 1000
LOST = Failure(
    error="executor_lost",
    message="the executor stopped renewing its lease while the run was under way",
    code="executor_lost",
)


class ReclaimLeases:
    """Reclaims the attempts of dead sessions."""

    name = "reclaim_leases"

    def __init__(
        self, store: Store, settings: SchedulerSettings, clock: Clock, settling: SettleAttempts, facts: Facts
    ) -> None:
        self.wake = asyncio.Event()
        # Well below the pause that makes a tick look late, however short the lease is.
        self.period = min(1.0, settings.lease / 4)
        self._store = store
        self._settings = settings
        self._clock = clock
        self._settling = settling
        self._steady_since: float | None = None
        self._last_tick = clock.monotonic()
        self._facts = facts

    async def tick(self) -> bool:
        try:
            return await self._reclaim()
        except StoreUnavailableError:
            self._steady_since = None
            raise

    async def _reclaim(self) -> bool:
        now = self._clock.now()
        # While the store was away or this server stood still nobody could renew here; the end of that must not look like
        # the death of every executor.
        before = now - timedelta(seconds=self._settings.grace) if self._steady() else now - timedelta(days=3650)
        dead = await self._store.cluster.expire(before=before, now=now)
        for session in dead:
            await self._settle_alone(session)
        if dead:
            self._facts.publish(LeasesReclaimed())
            await self._store.cluster.mark_reclaimed()
        return False

    def _steady(self) -> bool:
        """Whether this server and the store have been working without a pause for a whole lease."""
        tick = self._clock.monotonic()
        paused = tick - self._last_tick > self._settings.lease / 2
        self._last_tick = tick
        if self._steady_since is None or paused:
            self._steady_since = tick
        return tick - self._steady_since >= self._settings.lease

    async def _settle_alone(self, session: SessionId) -> None:
        """Reclaim one session's attempts; its errors do not stop the others."""
        try:
            await self._settle_lost(session)
        except UnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 it is named, and tried again
            self._store.aside.pass_over("sessions", id_text(session), error, self._clock.now())

    async def _settle_lost(self, session: SessionId) -> None:
        count = 0
        ever = self._clock.now() + timedelta(days=1)
        while held := await self._store.runs.held_by(session, claimed_before=ever, limit=BATCH):
            lost = [Ended(run=one.run, token=one.token, outcome=Outcome.LOST, failure=LOST) for one in held]
            # Another server may have been at the same ones.
            count += len(lost) - len(await self._settling.settle(lost))
        if count:
            log.warning("reclaimed %d attempts of a lost executor session", count)
