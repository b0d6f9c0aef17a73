"""What workflow runs are under way, and how far each has come."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.workflows.move import ITEM_NONE
from mainspring.store.acts.workflows.rows import flow_view
from mainspring.store.interface.workflows import FlowView, RunsAtOnce, StepRun
from mainspring.store.tx import Acts, Tx, holds, reads


class FlowReads(Acts):
    """See `store/interface/` for what each method promises."""

    @reads
    async def any(self, tx: Tx) -> bool:
        return await holds(tx, "any_flow")

    @reads
    async def noted(self, tx: Tx, *, limit: int) -> list[RunId]:
        return sorted({row["workflow"] for row in await tx.all("noted_flows", limit=limit)})

    @reads
    async def stale(self, tx: Tx, *, before: datetime, after: RunId | None, limit: int) -> list[RunId]:
        rows = await tx.all("stale_flows", before=before, after=after or bytes(16), limit=limit)
        return [row["run"] for row in rows]

    @reads
    async def get(self, tx: Tx, namespace: str, run: RunId) -> FlowView | None:
        row = await tx.one("flow", run=run, namespace=namespace)
        return None if row is None else flow_view(row)

    @reads
    async def views(self, tx: Tx, runs: Sequence[RunId]) -> Sequence[FlowView]:
        return [flow_view(row) for row in await tx.all("flows_of", ids=list(runs))] if runs else []

    @reads
    async def place_of(self, tx: Tx, run: RunId) -> tuple[RunId, int] | None:
        row = await tx.one("place_of", run=run)
        return None if row is None else (row["workflow"], row["step"])

    @reads
    async def steps(self, tx: Tx, workflow: RunId, *, after: tuple[int, int] | None, limit: int) -> list[StepRun]:
        step, item = after or (-1, ITEM_NONE)
        rows = await tx.all("steps_of", workflow=workflow, step=step, item=item, limit=limit)
        return [StepRun(row["step"], None if row["item"] == ITEM_NONE else row["item"], row["run"]) for row in rows]

    @reads
    async def kept(self, tx: Tx, workflow: RunId, steps: Sequence[int]) -> set[int]:
        if not steps:
            return set()
        rows = await tx.all("runs_of_pairs", rows=[{"workflow": workflow, "step": step} for step in steps])
        first = {row["run"]: row["step"] for row in rows if row["item"] <= 0}
        past = await tx.past("results_of", sorted(first)) if first else []
        # A map over an empty list has no runs, and its result needs none.
        without = set(steps) - {row["step"] for row in rows}
        return {first[row["id"]] for row in past} | without

    @reads
    async def live_steps(self, tx: Tx, workflow: RunId, steps: Sequence[int], *, limit: int) -> list[StepRun]:
        rows = await tx.all("live_steps", workflow=workflow, steps=list(steps), limit=limit)
        return [StepRun(row["step"], None if row["item"] == ITEM_NONE else row["item"], row["run"]) for row in rows]


async def room_within(tx: Tx, within: RunsAtOnce) -> int:
    """How many more runs of a workflow may begin; no other transaction begins one before this one has ended."""
    await tx.one("lock_begins", job=within.job)
    # A statement of its own behind the lock: it sees what has begun while that was waited for.
    row = await tx.one("flows_under_way", job=within.job, most=within.most)
    return within.most - (0 if row is None else int(row["flows"]))
