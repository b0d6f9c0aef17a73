"""Runs as people see them, with their true states, and while they change."""

from collections.abc import Sequence
from itertools import islice

import msgspec

from mainspring.clock import Clock
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.log import LogEntry
from mainspring.domain.runs.run import Attempt, Run, RunState
from mainspring.domain.runs.suspension import SET_ASIDE
from mainspring.errors import NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.insights.run_waiters import Watch
from mainspring.scheduler.operations.suspension import SuspensionOperations
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import RunFilter, RunMatches, Store


class RunQueries:
    """The reading half of a server's engine."""

    catalog: Catalog
    suspending: SuspensionOperations
    _store: Store
    _settings: SchedulerSettings
    _clock: Clock
    _watch: Watch
    _draining: bool

    async def get(self, namespace: str, run: RunId) -> Run:
        found = await self._store.runs.get(namespace, run)
        if found is None:
            raise NotFoundError("run", id_text(run))
        shown = self.catalog.explained(found)
        if shown.reason in SET_ASIDE:
            [shown] = await self.suspending.explained([shown])
        return shown

    async def wait(self, namespace: str, run: RunId, *, seconds: float) -> Run:
        event = self._watch.enter(run)
        deadline = self._clock.monotonic() + seconds
        try:
            while True:
                found = await self.get(namespace, run)
                left = deadline - self._clock.monotonic()
                if found.state.final or left <= 0:
                    return found
                await self._clock.wait(event, min(left, self._settings.poll))
                event.clear()
        finally:
            self._watch.leave(run, event)

    async def follow(self, namespace: str, run: RunId, seen: Run | None, *, seconds: float) -> Run | None:
        event = self._watch.enter(run)
        deadline = self._clock.monotonic() + seconds
        try:
            while True:
                found = await self.get(namespace, run)
                left = deadline - self._clock.monotonic()
                if seen is None or looks(found) != looks(seen):
                    return found
                if left <= 0 or self._draining:
                    return None
                await self._clock.wait(event, min(left, self._settings.poll))
                event.clear()
        finally:
            self._watch.leave(run, event)

    async def attempts(self, namespace: str, run: RunId) -> list[Attempt]:
        await self.get(namespace, run)
        return await self._store.runs.attempts(run)

    async def logs(self, namespace: str, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]:
        await self.get(namespace, run)
        return await self._store.runs.logs(run, after=after, limit=limit)

    async def last_of(self, namespace: str, jobs: Sequence[str], *, limit: int) -> Sequence[Sequence[Run]]:
        """The last runs of each job."""
        found = await self._store.runs.last_of(namespace, jobs, limit=limit)
        explained = iter(await self._explained([run for runs in found for run in runs]))
        return [list(islice(explained, len(runs))) for runs in found]

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: RunFilter) -> RunMatches:
        if RunState.QUEUED in query.states or RunState.WAITING in query.states:
            query = msgspec.structs.replace(query, parked=self.catalog.parked(query.namespace))
        page = await self._store.runs.list(query)
        return RunMatches(list(await self._explained(page.runs)), page.next)

    async def _explained(self, runs: Sequence[Run]) -> Sequence[Run]:
        return await self.suspending.explained([self.catalog.explained(run) for run in runs])


def looks(run: Run) -> tuple[object, ...]:
    """A run as its follower sees it."""
    return run.state, run.reason, run.attempt, run.progress
