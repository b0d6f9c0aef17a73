"""Ends of steps move their workflow runs: at once with the outcome, or by what was noted."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.workflows.move import Advanced
from mainspring.errors import UnavailableError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import (
    Facts,
    FlowsEnded,
    FlowsMoved,
    HintReceived,
    RunsChanged,
    RunsSettled,
    RunsStarted,
)
from mainspring.scheduler.workflows.advancing import Advancing
from mainspring.scheduler.workflows.flow_memory import FlowMemory
from mainspring.scheduler.workflows.known_steps import KnownSteps, Place
from mainspring.scheduler.workflows.mover import Mover
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.workflows")

BATCH = 500


class OutdatedError(Exception):
    """A workflow run is not as it was remembered, and nothing was written."""


class AdvanceWorkflows:
    """Takes up notes. Any server may do it, and all may at once: flows are locked in the order of their ids."""

    name = "advance_workflows"

    def __init__(
        self, store: Store, settings: SchedulerSettings, catalog: Catalog, advancing: Advancing, facts: Facts
    ) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self.steps = KnownSteps()
        self.memory = FlowMemory()
        self._store = store
        self._catalog = catalog
        self._advancing = advancing
        self._unfinished: dict[RunId, None] = {}
        """Workflow runs with maps whose items did not all fit one transaction."""
        facts.subscribe(
            RunsStarted, lambda started: self.steps.started(started.claim) if started.claim.extras else None
        )
        facts.subscribe(RunsSettled, self._settled)
        facts.subscribe(FlowsMoved, self._moved)
        # A workflow run that ends may be the step of another one.
        facts.subscribe(FlowsEnded, lambda ended: self.memory.forget(move.live.run for move in ended.moves))
        facts.wake(self.wake, RunsChanged, HintReceived, FlowsEnded)

    def _settled(self, settled: RunsSettled) -> None:
        if self.steps.ended(settled.runs):
            self.wake.set()

    def _moved(self, moved: FlowsMoved) -> None:
        self.memory.remember(moved.moves)
        more = [move.live.run for move in moved.moves if move.more]
        if more:
            self._unfinished.update(dict.fromkeys(more))
            self.wake.set()

    async def succeed(self, places: Sequence[Place], successes: Successes) -> int:
        """Settle successes of steps and advance their workflow runs, in one transaction; how many matched."""
        hopped = await self._hop(places, successes)
        left = [at for at in range(len(places)) if at not in hopped] if hopped else range(len(places))
        known = 0
        if left:
            rest = successes.picked(left) if hopped else successes
            known = await self._succeed([places[at] for at in left], rest)
        self.steps.ended(successes.runs)
        return len(hopped) + known

    async def _succeed(self, places: Sequence[Place], successes: Successes) -> int:
        async def act(mover: Mover, now: datetime) -> Advanced:
            return await self._store.workflows.succeed(places, successes, mover, now=now)

        return (await self._advancing.run(act)).known

    async def _hop(self, places: Sequence[Place], successes: Successes) -> set[int]:
        """Move workflow runs that are remembered as they are, by one statement; the positions of their successes."""
        positions: set[int] = set()

        async def act(mover: Mover, now: datetime) -> Advanced:
            mover.expect(len(places))
            hops = self.memory.hops(places, successes, mover)
            if hops.moves:
                mover.place([begin.run for one in hops.moves for begin in one.begun])
                if not await self._store.workflows.hop(hops.places, hops.successes, hops.moves, now=now):
                    self.memory.forget(one.live.run for one in hops.moves)
                    raise OutdatedError
            positions.update(hops.positions)
            return Advanced(hops.moves)

        try:
            await self._advancing.run(act)
        except OutdatedError:
            return set()
        return positions

    async def tick(self) -> bool:
        if not self._catalog.has_workflows:
            return False
        unfinished = list(self._unfinished)[:BATCH]
        flows = [*await self._store.workflows.noted(limit=BATCH), *unfinished]
        if not flows:
            return False
        for run in unfinished:
            self._unfinished.pop(run, None)
        try:
            await self._advance(flows, look=bool(unfinished))
        except UnavailableError:
            self._unfinished.update(dict.fromkeys(unfinished))
            raise
        except Exception:  # one of them must not hold up the others
            log.exception("workflow runs could not be moved together; each is tried alone")
            await self._one_by_one(flows)
        return True

    async def _one_by_one(self, flows: Sequence[RunId]) -> None:
        for flow in dict.fromkeys(flows):
            try:
                await self._advance([flow], look=True)
            except UnavailableError:
                raise
            except Exception:
                log.exception("workflow run %s could not be moved", id_text(flow))

    async def _advance(self, flows: Sequence[RunId], *, look: bool) -> None:
        async def act(mover: Mover, now: datetime) -> Advanced:
            return await self._store.workflows.advance(flows, mover, now=now, look=look)

        await self._advancing.run(act)
