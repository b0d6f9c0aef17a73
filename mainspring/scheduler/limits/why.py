"""Why a run is not running, and why a trigger has not fired: from the rules that dispatch itself follows."""

from datetime import timedelta

import msgspec

from mainspring.clock import Clock
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.limits.explain import AHEAD_MAX, LinePlace, own_reasons, reasons
from mainspring.domain.limits.explain_gates import gate_obstacles, parked_obstacle
from mainspring.domain.limits.explain_lanes import lane_obstacle
from mainspring.domain.limits.explain_resources import booked_resources, full_pools
from mainspring.domain.limits.explain_trigger import trigger_reasons
from mainspring.domain.limits.lanes import Lane, LaneRule, lane_of
from mainspring.domain.limits.obstacles import Obstacle, obstacles
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.rollup import Resolution
from mainspring.domain.routing.resources import needs_of
from mainspring.domain.runs.run import Run, RunState, WaitReason
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.waits.explain import awaited
from mainspring.errors import NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.limits.why_flow import WhyFlow
from mainspring.scheduler.operations.queues import first_of
from mainspring.scheduler.operations.suspension import SuspensionOperations
from mainspring.scheduler.operations.trigger_queries import TriggerQueries
from mainspring.store.interface import PresenceFilter, Store
from mainspring.store.interface.lanes import LanePlace

PAST = timedelta(days=1)
INSTANTS_MAX = 1_000
"""How far back, and among how many fire times, the last skip of a trigger is looked for."""
HOLDERS = 5
"""Runs that are named as those that hold a limit."""
EXECUTORS_MAX, HELD_MAX = 20, 2_000
"""Executors, and attempts of theirs, whose bookings are added up."""
LATELY = 5
"""Minutes from which the rate of a line is taken."""


