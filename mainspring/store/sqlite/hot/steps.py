"""Ends and begins the runs of workflows' steps, on SQLite."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.workflows.flow import Flow, pack_maps
from mainspring.domain.workflows.move import Begun, Move
from mainspring.store.acts.workflows.rows import Taken, saved_fields, step_fields, write_ends
from mainspring.store.sqlite.days import day_of
from mainspring.store.sqlite.hot.create import insert, refuse_dead
from mainspring.store.sqlite.hot.settle import succeed
from mainspring.store.sqlite.rows import micros
from mainspring.store.sqlite.tx import SqliteTx
from mainspring.store.tx import holds


async def take_steps(tx: SqliteTx, flows: Sequence[RunId], done: Successes, now: datetime) -> Taken:
    """The one writer needs no locks."""
    moved = succeed(tx.connection, tx.queries, day_of(now), done, micros(now))
    return Taken(moved, await tx.all("lock_flows", ids=flows), await tx.all("take_notes", ids=flows))


async def write_steps(tx: SqliteTx, moves: Sequence[Move], begun: Sequence[tuple[RunId, Begun]], now: datetime) -> None:
    """Raises LeaseLostError if a session that was to run some of them is gone."""
    await tx.run("save_flows", rows=[saved_fields(one) for one in moves], now=now)
    if begun:
        runs = [begin.run for _, begin in begun]
        refuse_dead(tx.connection, tx.queries, {run.session for run in runs if run.session is not None})
        insert(tx.connection, tx.queries, runs, micros(now))
        await tx.run("enter_steps", rows=[step_fields(workflow, begin) for workflow, begin in begun])


async def hop(
    tx: SqliteTx,
    places: Sequence[tuple[RunId, int]],
    done: Successes,
    moves: Sequence[Move],
    begun: Sequence[tuple[RunId, Begun]],
    now: datetime,
    _bundled: bool,  # noqa: FBT001 as the acts call it
) -> bool:
    """False, and nothing is done, if something is not as it was."""
    was = {one.live.run: flow_bytes(one.live.version, one.live.flow) for one in moves}
    rows = await tx.all("lock_flows", ids=list(was))
    found = {row["run"]: (row["version"], row["states"], row["maps"], row["requests"], row["stage"]) for row in rows}
    if found != was or any([await holds(tx, "has_request", run=run) for run in was]):
        return False
    owned = zip(done.runs, done.tokens, strict=True)
    if not all([await holds(tx, "is_attempt", run=run, token=token) for run, token in owned]):
        return False
    succeed(tx.connection, tx.queries, day_of(now), done, micros(now))
    await tx.batch("take_note", [{"workflow": workflow, "step": step} for workflow, step in places])
    await write_steps(tx, moves, begun, now)
    await write_ends(tx, moves, now)
    return True


def flow_bytes(version: int, flow: Flow) -> tuple[int, bytes, bytes | None, int, int]:
    return (version, bytes(flow.states), pack_maps(flow), flow.requests, flow.stage)
