"""Bulk operations on workflow runs: each run is changed in one transaction with the progress of the sweep."""

from collections.abc import Sequence

import msgspec

from mainspring.clock import Clock
from mainspring.domain.bulk.operation import (
    FlowPreview,
    Sweep,
    SweepAct,
    SweepPiece,
    SweepState,
    SweepStep,
    after_one,
    over,
)
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.workflows import again
from mainspring.domain.workflows.again import BAD, Again
from mainspring.domain.workflows.flow import Flow
from mainspring.domain.workflows.graph import Graph
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError, TooLargeError
from mainspring.scheduler.operations.workflows import Change, WorkflowOperations
from mainspring.scheduler.workflows.changing import FlowChanges
from mainspring.store.interface import FlowView, Store

REFUSALS = (ConflictError, InvalidInputError, NotFoundError, TooLargeError)


class SweepFlows:
    """Works off pieces of sweeps over workflow runs; a run that refuses the act is passed over."""

    def __init__(self, store: Store, clock: Clock, operations: WorkflowOperations, changing: FlowChanges) -> None:
        self._store = store
        self._clock = clock
        self._operations = operations
        self._changing = changing

    async def work(self, sweep: Sweep, piece: SweepPiece) -> bool:
        """Act on the runs of a piece; False once another server has moved the sweep."""
        moved = sweep
        for run in piece.runs:
            following = await self._act(moved, run)
            if following is None:
                return False
            moved = following
        if piece.next is None:
            return await self._store.bulk.save(over(moved, SweepState.DONE, "", self._clock.now()))
        # A page may have no runs and yet others behind it.
        after = msgspec.structs.replace(moved, place=piece.next, version=moved.version + 1)
        return moved.place == piece.next or await self._store.bulk.save(after)

    async def preview(self, sweep: Sweep, runs: Sequence[RunId]) -> list[FlowPreview]:
        """The steps that would run again, or why nothing would be done."""
        found: list[FlowPreview] = []
        for run in runs:
            try:
                found.append(FlowPreview(run, (await self._change(sweep, run, None)).steps))
            except REFUSALS as error:
                found.append(FlowPreview(run, refused=str(error)))
        return found

    async def _act(self, sweep: Sweep, run: RunId) -> Sweep | None:
        after = after_one(sweep, run, self._clock.now(), changed=True)
        try:
            await self._change(sweep, run, SweepStep(sweep, after))
        except REFUSALS:
            # Also if another server has moved the sweep: then this is not written either.
            after = after_one(sweep, run, self._clock.now(), changed=False)
            return after if await self._store.bulk.save(after) else None
        return after

    async def _change(self, sweep: Sweep, run: RunId, beside: SweepStep | None) -> Again:
        """Raises one of the refusals; without `beside` only a preview."""
        view, _, graph = await self._operations.get(sweep.namespace, run)
        refuse_others(sweep, view, graph)
        terms, target = sweep.terms, None
        if terms.version is not None or sweep.act is SweepAct.MOVE:
            target = await self._changing.target(sweep.namespace, run, terms.version or None)
        if sweep.act is SweepAct.MARK:
            self._changing.check_mark(sweep.namespace, graph, terms.step, msgspec.json.encode(terms.result))
        return await self._operations.change(
            sweep.namespace,
            run,
            change_of(sweep, id_text(run)),
            sweep.act.value.removesuffix("_step"),
            sweep.actor,
            sweep.reason,
            dry_run=beside is None,
            target=target,
            beside=beside,
        )


def refuse_others(sweep: Sweep, view: FlowView, graph: Graph) -> None:
    """Raises ConflictError for a run that the sweep is not about, or not any more."""
    name, step = id_text(view.run), sweep.filter.failed_step
    if view.finished_at is not None and view.finished_at > sweep.created_at:
        raise ConflictError("workflow_run", name, "has ended since the sweep began")
    if sweep.act is SweepAct.MOVE and view.finished_at is not None:
        raise ConflictError("workflow_run", name, "is over")
    if step is not None and (step not in graph.numbers or view.flow.state(graph.numbers[step]) not in BAD):
        raise ConflictError("workflow_run", name, f"{step} has not failed")


def change_of(sweep: Sweep, run: str) -> Change:
    terms = sweep.terms

    def change(graph: Graph, flow: Flow) -> Again:
        if sweep.act is SweepAct.RESUME:
            return again.resume(graph, flow, run, redo=terms.redo)
        if sweep.act is SweepAct.RETRY_STEP:
            return again.retry_from(graph, flow, run, terms.step)
        if sweep.act is SweepAct.SKIP:
            return again.skip(graph, flow, run, terms.step)
        if sweep.act is SweepAct.MARK:
            return again.mark(graph, flow, run, terms.step, msgspec.json.encode(terms.result))
        return Again(again.waiting_steps(graph, flow))

    return change