class Why:
    """Reads only, and a bounded part of the waiting runs."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        catalog: Catalog,
        suspending: SuspensionOperations,
        triggers: TriggerQueries,
    ) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._suspending = suspending
        self._triggers = triggers
        self._flow = WhyFlow(store, catalog, self.run)

    async def run(self, namespace: str, identifier: RunId, depth: int = 0) -> tuple[Run, list[Obstacle]]:
        """The run with its reasons, the weightiest first; raises NotFoundError.

        `depth` counts the workflow runs on the way to it.
        """
        run = await self._store.runs.get(namespace, identifier)
        if run is None:
            raise NotFoundError("run", id_text(identifier))
        [stored] = await self._suspending.explained([run])
        now = self._clock.now()
        if stored.state is RunState.WAITING and stored.reason == WaitReason.LIMIT:
            return stored, await self._in_lane(stored)
        if stored.state is RunState.WAITING and stored.reason == WaitReason.BREAKER:
            return stored, await self._parked(stored)
        if stored.state is RunState.WAITING and stored.reason in (WaitReason.SLEEP, WaitReason.EVENT):
            return stored, await self._awaiting(stored)
        if stored.state is RunState.WAITING and stored.reason in (WaitReason.STEPS, WaitReason.STOPPING):
            return stored, await self._flow.run(stored, depth) or list(own_reasons(stored, now))
        place = await self._place(run) if run.state is RunState.QUEUED else None
        line = None if place is None else self._catalog.lines.get(place.line)
        limits = [] if line is None else [*await self._limits(line), *await self._booked(line), *await self._full(line)]
        found = reasons(stored, line, self._catalog.line_facts, place, now, limits=limits)
        first = next((one.reason for one in found if one.reason is not None), None)
        if first is not None and stored.state is RunState.QUEUED and stored.due_at <= now:
            stored = msgspec.structs.replace(stored, state=RunState.WAITING, reason=first.value)
        return stored, found

    async def _in_lane(self, run: Run) -> list[Obstacle]:
        """Why a run waits in its lane: what keeps its whole line from being started, then what the lane says."""
        place = await self._store.lanes.place(run.id, limit=AHEAD_MAX)
        line = None if place is None else self._catalog.lines.get(place.line)
        rule = None if line is None else self._catalog.lane_rule_of(line)
        if place is None or line is None or rule is None or run.input is None:
            return list(own_reasons(run, self._clock.now()))
        found = [*obstacles(line, self._catalog.line_facts), *await self._limits(line)]
        # The limit of an executor is booked as well, wherever the lane says more of it.
        booked = [one for one in await self._booked(line) if not rule.executor or one.code != "executor_limit"]
        found += [*booked, *await self._full(line)]
        return [*found, await self._lane_obstacle(rule, lane_of(rule, run.input), place)]

    async def _lane_obstacle(self, rule: LaneRule, lane: Lane, place: LanePlace) -> Obstacle:
        states = await self._store.lanes.states(rule.gate.id, limit=1, lane=place.lane)
        own = states[0].at_once if states else None
        return lane_obstacle(
            rule,
            lane,
            at_once=rule.gate.at_once if own is None else own,
            held=states[0].held if states else 0,
            ahead=place.ahead,
            holders=await self._store.lanes.holders(place.lane, limit=HOLDERS),
        )

    async def _parked(self, run: Run) -> list[Obstacle]:
        """Why a run waits for a breaker that its handler found open."""
        parking = await self._store.breakers.parking(run.id)
        breaker = None if parking is None else self._catalog.breakers.get((run.namespace, parking.breaker))
        own = list(own_reasons(run, self._clock.now()))
        return own if parking is None else [parked_obstacle(parking, breaker), *own[1:]]

    async def _awaiting(self, run: Run) -> list[Obstacle]:
        """Why the run of a step that waits does, and what ends that."""
        wait = await self._store.waits.awaited(run.id)
        own = list(own_reasons(run, self._clock.now()))
        return own if wait is None else [awaited(own[0], wait), *own[1:]]

    async def _limits(self, line: Line) -> list[Obstacle]:
        """The gates of the line that let nothing pass at present."""
        gates = self._catalog.gates(line)
        if not gates:
            return []
        states = await self._store.limits.gate_states([gate.id for gate in gates], now=self._clock.now())
        through = [number for number, each in self._catalog.lines.items() if gates[0] in self._catalog.gates(each)]
        holders = await self._store.limits.holders(through, limit=HOLDERS) if any(one.full for one in states) else []
        return list(gate_obstacles(gates, states, holders))

    async def _booked(self, line: Line) -> list[Obstacle]:
        """The resource of which no executor has enough left."""
        job = self._catalog.job_of(line)
        if needs_of(job) is None or job is None:
            return []
        sessions = self._catalog.takers(line)[:EXECUTORS_MAX]
        held = await self._store.executors.held([one.id for one in sessions], limit=HELD_MAX) if sessions else []
        found = booked_resources(job, sessions, held, self._catalog.jobs)
        return [] if found is None else [found]

    async def _full(self, line: Line) -> list[Obstacle]:
        """The pool that has no room on any executor that fits."""
        fitting = {one.id for one in self._catalog.takers(line)}
        query = PresenceFilter(namespace=line.namespace, limit=EXECUTORS_MAX)
        there = await self._store.executors.list(query) if 0 < len(fitting) <= EXECUTORS_MAX else []
        found = full_pools(line.handler, [one for one in there if one.session.id in fitting])
        return [] if found is None else [found]

    async def _place(self, run: Run) -> LinePlace | None:
        place = await self._store.limits.place(run.id, now=self._clock.now(), limit=AHEAD_MAX)
        if place is None or place.ahead == 0:
            return place
        return msgspec.structs.replace(place, rate=await self._rate(place.line))

    async def _rate(self, line: int) -> float:
        """Runs of the line that ended in a second, over the last minutes."""
        until = await self._store.queues.rolled_until()
        if until is None:
            return 0.0
        since = first_of(until, Resolution.MINUTE, LATELY)
        rollups = await self._store.queues.rollups(Resolution.MINUTE, lines=[line], since=since, until=until)
        seconds = max((until - since) / timedelta(seconds=1), 1.0)
        return sum(rollup.runs for rollup in rollups) / seconds

    async def trigger(self, namespace: str, name: str) -> tuple[Trigger, list[Obstacle]]:
        """The trigger with its reasons; raises NotFoundError."""
        trigger, now = await self._triggers.get(namespace, name), self._clock.now()
        past = await self._triggers.instants(namespace, name, since=now - PAST, until=now, limit=INSTANTS_MAX)
        return trigger, trigger_reasons(trigger, past, now)
