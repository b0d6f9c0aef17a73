"""Batches: how they begin, and how runs join them."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.batches import batch as batches
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.metadata import encode_metadata, read_metadata
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.run import NewRun
from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows.flow import pack_maps
from mainspring.domain.workflows.move import Begun, Move
from mainspring.errors import ConflictError
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.workflows.acts import Write
from mainspring.store.acts.workflows.rows import flow_view, live_flow
from mainspring.store.interface.workflows import FlowView, Joined, NewBatch, StepRun
from mainspring.store.paging import ID_LAST
from mainspring.store.tx import Acts, Transactions, Tx, reads, writes


class BatchActs(Acts):
    """See `store/interface/` for what each method promises."""

    def __init__(self, transactions: Transactions, write: Write) -> None:
        super().__init__(transactions)
        self._write_steps = write

    @writes
    async def create(self, tx: Tx, batch: NewBatch, runs: Sequence[NewRun], by: Operator, *, now: datetime) -> None:
        run, named = batch.run, {"namespace": by.namespace, "name": batch.name}
        if not await tx.run("name_batch", run=run.id, **named):
            row = await tx.one("named_batch", **named)
            other = "another batch" if row is None else f"batch {id_text(row['run'])}"
            raise ConflictError("batch", batch.name, f"{other} has this name", code="name_taken")
        place = {"id": run.id, "line": run.line, "job": run.job, "priority": run.priority, "now": now}
        await tx.run("begin_batch", **place, deadline_at=run.deadline_at, extra=run.extra, input=run.input)
        await tx.run(
            "begin_batch_flow",
            run=run.id,
            job=run.job,
            version=batch.version,
            states=bytes(batch.flow.states),
            maps=pack_maps(batch.flow),
            definition=batch.definition,
            now=now,
        )
        if runs:
            [row] = await tx.all("lock_flows", ids=[run.id])
            await self._join(tx, Move(live_flow(row, own_graph(batch.definition)), batch.flow), 0, runs, now)
        elif not batches.counts_of(batch.flow).open:
            # Nothing else would end it.
            await tx.run("note_request", workflow=run.id, state=0)
        await write_audit(tx, by.entry("batch.create", run.id, name=batch.name, runs=len(runs)))

    @writes
    async def add(
        self, tx: Tx, batch: RunId, runs: Sequence[NewRun], by: Operator, *, at: int | None, now: datetime
    ) -> Joined | None:
        rows = await tx.all("lock_flows", ids=[batch])
        if not rows or rows[0]["definition"] is None or rows[0]["namespace"] != by.namespace:
            return None
        live = live_flow(rows[0], own_graph(rows[0]["definition"]))
        before = batches.counts_of(live.flow).size
        flow = live.flow.copy()
        if not batches.add(flow, len(runs), live.graph.batch, at=at):
            return Joined(before - len(runs), repeated=True)
        await self._join(tx, Move(live, flow), before, runs, now)
        await write_audit(tx, by.entry("batch.add", batch, runs=len(runs)))
        return Joined(before)

    async def _join(self, tx: Tx, move: Move, before: int, runs: Sequence[NewRun], now: datetime) -> None:
        """Create runs as the items that follow those before."""
        live = move.live
        begun = [(live.run, Begun(batches.STEP_NUMBER, item, run)) for item, run in enumerate(runs, before)]
        for _, one in begun:
            one.run.extra = joined(one.run.extra, live.run, one.item)
        await self._write_steps(tx, [move], begun, now)
        if marks := [{"run": run.id, "mark": mark} for run in runs for mark in run.marks]:
            await tx.run("mark_runs", namespace=live.namespace, rows=marks)

    @reads
    async def named(self, tx: Tx, namespace: str, name: str) -> RunId | None:
        row = await tx.one("named_batch", namespace=namespace, name=name)
        return None if row is None else row["run"]

    @reads
    async def unsuccessful(self, tx: Tx, batch: RunId, *, after: int, limit: int) -> list[StepRun]:
        place = {"workflow": batch, "step": batches.STEP_NUMBER, "after": after, "limit": limit}
        rows = await tx.past("ended_items", [batch], **place)
        # Each day has its own rows on SQLite.
        ordered = sorted(rows, key=lambda row: row["item"])[:limit]
        return [StepRun(batches.STEP_NUMBER, row["item"], row["run"]) for row in ordered]

    # Last in the class: behind it, `list` names this method.
    @reads
    async def list(self, tx: Tx, namespace: str, *, before: RunId | None, limit: int) -> Sequence[FlowView]:
        rows = await tx.all("batches", namespace=namespace, before=before or ID_LAST, limit=limit)
        return [flow_view(row) for row in rows]


def joined(extra: bytes | None, batch: RunId, item: int) -> bytes:
    """The metadata of a run that joins a batch."""
    about = read_metadata(extra)
    return encode_metadata(msgspec.structs.replace(about, workflow=id_text(batch), step=batches.STEP_NAME, item=item))
