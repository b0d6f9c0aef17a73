"""How SLOs stand, read from roll-ups now and then."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from mainspring.domain.alerts.findings import Place
from mainspring.domain.queues.rollup import Resolution, Rollup
from mainspring.domain.slos.budget import BudgetState, standing_of
from mainspring.domain.slos.slo import Indicator, Slo
from mainspring.domain.slos.trigger_events import standing_of_trigger
from mainspring.scheduler.catalog import Catalog
from mainspring.store.interface import Store

KEPT = timedelta(seconds=30)
SHORT = timedelta(hours=6)


class SloStandings:
    """Each is read at most every half a minute."""

    def __init__(self, store: Store, catalog: Catalog) -> None:
        self._store, self._catalog = store, catalog
        self._known: dict[Place, tuple[datetime, int, BudgetState]] = {}

    async def of(self, slos: Sequence[Slo], now: datetime) -> dict[Place, BudgetState]:
        """By namespace and name; those whose job does not exist are left out."""
        places = {(one.namespace, one.name): one for one in slos}
        self._known = {place: known for place, known in self._known.items() if place in places}
        for place, slo in places.items():
            known = self._known.get(place)
            is_old = known is None or now - known[0] >= KEPT or known[1] != slo.version
            if is_old and (found := await self.read(slo, now)) is not None:
                self._known[place] = now, slo.version, found
        return {place: known[2] for place, known in self._known.items()}

    async def read(self, slo: Slo, now: datetime) -> BudgetState | None:
        if slo.spec.trigger:
            return await self._of_trigger(slo, now)
        job = self._catalog.jobs.get((slo.namespace, slo.spec.job))
        if job is None:
            return None
        minutes = await self._rollups(slo, job.id, Resolution.MINUTE, now - SHORT, now)
        # A success before the window may still be young enough within it.
        older = timedelta(seconds=slo.spec.within or 0.0) if slo.spec.indicator is Indicator.FRESH else timedelta()
        since = now - timedelta(days=slo.spec.window_days) - older
        hours = await self._rollups(slo, job.id, Resolution.HOUR, since, now)
        return standing_of(slo.spec, minutes, hours, now)

    async def _of_trigger(self, slo: Slo, now: datetime) -> BudgetState | None:
        """None if no fire of the trigger is known."""
        place, since = (slo.namespace, slo.spec.trigger), now - timedelta(days=slo.spec.window_days)
        fired = await self._store.findings.fired(*place, since=since, until=now)
        skipped = await self._store.findings.skipped(*place, since=since)
        if not fired and not skipped:
            return None
        counts = slo.spec.indicator is Indicator.FIRED
        runs = [] if counts else await self._store.runs.many(slo.namespace, [run for _, run in fired])
        return standing_of_trigger(slo.spec, [at for at, _ in fired], skipped, runs, now)

    async def _rollups(self, slo: Slo, job: int, step: Resolution, since: datetime, now: datetime) -> list[Rollup]:
        lines = [number for number, line in self._catalog.lines.items() if line.namespace == slo.namespace]
        return await self._store.queues.rollups(step, lines=lines, since=since, until=now, job=job)
