"""Ends of steps move their workflow runs: at once with the outcome, or by what was noted."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.attempt import Claim, Successes
from mainspring.domain.workflows.move import Advanced
from mainspring.errors import UnavailableError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import (
    Facts,
    FlowsEnded,
    FlowsMoved,
    HintReceived,
    Listening,
    RunsChanged,
    RunsSettled,
    RunsStarted,
)
from mainspring.scheduler.workflows.advancing import Advancing
from mainspring.scheduler.workflows.flow_memory import FlowMemory, KnownSteps, Place
from mainspring.scheduler.workflows.mover import Mover
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.workflows")

BATCH = 500
PART = 500
"""Successes of steps that are settled in one transaction, about."""


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
        self._bundle_from = settings.bundle_from
        self.steps = KnownSteps()
        self.memory = FlowMemory()
        self._store = store
        self._catalog = catalog
        self._advancing = advancing
        self._unfinished: dict[RunId, None] = {}
        """Workflow runs with maps whose items did not all fit one transaction."""
        self._ends = Listening(facts, self._settled, RunsSettled)
        facts.subscribe(RunsStarted, lambda started: self._started(started.claim) if started.claim.extras else None)
        facts.subscribe(FlowsMoved, self._moved)
        # A workflow run that ends may be the step of another one.
        facts.subscribe(FlowsEnded, lambda ended: self.memory.forget(move.live.run for move in ended.moves))
        for kind in (RunsChanged, HintReceived, FlowsEnded):
            facts.subscribe(kind, lambda _: self.wake.set() if catalog.has_workflows else None)

    def _started(self, claim: Claim) -> None:
        self.steps.started(claim)
        self._ends.switch(bool(self.steps.places))

    def _settled(self, settled: RunsSettled) -> None:
        if self.steps.ended(settled.runs):
            self.wake.set()
        self._ends.switch(bool(self.steps.places))

    def _moved(self, moved: FlowsMoved) -> None:
        self.memory.remember(moved.moves)
        more = [move.live.run for move in moved.moves if move.more]
        if more:
            self._unfinished.update(dict.fromkeys(more))
            self.wake.set()

    async def succeed(self, places: Sequence[Place], successes: Successes) -> int:
        """Settle successes of steps and advance their workflow runs; how many matched.

        Many are settled in parts, side by side: while the database writes one, the next is decided.
        """
        parts = parts_of(places)
        if len(parts) == 1:
            return await self._succeed_part(places, successes)
        ends = await asyncio.gather(
            *(self._succeed_part([places[at] for at in part], successes.picked(part)) for part in parts),
            return_exceptions=True,
        )
        if errors := [end for end in ends if isinstance(end, BaseException)]:
            # All parts are over by now. Those that were written are known by their tokens when the whole is tried again.
            raise errors[0]
        return sum(end for end in ends if isinstance(end, int))

    async def _succeed_part(self, places: Sequence[Place], successes: Successes) -> int:
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
            mover.births.expect(len(places))
            hops = self.memory.hops(places, successes, mover)
            if hops.moves:
                mover.place([begin.run for one in hops.moves for begin in one.begun])
                # While the commit is under way there is time for that.
                asyncio.get_running_loop().call_soon(mover.prepare)
                bundled = 0 < self._bundle_from <= len(hops.places)
                if not await self._store.workflows.hop(
                    hops.places, hops.successes, hops.moves, now=now, bundled=bundled
                ):
                    self.memory.forget(one.live.run for one in hops.moves)
                    raise OutdatedError
                self.steps.begun(
                    (begin.run.id, (one.live.run, one.live.graph.steps[begin.step].name))
                    for one in hops.moves
                    for begin in one.begun
                    if begin.run.token is not None
                )
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


def parts_of(places: Sequence[Place]) -> list[list[int]]:
    """Positions in parts of about the same size; those of one workflow run are in one part."""
    parts: dict[int, list[int]] = {}
    of: dict[RunId, int] = {}
    for at, (workflow, _) in enumerate(places):
        parts.setdefault(of.setdefault(workflow, at // PART), []).append(at)
    return list(parts.values())
