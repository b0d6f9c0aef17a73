"""Rows of PostgreSQL as the runs and attempts that people see."""

import asyncpg
import msgspec

from mainspring.domain.cluster.session import Abilities
from mainspring.domain.metadata import deadline_of, read_metadata
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.log import Progress
from mainspring.domain.runs.run import Attempt, Failure, Run, RunState

NOWHERE = Abilities(queues=[], handlers={}, pools=[])
"""Where an attempt was whose session is forgotten."""
WHOLE = 2**31 - 1
"""Bodies of any size."""


def run_row(row: asyncpg.Record) -> Run:
    extra = read_metadata(row["extra"])
    return Run(
        id=row["id"],
        namespace=row["namespace"],
        job=row["job"],
        queue=row["queue"],
        handler=row["handler"],
        priority=row["priority"],
        state=RunState(row["state"]),
        reason=row["reason"],
        attempt=row["attempt"],
        failures=row["failures"],
        losses=row["losses"],
        due_at=row["due_at"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        executor=row["executor"],
        input=row["input"],
        result=row["result"],
        failure=failure_of(row),
        key=row["key"],
        deadline_at=deadline_of(extra, row["deadline_at"]),
        labels=extra.labels,
        tags=extra.tags,
        created_by=extra.maker or None,
        parent=extra.parent_id,
        progress=progress_of(row),
        start_by=extra.start_by,
        trigger=extra.trigger or None,
        fire_at=extra.fire_at,
        backfill=extra.backfill or None,
        trace=extra.trace,
        workflow=extra.workflow_id,
        step=extra.step or None,
        item=extra.item,
    )


def attempt_row(row: asyncpg.Record) -> Attempt:
    abilities = NOWHERE if row["abilities"] is None else msgspec.json.decode(row["abilities"], type=Abilities)
    return Attempt(
        number=row["number"],
        outcome=Outcome(row["outcome"]).label,
        executor=row["executor"] or "",
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        failure=failure_of(row),
        host=abilities.host,
        code_version=abilities.code_version,
        duration=row["duration"] / 1e6 if row["duration"] else None,
        beside=tuple(row["beside"] or ()),
    )


def failure_of(row: asyncpg.Record) -> Failure | None:
    if row["error"] is None:
        return None
    return Failure(
        error=row["error"],
        message=row["message"] or "",
        traceback=row["traceback"] or "",
        code=row["code"] or "error",
    )


def progress_of(row: asyncpg.Record) -> Progress | None:
    if row["fraction"] is None:
        return None
    return Progress(row["id"], row["progress_token"], row["fraction"], row["note"])
