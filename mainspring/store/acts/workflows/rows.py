"""Rows of workflow runs, and how their moves are written."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.metadata import read_metadata
from mainspring.domain.routing.spread import graph_of_job
from mainspring.domain.runs.cancel import CancelRequest, Operator
from mainspring.domain.waits.wait import Wait, begin_wait
from mainspring.domain.workflows.flow import CANCELLED, Flow, FlowRequest, pack_maps, unpack
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.maps import ITEMS_MAX
from mainspring.domain.workflows.move import ITEM_NONE, UNPAUSE, Begun, LiveFlow, Move, UnreadError
from mainspring.domain.workflows.moves.moved import End
from mainspring.domain.workflows.values import INPUT_STEP, Read
from mainspring.errors import ConflictError
from mainspring.store.acts.runs.cancel import cancel_runs
from mainspring.store.acts.runs.retry import retry_run
from mainspring.store.acts.workflows.waits import begin_waits
from mainspring.store.interface.workflows import FlowView
from mainspring.store.tx import Blob, Row, Tx

ACTOR = Actor("workflow")
STOPPED = "its workflow run was stopped"
AGAIN = "its workflow run goes on"
CANCELS_MAX = 5_000
"""Runs of steps that one transaction cancels."""

Results = dict[tuple[RunId, int], bytes]
Place = tuple[RunId, int, int]
"""Workflow run, step and item."""

_spec = msgspec.json.Decoder(JobSpec).decode


class Taken(NamedTuple):
    """Locked workflow runs, what was noted of them, and how many runs of their steps were moved to history."""

    moved: int
    rows: Sequence[Row]
    notes: Sequence[Row]


def known_results(lives: Sequence[LiveFlow], given: Mapping[tuple[RunId, str], bytes]) -> Results:
    """Results of steps that are no maps, by their numbers."""
    graphs = {live.run: live.graph for live in lives}
    found: Results = {}
    for (workflow, name), result in given.items():
        number = graphs[workflow].numbers.get(name) if workflow in graphs else None
        if number is not None and graphs[workflow].steps[number].each is None:
            found[workflow, number] = result
    return found


def read_graph(raw: bytes | None) -> Graph:
    """The graph of a stored job; empty if it has no steps, which ends its runs."""
    return Graph(()) if raw is None else graph_of_job(_spec(raw))


def live_flow(row: Row, graph: Graph) -> LiveFlow:
    about = read_metadata(row["extra"])
    return LiveFlow(
        run=row["run"],
        namespace=row["namespace"],
        job=row["job"],
        version=row["version"],
        graph=graph,
        flow=unpack(row["states"] or bytes(len(graph.steps)), row["maps"], row["requests"], row["stage"]),
        priority=row["priority"],
        due_at=row["due_at"],
        input=row["input"],
        began_at=row["began_at"],
        deadline_at=row["deadline_at"],
        created_by=about.by,
        forked=bool(about.fork_of),
        definition=row["definition"],
    )


def flow_fields(live: LiveFlow) -> dict[str, object]:
    return {"run": live.run, "job": live.job, "version": live.version, "states": Blob(bytes(live.flow.states))}


def wait_fields(run: RunId, deadline_at: datetime | None) -> dict[str, object]:
    return {"run": run, "deadline_at": deadline_at}


def flow_view(row: Row) -> FlowView:
    return FlowView(
        run=row["run"],
        job=row["job"],
        version=row["version"],
        flow=unpack(row["states"], row["maps"], row["requests"], row["stage"]),
        began_at=row["began_at"],
        finished_at=row["finished_at"],
        definition=row["definition"],
    )


def saved_fields(one: Move) -> dict[str, object]:
    return {
        "run": one.live.run,
        "states": Blob(bytes(one.flow.states)),
        "maps": Blob(pack_maps(one.flow)),
        "requests": one.flow.requests,
        "stage": one.flow.stage,
    }


def step_fields(workflow: RunId, begin: Begun) -> dict[str, object]:
    return {"workflow": workflow, "step": begin.step, "item": begin.item, "run": begin.run.id}


async def write_refusals(tx: Tx, moves: Sequence[Move], now: datetime) -> None:
    """Steps that failed without a run having started: a run in history says why."""
    for one in moves:
        for refused in one.refused:
            run = refused.run
            about = {"id": run.id, "code": refused.code, "now": now, "day": now}
            place = {"line": run.line, "job": run.job, "priority": run.priority, "due_at": run.due_at}
            await tx.run("refuse_step", **about, **place, extra=run.extra, input=run.input)
            await tx.run("record_end", **about, message=refused.message)
            # Behind the row in history, whose trigger would note an end that the workflow run knows already.
            entry = {"workflow": one.live.run, "step": refused.step, "item": ITEM_NONE, "run": run.id}
            await tx.run("enter_steps", rows=[entry])


async def write_ends(tx: Tx, moves: Sequence[Move], now: datetime) -> None:
    """Move workflow runs that are over to the past, with their result or the reason of their failure."""
    ended = [one for one in moves if one.end is not None]
    if not ended:
        return
    ids = [one.live.run for one in ended]
    await tx.run("keep_flows", ids=ids, now=now)
    await tx.run("remove_flows", ids=ids)
    rows = [
        {
            "run": one.live.run,
            "state": one.end,
            "reason": one.code or None,
            "failures": int(bool(one.code)),
            "result": Blob(one.result),
        }
        for one in ended
    ]
    await tx.run("end_workflow_runs", rows=rows, now=now, day=now)
    for one in ended:
        if one.code:
            await tx.run("record_end", id=one.live.run, code=one.code, message=one.message, now=now, day=now)


async def cancel_steps(tx: Tx, one: Move, now: datetime) -> list[CancelRequest]:
    """Cancel the live runs of steps; return the attempts that executors are to stop."""
    rows = await tx.all("runs_of_steps", workflow=one.live.run, steps=sorted(set(one.cancels)), limit=CANCELS_MAX)
    if not rows:
        return []
    # The others are cancelled by the next transactions: executors and other callers must not wait for a long one.
    one.more |= len(rows) == CANCELS_MAX
    by = Operator(namespace=one.live.namespace, actor=ACTOR, reason=STOPPED, now=now)
    found, changed = await cancel_runs(tx, [row["run"] for row in rows], by)
    return [request for run in changed if (request := found[run].wish) is not None]


class StepEnd(NamedTuple):
    """How the run of a step ended."""

    place: Place
    state: int
    result: bytes | None
    reason: str | None
    run: RunId


async def read_ends(tx: Tx, pairs: Sequence[tuple[RunId, int]]) -> list[StepEnd]:
    """The runs of these steps that are over."""
    if not pairs:
        return []
    rows = await tx.all("runs_of_pairs", rows=[{"workflow": run, "step": step} for run, step in pairs])
    places: dict[RunId, Place] = {row["run"]: (row["workflow"], row["step"], row["item"]) for row in rows}
    past = await tx.past("results_of", list(places)) if places else []
    return [StepEnd(places[row["id"]], row["state"], row["result"], row["reason"], row["id"]) for row in past]


def take_request(flow: Flow, request: int) -> None:
    if request == UNPAUSE:
        flow.requests &= ~FlowRequest.PAUSE
    else:
        flow.requests |= request


def reading(live: LiveFlow, results: Results) -> Read:
    """Results of this workflow run's steps, as far as they have been read."""

    def read(step: int) -> bytes | None:
        if step == INPUT_STEP:
            return live.input
        try:
            return results[live.run, step]
        except KeyError:
            raise UnreadError(step) from None

    return read


