"""Due runs of routed jobs get their executor, and those whose executor is gone get another one."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from msgspec.structs import replace

from mainspring.clock import Clock
from mainspring.domain.ids import SessionId
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.lanes import key_of
from mainspring.domain.queues.line import ADDRESS_ANY, Line
from mainspring.domain.routing.canary import OTHERS, VERSION, Canary, CanaryTurns
from mainspring.domain.routing.choose import EVEN, Draw, RouteState
from mainspring.domain.routing.fit import is_unrouted, serves
from mainspring.domain.routing.order import weight_of
from mainspring.domain.routing.route import OnAbsent, Route, Strategy
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.full_executors import FullExecutors
from mainspring.scheduler.facts import CatalogChanged, Facts, HintReceived, RunsQueued, RunsScheduled, RunsSettled
from mainspring.scheduler.hints import ExchangeHints
from mainspring.store.interface import Store

BATCH = 1_000


class RouteRuns:
    """Every server routes; runs that another one routes at the moment are passed over."""

    name = "route_runs"

    def __init__(
        self,
        store: Store,
        clock: Clock,
        catalog: Catalog,
        hints: ExchangeHints,
        queued: Callable[[Iterable[int]], None],
        facts: Facts,
        *,
        poll: float,
        draw: Draw,
    ) -> None:
        self.wake = asyncio.Event()
        self.period = poll
        self._poll = poll
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self._queued_in = queued
        self._facts = facts
        self._draw = draw
        self._states: dict[int, RouteState] = {}
        """By job."""
        self._canaries: dict[int, CanaryTurns] = {}
        self._absent: dict[int, float] = {}
        """Since when the executor of an addressed line is away, on the monotonic clock."""
        self._full = FullExecutors(store, clock)
        self._met: dict[SessionId, datetime] = {}
        """When this server first saw an executor."""
        self._lines: frozenset[int] = frozenset()
        """Lines in which runs stand that have no executor yet."""
        facts.wake(self.wake, CatalogChanged)
        facts.subscribe(RunsQueued, lambda queued: self._queued(queued.lines))
        facts.subscribe(HintReceived, lambda hint: self._queued(hint.lines or self._lines))
        facts.subscribe(RunsScheduled, lambda scheduled: self._due(scheduled.due_at))

    def _queued(self, lines: Iterable[int]) -> None:
        if not self._lines.isdisjoint(lines):
            self.wake.set()

    def _due(self, instant: datetime) -> None:
        if self._lines and (instant - self._clock.now()).total_seconds() < self.period:
            self.wake.set()

    async def tick(self) -> bool:
        routed = {
            number: (line, job)
            for number, line in self._catalog.lines.items()
            if (job := self._catalog.job_of(line)) is not None and (line.address or is_unrouted(line, job))
        }
        self._lines = frozenset(number for number, (line, _) in routed.items() if line.address == ADDRESS_ANY)
        again = False
        for number in sorted(self._lines):
            again |= await self._route(number, *routed[number])
        leaving = {
            number: one for number, one in routed.items() if one[0].address and one[1].spec.policy.route.leaves_full
        }
        await self._full.look(sorted({line.namespace for line, _ in leaving.values()}))
        for number, (line, job) in routed.items():
            if line.address != ADDRESS_ANY:
                await self._watch(number, line, job)
        for number, (line, job) in leaving.items():
            await self._leave(number, line, job)
        there = {one.id for one in self._catalog.sessions}
        self._met = {session: at for session, at in self._met.items() if session in there}
        self._absent = {number: since for number, since in self._absent.items() if number in routed}
        self.period = self._poll if again else await self._until_next()
        return again

    async def _route(self, number: int, line: Line, job: Job) -> bool:
        """Give due runs of a line their executors; True if there may be more."""
        route = job.spec.policy.route
        if job.spec.policy.canary is not None:
            return await self._split(number, line, job.id, job.spec.policy.canary)
        names = sorted({one.executor for one in self._catalog.takers(line)})
        wanted = [*names, *(name for name in route.executors if name not in names)]
        addressed = {name: replace(line, address=name) for name in wanted}
        await self._catalog.make_lines(addressed.values())
        numbers = {name: self._catalog.numbers[each] for name, each in addressed.items()}
        state = self._states.setdefault(job.id, RouteState(self._draw))

        weights = self._weights(line)

        def assign(_job: int, arguments: bytes) -> int | None:
            chosen = state.choose(route, names, key_of(route.key, arguments) if route.key else "", weights)
            return None if chosen is None else numbers[chosen]

        moved = await self._store.lanes.route([number], assign, now=self._clock.now(), limit=BATCH)
        self._tell(moved)
        return sum(moved.values()) == BATCH

    async def _split(self, number: int, line: Line, job: int, canary: Canary) -> bool:
        """Give due runs of a line to the canary version or to the others; True if there may be more."""
        addresses = (f"{VERSION}{canary.version}", f"{OTHERS}{canary.version}")
        lines = {address: replace(line, address=address) for address in addresses}
        await self._catalog.make_lines(lines.values())
        absent, alone = (not self._catalog.takers(one) for one in lines.values())
        if absent and alone:
            return False
        turns = self._canaries.setdefault(job, CanaryTurns())

        def assign(_job: int, _arguments: bytes) -> int:
            return self._catalog.numbers[lines[turns.next(canary, alone=alone, absent=absent)]]

        moved = await self._store.lanes.route([number], assign, now=self._clock.now(), limit=BATCH)
        self._tell(moved)
        return sum(moved.values()) == BATCH

    def _weights(self, line: Line) -> Mapping[str, float]:
        """Of executors that have weights of their own; one that this server has just met warms up."""
        now = self._clock.now()
        takers = self._catalog.takers(line)
        for one in takers:
            self._met.setdefault(one.id, now)
        found = {one.executor: weight_of(one, self._met[one.id], now) for one in takers}
        return found if any(weight != 1.0 for weight in found.values()) else EVEN

    async def _leave(self, number: int, line: Line, job: Job) -> None:
        """Give due runs of an executor that stays full to others with free slots, or fail them, by the job's policy."""
        route = job.spec.policy.route
        pools = {one.executor: one.abilities.handlers[line.handler] for one in self._catalog.takers(lobby_of(line))}
        own = pools.get(line.address)
        if own is None or self._full.full_for((line.namespace, line.address, own)) < max(route.patience, 0.001):
            return
        if route.on_absent is OnAbsent.FAIL:
            await self._fail(number)
            return
        left = {name: self._full.free((line.namespace, name, pool)) for name, pool in pools.items()}
        left = {name: room for name, room in left.items() if room and may_go(route, name)}
        lines = {name: replace(line, address=name) for name in left}
        await self._catalog.make_lines(lines.values())
        state = self._states.setdefault(job.id, RouteState(self._draw))

        def assign(_job: int, arguments: bytes) -> int | None:
            names = sorted(name for name, room in left.items() if room)
            chosen = state.choose(route, names, key_of(route.key, arguments) if route.key else "") if names else None
            if chosen is None or chosen not in left:
                return None
            left[chosen] -= 1
            return self._catalog.numbers[lines[chosen]]

        if left:
            self._tell(await self._store.lanes.route([number], assign, now=self._clock.now(), limit=BATCH))

    def _tell(self, moved: Mapping[int, int]) -> None:
        if moved:
            self._queued_in(moved)
            self._hints.add(moved)

    async def _fail(self, number: int) -> None:
        failed = await self._store.lanes.fail_line(number, now=self._clock.now(), limit=BATCH)
        if failed:
            self._facts.publish(RunsSettled(failed))

    async def _watch(self, number: int, line: Line, job: Job) -> None:
        """Give the runs of an executor that stays away to another one, or fail them, by the job's policy."""
        there = any(serves(one, line) for one in self._catalog.sessions)
        if there or job.spec.policy.route.absent is OnAbsent.WAIT or is_named(line, job):
            self._absent.pop(number, None)
            return
        now = self._clock.monotonic()
        if now - self._absent.setdefault(number, now) < job.spec.policy.route.patience:
            return
        if job.spec.policy.route.absent is OnAbsent.FAIL:
            await self._fail(number)
            return
        lobby = lobby_of(line)
        await self._catalog.make_lines([lobby])
        to = self._catalog.numbers[lobby]
        await self._store.lanes.unaddress(number, to, limit=BATCH)
        self.wake.set()

    async def _until_next(self) -> float:
        if not self._lines:
            return self._poll
        due = await self._store.runs.next_due(sorted(self._lines), after=self._clock.now())
        if due is None:
            return self._poll
        return max(0.0, min(self._poll, (due - self._clock.now()).total_seconds()))


def lobby_of(line: Line) -> Line:
    """The line in which the runs stand that have no executor yet."""
    return replace(line, address=ADDRESS_ANY)


def is_named(line: Line, job: Job) -> bool:
    """Whether runs named their executor themselves: they wait for it, since their job has no policy for that."""
    route = job.spec.policy.route
    # The children of a broadcast are for one executor each by its route, which also says what becomes of them.
    routed = route.addressed or route.strategy is Strategy.BROADCAST
    return not routed and not line.address.startswith((VERSION, OTHERS))


def may_go(route: Route, executor: str) -> bool:
    """Whether a route lets a run go to an executor at all."""
    return not route.executors or executor in route.executors
