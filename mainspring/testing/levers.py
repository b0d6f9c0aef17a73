"""What rates and breakers hold back in the test kit: such a run is not waited for, and goes on as the clock is moved."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from mainspring.domain.limits.obstacles import obstacles
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.run import Run, WaitReason
from mainspring.scheduler.engine import Scheduler
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock

WAVE = timedelta(seconds=1)
"""Between two looks at runs that a breaker lets go in waves."""
LOOKS = 50
"""Turns of the loop within which dispatch has come to a lane."""
LANES = 1_000


class Levers:
    """The duties of levers, taken by hand, and when they have something to do next."""

    def __init__(self, scheduler: Scheduler, store: Store, clock: FakeClock) -> None:
        self._scheduler = scheduler
        self._store = store
        self._clock = clock

    @property
    def _now(self) -> datetime:
        return self._clock.now()

    async def follow(self) -> None:
        """Do what the time that has passed makes due."""
        limits = self._scheduler.limits
        await limits.turning.tick()
        while await limits.releasing.tick():
            pass
        while await limits.sorting.tick():
            pass
        if await self._gaps():
            # A run of a key waits in its lane until dispatch has come to it, and nothing but that is seen of it.
            for _ in range(LOOKS):
                await asyncio.sleep(0)

    async def held(self) -> Callable[[Run], bool]:
        """Whether a queued run is held back by a rate that is used up for now, or by a breaker that is being probed."""
        opens = await self._opens()
        catalog = self._scheduler.catalog
        lines = {line for line in catalog.lines.values() if any(gate.id in opens for gate in catalog.gates(line))}

        def is_held(run: Run) -> bool:
            job = catalog.jobs.get((run.namespace, run.job))
            return any(is_of(run, job.spec.handler if job else "", line) for line in lines)

        return is_held

    async def in_lanes(self, waiting: Sequence[Run]) -> list[Run]:
        """Of runs that wait, those in lanes that only wait for their turn: dispatch starts them as others of their key end."""
        spent = await self._opens()
        catalog = self._scheduler.catalog
        going: list[Line] = []
        for line in catalog.lines.values():
            rule = catalog.lane_rule_of(line)
            shut = any(obstacles(line, catalog.line_facts)) or any(gate.id in spent for gate in catalog.gates(line))
            if rule is not None and rule.gate.gap is None and not shut:
                going.append(line)
        return [run for run in waiting if run.reason == WaitReason.LIMIT and any(is_of(run, "", one) for one in going)]

    async def next_acts(self) -> list[datetime | None]:
        """When the next run of a key or of a rate may start, and when a breaker is looked at."""
        catalog, now = self._scheduler.catalog, self._now
        acts: list[datetime | None] = [await self._store.runs.next_due(sorted(catalog.lines), after=now)]
        acts += (await self._opens()).values()
        acts += [one.until for one in catalog.breakers.values() if not one.state.steered]
        acts += [now + gap for gap in await self._gaps()]
        for place in await self._store.breakers.parked():
            breaker = catalog.breakers.get(place)
            acts.append(now + WAVE if breaker is None or not breaker.state.refuses else None)
        return acts

    async def _gaps(self) -> set[timedelta]:
        """The times between two starts of rates with a key by which runs wait."""
        catalog = self._scheduler.catalog
        rules = {rule for line in catalog.lines.values() if (rule := catalog.lane_rule_of(line)) is not None}
        gaps = {rule.gate.id: rule.gate.gap for rule in rules if rule.gate.gap is not None}
        states = {gate: await self._store.lanes.states(gate, limit=LANES) for gate in gaps}
        return {timedelta(microseconds=gap) for gate, gap in gaps.items() if any(one.waiting for one in states[gate])}

    async def _opens(self) -> dict[int, datetime]:
        """The gates whose rate is used up, with the instant of the next start."""
        catalog = self._scheduler.catalog
        rated = {gate.id for line in catalog.lines.values() for gate in catalog.gates(line) if gate.gap is not None}
        states = await self._store.limits.gate_states(sorted(rated), now=self._now) if rated else []
        return {state.id: state.opens_at for state in states if state.opens_at is not None}


def is_of(run: Run, handler: str, line: Line) -> bool:
    """Whether a run stands in a line: in that of its job, or in one that jobs of its handler share."""
    mine = line.job == run.job if line.job else line.handler == handler
    return mine and (line.namespace, line.queue) == (run.namespace, run.queue)