def wanted_with(live: LiveFlow, ends: Mapping[RunId, Sequence[End]], step: int) -> set[int]:
    """The step, and all else that the children of those that ended may read."""
    children = {child for end in ends.get(live.run, ()) for child in live.graph.children[end.step]}
    near = {read for child in children for read in live.graph.steps[child].reads}
    return {step, *near}


async def retry_steps(tx: Tx, one: Move, now: datetime) -> list[int]:
    """Run the runs of steps again that have one already, with their memory; their lines."""
    by = Operator(namespace=one.live.namespace, actor=ACTOR, reason=AGAIN, now=now)
    wanted = dict(one.again)
    rows = await tx.all("runs_of_pairs", rows=[{"workflow": one.live.run, "step": step} for step in wanted])
    runs = {row["step"]: row["run"] for row in rows if row["item"] == ITEM_NONE}
    past = {row["id"]: row["input"] for row in await tx.past("results_of", sorted(runs.values()))} if runs else {}
    lines: list[int] = []
    for step, arguments in one.again:
        run = runs.get(step)
        if run is None:
            name = one.live.graph.steps[step].name
            raise ConflictError(
                "workflow_run", id_text(one.live.run), f"the run of {name} is pruned: fork or start anew"
            )
        edited = None if past.get(run) == arguments else arguments
        retried = await retry_run(tx, run, by, force=True, edited=edited, by_workflow=True)
        if step in one.waits:
            await begin_waits(tx, [wait_for(one, step, run, now)], now)
            continue
        lines += [] if retried is None or retried.line is None else [retried.line]
    return lines


def waits_of(one: Move, now: datetime) -> list[Wait]:
    """The waits of steps that begin for the first time."""
    runs = {begin.step: begin.run.id for begin in one.begun}
    return [wait_for(one, step, run, now) for step, run in runs.items() if step in one.waits]


def wait_for(one: Move, step: int, run: RunId, now: datetime) -> Wait:
    begin = one.waits[step]
    return begin_wait(begin.rule, run, one.live.namespace, begin.arguments, now, begin.about)


async def retry_items(tx: Tx, live: LiveFlow, steps: Sequence[int], now: datetime) -> list[int]:
    """Run the items of maps again that ended without success, and take them out of the counts; their lines.

    Items that are not in history any more stay as they are, and keep their place in the counts.
    """
    lines: set[int] = set()
    if steps:
        await tx.run("pin_plans")
    for step in steps:
        place = {"workflow": live.run, "step": step, "after": ITEM_NONE, "limit": ITEMS_MAX}
        runs = sorted(row["run"] for row in await tx.past("ended_items", [live.run], **place))
        rows = await tx.past("retry_items", runs, now=now) if runs else []
        if rows:
            await tx.run("revive", ids=[row["id"] for row in rows])
        live.flow.maps[step].failed -= len(rows)
        live.flow.maps[step].cancelled -= sum(row["state"] == CANCELLED for row in rows)
        lines |= {row["line"] for row in rows}
    return sorted(lines)
