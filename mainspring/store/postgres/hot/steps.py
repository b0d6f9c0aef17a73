"""Ends and begins the runs of workflows' steps, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.workflows.flow import pack_maps
from mainspring.domain.workflows.move import Begun, Move
from mainspring.errors import LeaseLostError
from mainspring.store.acts.workflows.rows import Taken
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.tx import holds

_notes = msgspec.json.Decoder(list[tuple[int, int, int]]).decode


async def take_steps(tx: PostgresTx, flows: Sequence[RunId], done: Successes, now: datetime) -> Taken:
    """By one statement: a hop from step to step is as quick as its round trips."""
    rows = await tx.all(
        "take_steps",
        flows=flows,
        runs=done.runs,
        tokens=done.tokens,
        results=done.results,
        waits=done.waits,
        durations=done.durations,
        now=now,
    )
    notes = [
        {"workflow": row["run"], "step": step, "state": state, "runs": runs}
        for row in rows
        for step, state, runs in (_notes(row["notes"]) if row["notes"] else ())
    ]
    return Taken(rows[0]["moved"], [row for row in rows if row["run"] is not None], notes)


async def write_steps(
    tx: PostgresTx, moves: Sequence[Move], begun: Sequence[tuple[RunId, Begun]], now: datetime
) -> None:
    """Raises LeaseLostError if a session that was to run some of them is gone."""
    owners = owners_of(begun)
    row = await tx.one("write_steps", **step_columns(moves, begun), owners=owners, now=now)
    if row is None or row["living"] < len(owners):
        raise LeaseLostError("the session that was to run these is gone")


async def hop(
    tx: PostgresTx,
    places: Sequence[tuple[RunId, int]],
    done: Successes,
    moves: Sequence[Move],
    begun: Sequence[tuple[RunId, Begun]],
    now: datetime,
) -> bool:
    """By one statement that commits itself; False, and nothing is done, if something is not as it was."""
    was = [one.live for one in moves]
    return await holds(
        tx,
        "hop",
        was_states=[bytes(live.flow.states) for live in was],
        was_maps=[pack_maps(live.flow) for live in was],
        was_requests=[live.flow.requests for live in was],
        was_stages=[live.flow.stage for live in was],
        versions=[live.version for live in was],
        ended=done.runs,
        ended_flows=[workflow for workflow, _ in places],
        ended_steps=[step for _, step in places],
        ended_tokens=done.tokens,
        results=done.results,
        waits=done.waits,
        durations=done.durations,
        **step_columns(moves, begun),
        owners=owners_of(begun),
        now=now,
    )


def owners_of(begun: Sequence[tuple[RunId, Begun]]) -> list[SessionId]:
    return sorted({begin.run.session for _, begin in begun if begin.run.session is not None})


def step_columns(moves: Sequence[Move], begun: Sequence[tuple[RunId, Begun]]) -> dict[str, Any]:
    runs = [begin.run for _, begin in begun]
    return {
        "flows": [one.live.run for one in moves],
        "states": [bytes(one.flow.states) for one in moves],
        "maps": [pack_maps(one.flow) for one in moves],
        "requests": [one.flow.requests for one in moves],
        "stages": [one.flow.stage for one in moves],
        "runs": [run.id for run in runs],
        "due": [run.due_at for run in runs],
        "lines": [run.line for run in runs],
        "jobs": [run.job for run in runs],
        "priorities": [run.priority for run in runs],
        "tokens": [run.token for run in runs],
        "sessions": [run.session for run in runs],
        "extras": [run.extra for run in runs],
        "inputs": [run.input for run in runs],
        "deadlines": [run.deadline_at for run in runs],
        "workflows": [workflow for workflow, _ in begun],
        "steps": [begin.step for _, begin in begun],
        "items": [begin.item for _, begin in begun],
    }
