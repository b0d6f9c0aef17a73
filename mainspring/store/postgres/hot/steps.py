"""Ends and begins the runs of workflows' steps, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.workflows.flow import pack_maps
from mainspring.domain.workflows.move import Begun, Move
from mainspring.errors import LeaseLostError
from mainspring.store.acts.workflows.rows import Taken
from mainspring.store.postgres.tx import PostgresTx

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
    runs = [begin.run for _, begin in begun]
    owners = sorted({run.session for run in runs if run.session is not None})
    row = await tx.one(
        "write_steps",
        flows=[one.live.run for one in moves],
        states=[bytes(one.flow.states) for one in moves],
        maps=[pack_maps(one.flow) for one in moves],
        requests=[one.flow.requests for one in moves],
        stages=[one.flow.stage for one in moves],
        runs=[run.id for run in runs],
        due=[run.due_at for run in runs],
        lines=[run.line for run in runs],
        jobs=[run.job for run in runs],
        priorities=[run.priority for run in runs],
        tokens=[run.token for run in runs],
        sessions=[run.session for run in runs],
        extras=[run.extra for run in runs],
        inputs=[run.input for run in runs],
        deadlines=[run.deadline_at for run in runs],
        workflows=[workflow for workflow, _ in begun],
        steps=[begin.step for _, begin in begun],
        items=[begin.item for _, begin in begun],
        owners=owners,
        now=now,
    )
    if row is None or row["living"] < len(owners):
        raise LeaseLostError("the session that was to run these is gone")
