"""Operators' changes to workflow runs as they are written: marks, forks, other versions."""

from collections.abc import Mapping
from datetime import datetime

from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.metadata import RunMetadata
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.workflows.changes.fork import forked
from mainspring.domain.workflows.changes.versions import TargetVersion, moved_to
from mainspring.domain.workflows.flow import HAS_RUN, WAITING
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.move import ITEM_NONE, REQUEST_STEP, LiveFlow, MoveFlow
from mainspring.domain.workflows.moves.moved import End
from mainspring.store.acts.workflows.graphs import KnownGraphs
from mainspring.store.acts.workflows.rows import flow_view, take_request, wait_fields
from mainspring.store.tx import Row, Tx

LOOKS = 3  # a workflow run may end, or be resumed by another operator, while it is looked for
# More than a workflow has steps.
APART = 1_000_000
"""Added to numbers of steps while they are exchanged for others."""


async def reopened(tx: Tx, run: RunId, by: Operator) -> Row | None:
    """The workflow run, locked; one that was over is under way again."""
    for _ in range(LOOKS):
        for row in await tx.all("lock_flows", ids=[run]):
            return row if row["namespace"] == by.namespace else None
        for past in await tx.past("lock_past", [run], namespace=by.namespace):
            if not await tx.run("reopen_flow", run=run, now=by.now):
                return None
            await tx.run("forget_past_flow", run=run)
            await tx.one("retry", id=run, place=past["place"], now=by.now, input=None, day=past["place"])
            await tx.run("wait_for_steps", rows=[wait_fields(run, None)], now=by.now)
    return None


async def write_marks(tx: Tx, live: LiveFlow, marks: Mapping[int, bytes], move: MoveFlow, now: datetime) -> None:
    """A run in history for each step that was marked, in the place of the one that it may have had."""
    for step, result in marks.items():
        run = move.stand_in(live, step)
        place = {"line": run.line, "job": run.job, "priority": run.priority, "due_at": run.due_at}
        fields = {"id": run.id, "extra": run.extra, "input": run.input, "result": result}
        await tx.run("mark_step", **place, **fields, now=now, day=now)
        await tx.run("forget_step", workflow=live.run, step=step)
        # After the row in history, whose trigger would note an end that the workflow run knows already.
        await tx.run("enter_steps", rows=[{"workflow": live.run, "step": step, "item": ITEM_NONE, "run": run.id}])
        live.flow.states[step] |= HAS_RUN


async def forget_shared(tx: Tx, live: LiveFlow) -> None:
    """Steps of a fork that run again get runs of their own: those before are their origin's."""
    if live.forked:
        for number in range(len(live.graph.steps)):
            if live.flow.state(number) == WAITING and not live.flow.states[number] & HAS_RUN:
                await tx.run("forget_step", workflow=live.run, step=number)


async def fork(tx: Tx, live: LiveFlow, about: RunMetadata, graphs: KnownGraphs) -> None:
    """Have a workflow run that begins go on from a step of another one, with the results before it.

    A step that does not fit the fork's version any more runs again: its origin has moved on since the fork was asked for.
    """
    row = await tx.one("flow", run=parse_run_id(about.fork_of), namespace=live.namespace)
    if row is None:
        # One whose origin is pruned has no steps, and ends with that reason.
        live.graph = Graph(())
        return
    before = await graphs.of(tx, row)
    live.version = about.fork_version or row["version"]
    live.graph = before if live.version == row["version"] else await graphs.version(tx, live.job, live.version)
    begun = forked(before, flow_view(row).flow, live.graph, about.fork_step)
    live.flow = begun.flow
    shared = {"fork": live.run, "workflow": row["run"]}
    await tx.batch("share_step", [{**shared, "step": place, "number": number} for number, place in begun.kept.items()])


async def move_version(tx: Tx, live: LiveFlow, target: TargetVersion) -> list[End]:
    """Ends that were noted and not taken up, by the numbers of the other version.

    Raises ConflictError, and nothing is changed, if what is done does not fit.
    """
    flow, places = moved_to(live.graph, live.flow, target.graph, id_text(live.run))
    steps = range(len(live.graph.steps))
    for step in steps:
        await tx.run("renumber_step", workflow=live.run, step=step, number=step + APART)
    for step in steps:
        if step in places:
            await tx.run("renumber_step", workflow=live.run, step=step + APART, number=places[step])
        else:
            await tx.run("forget_step", workflow=live.run, step=step + APART)
    await tx.run("set_version", run=live.run, version=target.number, states=bytes(flow.states))
    live.graph, live.flow, live.version = target.graph, flow, target.number
    notes = await tx.all("take_notes", ids=[live.run])
    for note in notes:
        if note["step"] == REQUEST_STEP:
            take_request(flow, note["state"])
    return [End(places[note["step"]], note["state"], note["runs"]) for note in notes if note["step"] in places]
