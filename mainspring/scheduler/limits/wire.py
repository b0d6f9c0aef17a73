"""The parts of a server that decide whether, how many and in which order runs start."""

from collections.abc import Callable, Iterable

from mainspring.clock import Clock
from mainspring.domain.routing.choose import Draw
from mainspring.scheduler.breakers.operations import BreakerOperations
from mainspring.scheduler.breakers.release_parked import ReleaseParked
from mainspring.scheduler.breakers.tell_executors import TellExecutors
from mainspring.scheduler.breakers.try_rules import TryRules
from mainspring.scheduler.breakers.turn_breakers import TurnBreakers
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.route_runs import RouteRuns
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.limits.age_lanes import AgeLanes
from mainspring.scheduler.limits.blackouts import KeepBlackouts
from mainspring.scheduler.limits.canaries import WatchCanaries
from mainspring.scheduler.limits.keep_gates import KeepGates
from mainspring.scheduler.limits.own_lines import MoveToOwnLines
from mainspring.scheduler.limits.pauses import PauseOperations
from mainspring.scheduler.limits.rules import LimitOperations
from mainspring.scheduler.limits.sort_lanes import SortLanes
from mainspring.scheduler.limits.why import Why
from mainspring.scheduler.operations.jobs import JobOperations
from mainspring.scheduler.operations.runs import RunOperations
from mainspring.scheduler.operations.suspension import SuspensionOperations
from mainspring.scheduler.operations.trigger_queries import TriggerQueries
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.store.interface import Store


class Limiting:
    """The operations that routes call, and the duties beside dispatch."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        catalog: Catalog,
        hints: ExchangeHints,
        jobs: JobOperations,
        suspending: SuspensionOperations,
        triggers: TriggerQueries,
        steering: RunOperations,
        woken: Callable[[Iterable[int]], None],
        gateway: Gateway,
        facts: Facts,
        *,
        poll: float,
        draw: Draw,
    ) -> None:
        self.pauses = PauseOperations(store, clock, catalog, hints)
        self.blackouts = KeepBlackouts(clock, catalog, self.pauses, facts)
        self.why = Why(store, clock, catalog, suspending, triggers)
        self.own_lines = MoveToOwnLines(store, catalog, facts)
        self.rules = LimitOperations(store, clock, catalog, hints)
        self.gates = KeepGates(store, clock, catalog, hints, facts)
        self.sorting = SortLanes(store, clock, catalog, hints, steering, woken, facts, poll=poll)
        self.ageing = AgeLanes(store, clock, catalog, hints, woken)
        self.canaries = WatchCanaries(store, clock, catalog, jobs)
        self.breakers = BreakerOperations(store, clock, catalog, hints)
        self.try_rule = TryRules(store, clock, catalog)
        self.turning = TurnBreakers(store, clock, catalog, hints, facts, jitter=draw)
        self.telling = TellExecutors(clock, catalog, gateway.attached, facts)
        self.releasing = ReleaseParked(store, clock, catalog, facts, poll=poll)
        gateway.receiving.calls = self.turning.hearing

        def queued(lines: Iterable[int]) -> None:
            woken(lines)
            self.sorting.wake.set()

        self.routing = RouteRuns(store, clock, catalog, hints, queued, facts, poll=poll, draw=draw)

    @property
    def duties(self) -> list[Duty]:
        lanes: list[Duty] = [self.sorting, self.ageing]
        breakers: list[Duty] = [self.turning, self.releasing]
        return [self.blackouts, self.own_lines, self.gates, self.routing, self.canaries, *lanes, *breakers]
