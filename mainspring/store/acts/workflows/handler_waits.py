"""Runs whose handlers wait: set aside with the outcome of their attempt, and put back once all has come."""

from collections.abc import Mapping
from datetime import datetime

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.run import RunState
from mainspring.domain.waits.ended import write_end
from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows.move import Move
from mainspring.store.acts.workflows.rows import read_ends
from mainspring.store.tx import Blob, Tx


async def begin_handler_flows(tx: Tx, waits: Mapping[RunId, bytes], now: datetime) -> None:
    """Have runs wait that have just been set aside; a note without a request has `advance` begin what they wait for."""
    for run, definition in waits.items():
        # Those of a wait before this one, or of a life before this one.
        for statement in ("forget_steps", "forget_past_flow"):
            await tx.run(statement, run=run)
        states = bytes(len(own_graph(definition).steps))
        await tx.run("begin_handler_flow", run=run, states=states, definition=definition, now=now)
        await tx.run("count_from", run=run, now=now)
        await tx.run("note_request", workflow=run, state=0)


async def go_on(tx: Tx, move: Move, now: datetime) -> int:
    """Remember how the waits of a run ended, and put it back; its line."""
    run, steps = move.live.run, move.live.graph.steps
    ends = {end.place[1]: end for end in await read_ends(tx, [(run, step) for step in range(len(steps))])}
    row = await tx.one("go_on", run=run)
    assert row is not None
    rows = [
        {
            "run": run,
            "kind": int(MemoryKind.WAIT),
            "name": steps[step].name,
            "attempt": row["attempt"],
            "turn": 0,
            "value": Blob(write_end(end.state, RunState(end.state).label, id_text(end.run), end.reason, end.result)),
        }
        for step, end in ends.items()
    ]
    if rows:
        await tx.run("save_checkpoints", rows=rows, now=now)
    await tx.run("remove_flows", ids=[run])
    await tx.run("forget_steps", run=run)
    line: int = row["line"]
    return line
