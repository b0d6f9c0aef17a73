"""Due runs of routed jobs get their executor, and those whose executor is gone get another one."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from mainspring.clock import Clock
from mainspring.domain.cluster.session import Session
from mainspring.domain.ids import SessionId
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.lanes import key_of
from mainspring.domain.queues.line import ADDRESS_ANY, Line
from mainspring.domain.routing.canary import OTHERS, VERSION, Canary, CanaryTurns, refuses, waits_for_others
from mainspring.domain.routing.choose import EVEN, Draw, RouteState, most_free
from mainspring.domain.routing.fit import is_unrouted, serves
from mainspring.domain.routing.order import weight_of
from mainspring.domain.routing.own_route import addressed_to, executor_of, lobby_of, own_route, route_of
from mainspring.domain.routing.route import OnAbsent, Route, Strategy
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.full_executors import FullExecutors, Place
from mainspring.scheduler.facts import CatalogChanged, Facts, RunsSettled
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.line_watch import LineWatch
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
        """By the line of the runs that are yet to be given their executors."""
        self._canaries: dict[int, CanaryTurns] = {}
        self._absent: dict[int, float] = {}
        """Since when the executor of an addressed line is away, on the monotonic clock."""
        self._full = FullExecutors(store, clock)
        self._met: dict[SessionId, datetime] = {}
        """When this server first saw an executor."""
        self._watched = LineWatch(self, clock, facts)
        """Lines in which runs stand that have no executor yet."""
        facts.wake(self.wake, CatalogChanged)

    async def tick(self) -> bool:
        routed = {number: (line, job) for number, line, job in self._routed()}
        unrouted = frozenset(number for number, (line, job) in routed.items() if is_unrouted(line, job))
        self._watched.watch(unrouted)
        given = {number: one for number, one in routed.items() if number not in unrouted}
        leaving = {number: one for number, one in given.items() if route_of(*one).leaves_full}
        looked_at = [*leaving.values(), *(routed[number] for number in unrouted if by_load(*routed[number]))]
        await self._full.look(sorted({line.namespace for line, _ in looked_at}))
        again = False
        for number in sorted(self._watched.lines):
            again |= await self._route(number, *routed[number])
        for number, (line, job) in given.items():
            await self._watch(number, line, job)
        for number, (line, job) in leaving.items():
            await self._leave(number, line, job)
        there = {one.id for one in self._catalog.sessions}
        self._met = {session: at for session, at in self._met.items() if session in there}
        self._absent = {number: since for number, since in self._absent.items() if number in routed}
        self.period = self._poll if again else await self._until_next()
        return again

    def _routed(self) -> Iterator[tuple[int, Line, Job | None]]:
        """Lines whose runs have executors, or are yet to be given them, by their job's route or their own."""
        for number, line in self._catalog.lines.items():
            job = self._catalog.job_of(line)
            by_job = job is not None and (line.address or is_unrouted(line, job))
            if by_job or own_route(line.address) is not None:
                yield number, line, job

    async def _route(self, number: int, line: Line, job: Job | None) -> bool:
        """Give due runs of a line their executors; True if there may be more."""
        route = route_of(line, job)
        canary = None if job is None else job.spec.policy.canary
        if job is not None and canary is not None and (line.address == ADDRESS_ANY or refuses(line.address, canary)):
            return await self._split(number, line, job.id, canary)
        takers = self._catalog.takers(replace(line, address=ADDRESS_ANY))
        names = sorted({one.executor for one in takers})
        wanted = [*names, *(name for name in route.executors if name not in names)]
        addressed = {name: addressed_to(line, name) for name in wanted}
        await self._catalog.make_lines(addressed.values())
        numbers = {name: self._catalog.numbers[each] for name, each in addressed.items()}
        state = self._states.setdefault(number, RouteState(self._draw))
        weights = self._weights(takers)
        left = {one.executor: self._full.free(place_of(one, line)) for one in takers} if by_load(line, job) else {}

        def assign(_job: int, arguments: bytes) -> int | None:
            key = key_of(route.key, arguments) if route.key else ""
            chosen = most_free(left) if left else state.choose(route, names, key, weights)
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
        if absent and alone and not canary.stopped:
            return False
        turns = self._canaries.setdefault(job, CanaryTurns())

        def assign(_job: int, _arguments: bytes) -> int:
            return self._catalog.numbers[lines[turns.next(canary, alone=alone, absent=absent)]]

        moved = await self._store.lanes.route([number], assign, now=self._clock.now(), limit=BATCH)
        self._tell(moved)
        return sum(moved.values()) == BATCH

    def _weights(self, takers: Sequence[Session]) -> Mapping[str, float]:
        """Of executors that have weights of their own; one that this server has just met warms up."""
        now = self._clock.now()
        for one in takers:
            self._met.setdefault(one.id, now)
        found = {one.executor: weight_of(one, self._met[one.id], now) for one in takers}
        return found if any(weight != 1.0 for weight in found.values()) else EVEN

    async def _leave(self, number: int, line: Line, job: Job | None) -> None:
        """Give due runs of an executor that stays full to others with free slots, or fail them, by their route."""
        route, lobby = route_of(line, job), lobby_of(line)
        takers = self._catalog.takers(replace(line, address=ADDRESS_ANY))
        places = {one.executor: place_of(one, line) for one in takers}
        own = places.get(executor_of(line))
        if own is None or self._full.full_for(own) < max(route.patience, 0.001):
            return
        if route.on_absent is OnAbsent.FAIL:
            await self._fail(number)
            return
        left = {name: self._full.free(place) for name, place in places.items()}
        left = {name: room for name, room in left.items() if room and may_go(route, name)}
        lines = {name: addressed_to(line, name) for name in left}
        await self._catalog.make_lines([lobby, *lines.values()])
        state = self._states.setdefault(self._catalog.numbers[lobby], RouteState(self._draw))

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

    async def _watch(self, number: int, line: Line, job: Job | None) -> None:
        """Give the runs of an executor that stays away to another one, or fail them, by their route."""
        route = route_of(line, job)
        there = any(serves(one, line) for one in self._catalog.sessions)
        if there or route.absent is OnAbsent.WAIT or is_named(line, job):
            self._absent.pop(number, None)
            return
        now = self._clock.monotonic()
        if now - self._absent.setdefault(number, now) < route.patience:
            return
        if route.absent is OnAbsent.FAIL:
            await self._fail(number)
            return
        lobby = lobby_of(line)
        await self._catalog.make_lines([lobby])
        to = self._catalog.numbers[lobby]
        await self._store.lanes.unaddress(number, to, limit=BATCH)
        self.wake.set()

    async def _until_next(self) -> float:
        if not self._watched.lines:
            return self._poll
        due = await self._store.runs.next_due(sorted(self._watched.lines), after=self._clock.now())
        if due is None:
            return self._poll
        return max(0.0, min(self._poll, (due - self._clock.now()).total_seconds()))


def by_load(line: Line, job: Job | None) -> bool:
    """Whether runs that are yet to be given their executors go to those with the most free slots."""
    return route_of(line, job).strategy is Strategy.LEAST_LOADED


def place_of(session: Session, line: Line) -> Place:
    """Where an executor would run the runs of a line."""
    return session.namespace, session.executor, session.abilities.handlers[line.handler]


def is_named(line: Line, job: Job | None) -> bool:
    """Whether runs named their executor themselves: they wait for it, since their job has no policy for that."""
    if own_route(line.address) is not None:
        return False
    if job is not None and waits_for_others(line.address, job.spec.policy.canary):
        return True
    route = route_of(line, job)
    # The children of a broadcast are for one executor each by its route, which also says what becomes of them.
    routed = route.addressed or route.strategy is Strategy.BROADCAST
    return not routed and not line.address.startswith((VERSION, OTHERS))


def may_go(route: Route, executor: str) -> bool:
    """Whether a route lets a run go to an executor at all."""
    return not route.executors or executor in route.executors
