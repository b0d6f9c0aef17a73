"""One server's engine: its duties, and what its API stands on."""

import asyncio
import logging
from collections.abc import Iterable

import msgspec

from mainspring.clock import Clock
from mainspring.domain.ids import Ids, RunId, id_text
from mainspring.domain.log import LogEntry, Progress
from mainspring.domain.run import Attempt, Run
from mainspring.errors import NotFoundError, UnavailableError
from mainspring.scheduler.accept_runs import AcceptRuns
from mainspring.scheduler.dispatch_runs import DispatchRuns
from mainspring.scheduler.duties import run_duties, until
from mainspring.scheduler.duty import Duty, Health
from mainspring.scheduler.exchange_hints import ExchangeHints
from mainspring.scheduler.gateway import Gateway
from mainspring.scheduler.join_cluster import Follow, JoinCluster
from mainspring.scheduler.keep_telemetry import KeepTelemetry
from mainspring.scheduler.prune_history import PruneHistory
from mainspring.scheduler.reclaim_leases import ReclaimLeases
from mainspring.scheduler.renew_leases import RenewLeases
from mainspring.scheduler.requests import Accepted, Link, Readiness, RunRequest
from mainspring.scheduler.roster import Roster
from mainspring.scheduler.settle_attempts import SettleAttempts
from mainspring.scheduler.validate import Validate
from mainspring.scheduler.watch import Watch
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import RunFilter, Store

log = logging.getLogger("mainspring.scheduler")

DRAIN = 5.0
"""Seconds that commits under way get when the server stops."""


class Scheduler:
    """Everything a server does between its API and its store."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        ids: Ids,
        *,
        follow: Follow = lambda _: None,
    ) -> None:
        self.server = ids.server()
        named = msgspec.structs.replace(settings, name=settings.name or id_text(self.server)[:8])
        self._store = store
        self._settings = named
        self._clock = clock
        self._ids = ids
        self._health = Health()
        self._watch = Watch()
        self._draining = False
        self._started = False
        self.roster = Roster(store, clock, period=settings.poll)
        self.settling = SettleAttempts(store, clock, self.roster, batch=settings.settle_batch, jitter=ids.fraction)
        self.renewing = RenewLeases(store, named, clock)
        self.telemetry = KeepTelemetry(store, clock)
        self.gateway = Gateway(
            store, named, clock, self.server, self.roster, self.settling, self.renewing, self.telemetry
        )
        self.hints = ExchangeHints(store, clock, self.server, enabled=settings.hints)
        self.dispatch = DispatchRuns(store, named, clock, ids, self.roster, self.gateway)
        self.accepting = AcceptRuns(
            store, clock, ids, self.roster, self.dispatch, self.hints, batch=settings.accept_batch
        )
        self.reclaiming = ReclaimLeases(store, named, clock, self.settling)
        self.joining = JoinCluster(store, named, clock, self.server, self.hints, follow)
        self.pruning = PruneHistory(store, named, clock)
        self._validate = Validate(self.roster, ids)
        self._introduce()

    @property
    def duties(self) -> list[Duty]:
        return [
            self.accepting,
            self.dispatch,
            self.settling,
            self.renewing,
            self.reclaiming,
            self.telemetry,
            self.roster,
            self.hints,
            self.joining,
            self.pruning,
        ]

    def _introduce(self) -> None:
        """Who hears of what."""
        self.roster.on_change(self.dispatch.changed)
        self.gateway.on_change(self.dispatch.changed)
        self.gateway.on_free(self.dispatch.freed)
        self.settling.on_settled(self._watch.settled)
        self.settling.on_requeued(self.dispatch.due)
        self.renewing.on_dead(self.gateway.drop)
        self.hints.on_hint(self._hinted)

    def _hinted(self, lines: Iterable[int] | None) -> None:
        known = None if lines is None else [line for line in lines if line in self.roster.lines]
        if lines is None or known != list(lines):
            self.roster.wake.set()
        if known is None:
            self.dispatch.woken_all()
        else:
            self.dispatch.woken(known)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until stop is set, then drain: refuse new runs, send executors elsewhere, finish what was begun."""
        await self._store.history.prepare(now=self._clock.now(), days=1)
        await self.roster.tick()
        self.begin()
        log.info("server %s is ready", self._settings.name)
        over = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(run_duties(self.duties, self._clock, self._health, over, self._ids.fraction))
            await stop.wait()
            await self._drain()
            over.set()
        await self._store.cluster.leave(self.server)

    def begin(self) -> None:
        """From now on executors may connect."""
        self._started = True

    async def _drain(self) -> None:
        self._draining = True
        self.gateway.leave()
        await until(lambda: self.accepting.idle and self.settling.idle, self._clock, seconds=DRAIN)

    def readiness(self) -> Readiness:
        reason = self._health.reason
        if self._draining:
            reason = "the server is draining"
        elif not self._started:
            reason = "the server is starting"
        return Readiness(ready=not reason, reason=reason, executors=len(self.gateway.attached))

    async def accept(self, namespace: str, requests: list[RunRequest]) -> list[Accepted]:
        if self._draining:
            raise UnavailableError("the server is draining: ask another one")
        if not requests:
            return []
        now = self._clock.now()
        if any((namespace, request.job) not in self.roster.jobs for request in requests):
            # It may have been registered through another server a moment ago.
            await self.roster.refresh()
        runs = await self._validate.runs(namespace, requests, now)
        return await self.accepting.accept(namespace, runs)

    async def get(self, namespace: str, run: RunId) -> Run:
        found = await self._store.runs.get(namespace, run)
        if found is None:
            raise NotFoundError("run", id_text(run))
        return self.roster.explained(found)

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

    async def attempts(self, namespace: str, run: RunId) -> list[Attempt]:
        await self.get(namespace, run)
        return await self._store.runs.attempts(run)

    async def logs(self, namespace: str, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]:
        await self.get(namespace, run)
        return await self._store.telemetry.logs(run, after=after, limit=limit)

    async def progress(self, namespace: str, run: RunId) -> Progress | None:
        await self.get(namespace, run)
        return await self._store.telemetry.progress(run)

    async def attach(self, link: Link) -> None:
        if self._draining or not self._started:
            await link.close(4503, "the server is draining or starting: ask another one")
            return
        await self.gateway.serve(link)

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: RunFilter) -> list[Run]:
        return [self.roster.explained(run) for run in await self._store.runs.list(query)]
