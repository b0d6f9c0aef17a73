"""Acts on many runs, a piece at a time."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.clock import Clock
from mainspring.domain.bulk.operation import (
    FLOW_CHANGES,
    FlowPreview,
    Sweep,
    SweepAct,
    SweepPiece,
    SweepState,
    after_canaries,
    candidates,
    is_held,
    piece_size,
)
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.dead_letter import parse_fingerprint
from mainspring.domain.runs.run import RunState
from mainspring.errors import UnavailableError
from mainspring.scheduler.bulk.descendants import descend, read_stack, write_stack
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.operations.runs import RunOperations
from mainspring.store.interface import DeadFilter, RunFilter, Store

log = logging.getLogger("mainspring.work_sweeps")

TOGETHER = 20
"""Sweeps that take turns."""
LIVE = tuple(state for state in RunState if not state.final)


class FlowSweeps(Protocol):
    """The part of workflows."""

    async def work(self, sweep: Sweep, piece: SweepPiece) -> bool:
        """Act on the runs of a piece; False if another server has moved the sweep."""

    async def preview(self, sweep: Sweep, runs: Sequence[RunId]) -> list[FlowPreview]:
        """The steps that would run again."""


Place = tuple[datetime, RunId]
_place = msgspec.json.Decoder(Place).decode


class WorkSweeps:
    """Any server may do any piece: the row of the sweep lets one of them, and the others find it moved on."""

    name = "work_sweeps"
    period = 1.0

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, steering: RunOperations) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._steering = steering
        self.flows: FlowSweeps | None = None
        """Works off the changes of workflow runs."""

    async def tick(self) -> bool:
        """Do one piece of each sweep that is under way; True as long as one of them got on."""
        sweeps = await self._store.bulk.live(Sweep, limit=TOGETHER)
        moved = [await self._move_alone(sweep) for sweep in sweeps]
        return any(moved)

    async def _move_alone(self, sweep: Sweep) -> bool:
        """Step one sweep; its errors do not stop the others."""
        try:
            moved = await self._move(sweep)
        except UnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 it is named, and tried again
            self._store.aside.pass_over("sweeps", id_text(sweep.id), error, self._clock.now())
            return False
        self._store.aside.worked("sweeps", id_text(sweep.id))
        return moved

    async def _move(self, sweep: Sweep) -> bool:
        if is_held(sweep, self._clock.now()):
            return False
        if sweep.state is SweepState.CANARIES:
            return await self._judge(sweep)
        piece = await self.find(sweep)
        if sweep.act in FLOW_CHANGES:
            return self.flows is not None and await self.flows.work(sweep, piece)
        stepped = await self._store.bulk.step_sweep(sweep, piece, now=self._clock.now())
        if stepped is None:
            return False
        self._steering.announce(stepped.changed, wishes=stepped.wishes, lines=stepped.lines)
        if stepped.sweep.state.final:
            log.info("a sweep is over: %d runs to %s", stepped.sweep.changed, sweep.act)
        return True

    async def _judge(self, sweep: Sweep) -> bool:
        """Let the rest follow if every canary succeeded."""
        states = await self._store.runs.states(sweep.tried)
        judged = after_canaries(sweep, states, self._clock.now())
        if judged is None or not await self._store.bulk.save(judged):
            return False
        if judged.state is SweepState.STOPPED:
            log.warning("a sweep has stopped: %s", judged.note)
        return True

    async def find(self, sweep: Sweep) -> SweepPiece:
        """The runs of the next step."""
        if sweep.act.of_flows:
            return await self._find_live(sweep, candidates(sweep.act))
        if sweep.act is not SweepAct.CANCEL:
            return await self._find_dead(sweep)
        if sweep.filter.below:
            return await self._find_below(sweep)
        return await self._find_live(sweep)

    async def _find_dead(self, sweep: Sweep) -> SweepPiece:
        chosen = sweep.filter
        query = DeadFilter(
            namespace=sweep.namespace,
            fingerprint=None if chosen.fingerprint is None else parse_fingerprint(chosen.fingerprint),
            job=chosen.job,
            queue=chosen.queue,
            tags=chosen.tags,
            labels=chosen.labels,
            since=chosen.since,
            until=min(chosen.until or sweep.created_at, sweep.created_at),
            after=None if sweep.place is None else _place(sweep.place),
            limit=piece_size(sweep),
        )
        page = await self._store.bulk.dead_letters(query)
        place = None if page.next is None else msgspec.json.encode(page.next)
        return SweepPiece([letter.run for letter in page.letters], place)

    async def _find_live(self, sweep: Sweep, states: tuple[RunState, ...] = LIVE) -> SweepPiece:
        chosen = sweep.filter
        query = RunFilter(
            namespace=sweep.namespace,
            job=chosen.job,
            queue=chosen.queue,
            states=tuple(RunState[name.upper()] for name in chosen.states) or states,
            tags=chosen.tags,
            labels=chosen.labels,
            since=chosen.since,
            until=min(chosen.until or sweep.created_at, sweep.created_at),
            oldest_first=True,
            after=None if sweep.place is None else RunId(sweep.place),
            limit=piece_size(sweep),
            parked=self._catalog.parked(sweep.namespace),
        )
        page = await self._store.runs.list(query)
        # Steps that wait are runs of the workflow's own job.
        runs = [run.id for run in page.runs if not sweep.act.of_flows or run.workflow is None]
        return SweepPiece(runs, page.next)

    async def _find_below(self, sweep: Sweep) -> SweepPiece:
        if sweep.place is None:
            return SweepPiece([], None)
        found, rest = await descend(self._store, sweep.namespace, read_stack(sweep.place))
        return SweepPiece(found, write_stack(rest))
