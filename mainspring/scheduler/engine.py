"""One server's engine: its duties, and the operations of its API."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.token import UNBOUND, Grant
from mainspring.domain.cluster.server import Place
from mainspring.domain.ids import Ids, id_text
from mainspring.domain.runs.birth import Accepted, RunRequest
from mainspring.domain.runs.run import NewRun
from mainspring.errors import DrainingError, OverBudgetError, UnavailableError
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.alerts.cluster_faults import OwnFaults
from mainspring.scheduler.alerts.send_notices import Sender
from mainspring.scheduler.alerts.wire import Alerting
from mainspring.scheduler.bulk.dead_letters import DeadLetterOperations
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.cluster.examine import Examine
from mainspring.scheduler.cluster.join_cluster import Follow
from mainspring.scheduler.cluster.wire import Membership
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.dispatch.unbundle_runs import UnbundleRuns
from mainspring.scheduler.duty import Duty, Health, run_duties, until
from mainspring.scheduler.facts import Facts, RunsChanged, RunsRefused, RunsSettled
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.insights.follow_logs import FollowLogs
from mainspring.scheduler.insights.metrics.collect import Metrics
from mainspring.scheduler.insights.metrics.executor_loads import ExecutorLoads
from mainspring.scheduler.insights.metrics.timed_store import StoreTimes
from mainspring.scheduler.insights.observation import Observation
from mainspring.scheduler.insights.run_waiters import Watch
from mainspring.scheduler.insights.trace_fires import TraceFires
from mainspring.scheduler.intake.accept_runs import AcceptRuns
from mainspring.scheduler.intake.build_runs import Validate
from mainspring.scheduler.interface import Readiness
from mainspring.scheduler.limits.wire import Limiting
from mainspring.scheduler.operations.calendars import CalendarOperations
from mainspring.scheduler.operations.executors import ExecutorOperations
from mainspring.scheduler.operations.jobs import JobOperations
from mainspring.scheduler.operations.run_queries import RunQueries
from mainspring.scheduler.operations.runs import RunOperations
from mainspring.scheduler.operations.suspension import SuspensionOperations
from mainspring.scheduler.sessions.link import ExecutorLink
from mainspring.scheduler.sessions.wire import Sessions
from mainspring.scheduler.settlement.due_runs import ExpireRuns, ResumeRuns
from mainspring.scheduler.settlement.forget_payloads import ForgetPayloads
from mainspring.scheduler.settlement.prune_history import PruneHistory
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.scheduler.triggers.calls import Called
from mainspring.scheduler.triggers.timing import Timing
from mainspring.scheduler.workflows.wire import WorkflowParts
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.scheduler")

DRAIN = 5.0
LEARN_EVERY = 0.5
"""Seconds between tries to learn what a server has to know."""
STARTING = "starting"
"""Seconds that commits under way get when the server stops."""


class Scheduler(RunQueries):
    """Everything a server does between its API and its store."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        ids: Ids,
        *,
        follow: Follow = lambda _: None,
        vault: Vault | None = None,
        place: Place | None = None,
        courier: Sender | None = None,
        own_faults: OwnFaults = lambda _: (),
    ) -> None:
        self.server, self.facts = ids.server(), Facts()
        named = msgspec.structs.replace(settings, name=settings.name or id_text(self.server)[:8])
        self._clock, self._ids, self._settings, facts = clock, ids, named, self.facts
        self._health, times = Health(), StoreTimes(clock)
        self._store = store = times.watch(store)
        self._watch, self._draining, self._started = Watch(facts, RunsSettled, RunsChanged), False, False
        self.access, self.attending = AccessCache(store, named, clock, ids, facts), AttendInstants(store, clock, facts)
        self.catalog = Catalog(store, clock, facts, period=settings.poll)
        self.hints = ExchangeHints(store, clock, self.server, facts, enabled=settings.hints)
        self.metrics = Metrics(store, clock, self.catalog, self._health, times, self.hints, facts, settings)
        self.observation = Observation(store, named, clock, self.server, self.catalog, self.hints, facts)
        self.queues, self.events = self.observation.queues, self.observation.changes
        self.settling = SettleAttempts(store, clock, self.catalog, facts, settings.settle_batch, ids.fraction)
        self.sessions = Sessions(store, named, clock, self.server, self.catalog, self.settling, self.access, facts)
        self.gateway, self.undoing = self.sessions.gateway, UnbundleRuns(store, clock)
        self.dispatch = DispatchRuns(store, named, clock, ids, self.catalog, self.gateway, self.attending, facts)
        self.dispatch.handing_over.follow(self.settling)
        self.accepting = AcceptRuns(store, clock, ids, self.catalog, self.dispatch, facts, batch=settings.accept_batch)
        self.expiring, self.resuming = ExpireRuns(store, named, clock, facts), ResumeRuns(store, named, clock, facts)
        self.membership = Membership(store, named, clock, place or Place(), self.sessions, self.hints, follow, facts)
        self.joining, self.servers = self.membership.joining, self.membership.servers
        self.pruning, self.forgetting = PruneHistory(store, named, clock), ForgetPayloads(store)
        self._validate = Validate(store, self.catalog, ids)
        self.jobs = JobOperations(store, clock, self.catalog, self.hints)
        self.executors = ExecutorOperations(store, clock, self.catalog, self.hints, self.membership.resizing)
        self.steering = RunOperations(store, clock, self.catalog, self.hints, self.sessions.relaying, facts)
        self.suspending = SuspensionOperations(store, clock, self.hints, self.sessions.relaying, facts)
        self.dead = DeadLetterOperations(store, clock, ids, self.catalog, self.steering)
        self.calendars = CalendarOperations(store, named, clock, self.hints, facts)
        parts = self.catalog, self.calendars, self.jobs, self.accept, self.attending, self.steering
        self.timing = Timing(store, named, clock, ids, *parts, self.observation.spotting.publish, facts)
        self.triggers, self.applying, self.backfills, self.forecasts = self.timing.services
        places = self.catalog, self._validate, self.observation, self.dispatch, self.hints, self.sessions.relaying
        self.workflows = WorkflowParts(store, named, clock, ids, *places, self.settling, facts, self.accept)
        limited = self.jobs, self.suspending, self.triggers, self.steering, self.dispatch.woken, self.gateway, facts
        self.limits = Limiting(store, clock, self.catalog, self.hints, *limited, poll=settings.poll, draw=ids.fraction)
        self.called, self.alerting = self._outside(vault or Vault(), courier, own_faults)

    def _outside(self, vault: Vault, courier: Sender | None, own_faults: OwnFaults) -> tuple[Called, Alerting]:
        """The parts that are called from outside, and that call others there."""
        store, settings, clock, ids = self._store, self._settings, self._clock, self._ids
        self.examining = Examine(store, clock, vault, settings.lease)
        self.joining.fare = self.metrics.vitals.read
        self.logbook = FollowLogs(store, settings, clock, self._watch, self.facts)
        self.queues.calendars = self.jobs.calendars = self.calendars.names
        self.dead.working.flows = self.workflows.sweeps
        for part in (self.queues, self.jobs, self.limits.rules, self.limits.breakers):
            part.refuse_older = self.sessions.known.refuse_older
        self.limits.blackouts.follow(self.calendars)
        called = Called(store, clock, ids, self.catalog, self._validate, self._take, vault, self.workflows.waits)
        watched = self.server, self.catalog, vault, self.facts, self.calendars.known.get, lambda: self._health.reason
        alerting = Alerting(store, settings, clock, ids, *watched, courier=courier, own_faults=own_faults)
        TraceFires(clock, self.catalog, self.facts)
        self.metrics.include(alerting.sending.series)
        if settings.metrics_executors:
            self.metrics.include(ExecutorLoads(clock, self.gateway.attached, self.metrics.caps).series)
        return called, alerting

    @property
    def duties(self) -> list[Duty]:
        return [
            self.accepting,
            self.attending,
            self.dispatch,
            self.dispatch.holding,
            self.settling,
            self.undoing,
            *self.workflows.duties,
            *self.sessions.duties,
            self.expiring,
            self.resuming,
            self.dead.working,
            self.calendars,
            *self.timing.duties,
            *self.limits.duties,
            *self.called.duties,
            self.catalog,
            self.access,
            self.hints,
            *self.membership.duties,
            self.pruning,
            self.forgetting,
            *self.observation.duties,
            *self.metrics.duties,
            *self.alerting.duties,
        ]

    async def run(self, stop: asyncio.Event) -> None:
        """Work until stop is set, then drain: refuse new runs, send executors elsewhere, finish begun work."""
        if not await self._learn_when_reachable(stop):
            return
        self.begin()
        log.info("server %s is ready", self._settings.name)
        over = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(run_duties(self.duties, self._clock, self._health, over, self._ids.fraction))
            await stop.wait()
            await self._drain()
            over.set()
        with suppress(UnavailableError):
            # What cannot be said now is found out when its lease ends.
            await self._store.cluster.leave(self.server)

    async def _learn_when_reachable(self, stop: asyncio.Event) -> bool:
        """Load the catalog, however often the store goes away; False if the server is stopped before."""
        while not stop.is_set():
            try:
                await self._learn()
            except UnavailableError as error:
                self._health.ill(STARTING, str(error))
                await self._clock.wait(stop, LEARN_EVERY)
            else:
                self._health.well(STARTING)
                return True
        return False

    async def _learn(self) -> None:
        await self._store.cluster.prepare_history(now=self._clock.now(), days=1)
        await self.catalog.tick()
        await self.access.tick()
        await self.calendars.tick()
        # Before the first run is claimed: a blackout may have begun.
        await self.limits.blackouts.tick()

    def begin(self) -> None:
        """From now on executors may connect."""
        self._started = True

    async def _drain(self) -> None:
        self._draining = True
        self.events.close()
        self.gateway.leave()
        parts = (self.accepting, self.settling, self.dispatch.holding)
        await until(lambda: all(part.idle for part in parts), self._clock, seconds=DRAIN)

    def readiness(self) -> Readiness:
        reason = self._health.reason
        if self._draining:
            reason = "the server is draining"
        elif not self._started:
            reason = "the server is starting"
        elif self.membership.unready:
            reason = self.membership.unready
        attached, durability = len(self.gateway.attached), self.membership.durability.found or ""
        return Readiness(ready=not reason, reason=reason, executors=attached, durability=durability)

    async def accept(self, namespace: str, requests: list[RunRequest]) -> list[Accepted]:
        self._check_open()
        if not requests:
            return []
        now = self._clock.now()
        if any((namespace, request.job) not in self.catalog.jobs for request in requests):
            # It may have been registered through another server a moment ago.
            await self.catalog.refresh()
        try:
            runs = await self._validate.runs(namespace, requests, now)
        except OverBudgetError as error:
            self.facts.publish(RunsRefused(namespace, len(requests), error.code))
            raise
        return await self._take(namespace, runs)

    def _check_open(self) -> None:
        if self._draining or self.membership.known.is_drained:
            raise DrainingError("the server is draining: ask another one")

    async def _take(self, namespace: str, runs: list[NewRun]) -> list[Accepted]:
        self._check_open()
        if self.observation.budgets.any:
            return await self._accept_within_budgets(namespace, runs)
        return await self.accepting.accept(namespace, runs)

    async def _accept_within_budgets(self, namespace: str, runs: list[NewRun]) -> list[Accepted]:
        budgets = self.observation.budgets
        try:
            try:
                await self.observation.holding.admit(runs)
            except OverBudgetError as full:
                return await self.observation.shedding.accept(namespace, runs, full)
        except OverBudgetError as error:
            self.facts.publish(RunsRefused(namespace, len(runs), error.code))
            raise
        try:
            accepted = await self.accepting.accept(namespace, runs)
        except BaseException:
            budgets.take_back(runs)
            raise
        budgets.take_back([run for run, answer in zip(runs, accepted, strict=True) if answer.existing])
        return accepted

    def pressure(self, namespace: str, requests: Sequence[RunRequest]) -> float | None:
        """How full the fullest queue or namespace is that these runs are for, from 0 to 1; None: there is no budget."""
        budgets, jobs = self.observation.budgets, self.catalog.jobs
        if not budgets.any:
            return None
        known = ((one.queue, jobs.get((namespace, one.job))) for one in requests)
        return budgets.pressure({(namespace, queue or job.spec.queue) for queue, job in known if job is not None})

    async def attach(self, link: ExecutorLink, grant: Grant = UNBOUND) -> None:
        if self._draining or not self._started or self.membership.known.is_drained:
            await self.gateway.turn_away(link, "the server is draining or starting: ask another one")
            return
        await self.gateway.serve(link, grant)
