"""Ends and begins the runs of workflows' steps, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.workflows.flow import pack_maps
from mainspring.domain.workflows.move import Begun, Move
from mainspring.errors import LeaseLostError
from mainspring.store.acts.workflows.rows import Taken
from mainspring.store.postgres.tx import PostgresTx

OUTDATED = "MSFLW"
"""The state of a hop that was undone: an attempt was given up, or a session is gone."""


async def take_steps(tx: PostgresTx, flows: Sequence[RunId], done: Successes, now: datetime) -> Taken:
    """By one statement: a hop from step to step is as quick as its round trips."""
    head, *rows = await tx.all(
        "take_steps",
        flows=flows,
        runs=done.runs,
        tokens=done.tokens,
        results=done.results,
        waits=done.waits,
        durations=done.durations,
        now=now,
    )
    notes = [row for row in rows if row["step"] is not None]
    return Taken(head["moved"], [row for row in rows if row["step"] is None], notes)


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
    _places: Sequence[tuple[RunId, int]],
    done: Successes,
    moves: Sequence[Move],
    begun: Sequence[tuple[RunId, Begun]],
    now: datetime,
) -> bool:
    """By one statement that commits itself; False, and nothing is done, if something is not as it was."""
    was = [one.live for one in moves]
    over = [one for one in moves if one.end is not None]
    columns = step_columns(moves, begun)
    try:
        # Not by the names of parameters: their encoding looks at every element, and here none is a text.
        await tx.connection.fetchval(
            tx.queries["hop"],
            [bytes(live.flow.states) for live in was],
            [pack_maps(live.flow) for live in was],
            [live.flow.requests for live in was],
            [live.flow.stage for live in was],
            [live.version for live in was],
            done.runs,
            done.tokens,
            done.results,
            done.waits,
            done.durations,
            *columns.values(),
            owners_of(begun),
            [one.live.run for one in over],
            [one.result for one in over],
            now,
        )
    except asyncpg.PostgresError as error:
        if error.sqlstate != OUTDATED:
            raise
        return False
    return True


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
