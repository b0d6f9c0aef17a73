"""Rows of PostgreSQL as the runs and attempts that people see."""

import asyncpg

from mainspring.domain.attempt import Outcome
from mainspring.domain.attributes import read_extra
from mainspring.domain.log import Progress
from mainspring.domain.run import Attempt, Failure, Run, RunState

WHOLE = 2**31 - 1
"""Bodies of any size."""


def run_row(row: asyncpg.Record) -> Run:
    extra = read_extra(row["extra"])
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
        deadline_at=row["deadline_at"],
        labels=extra.labels,
        tags=extra.tags,
        created_by=extra.by or None,
        progress=progress_of(row),
    )


def attempt_row(row: asyncpg.Record) -> Attempt:
    return Attempt(
        number=row["number"],
        outcome=Outcome(row["outcome"]).label,
        executor=row["executor"] or "",
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        failure=failure_of(row),
    )


def failure_of(row: asyncpg.Record) -> Failure | None:
    if row["error"] is None:
        return None
    return Failure(error=row["error"], message=row["message"] or "", traceback=row["traceback"] or "")


def progress_of(row: asyncpg.Record) -> Progress | None:
    if row["fraction"] is None:
        return None
    return Progress(row["id"], row["progress_token"], row["fraction"], row["note"])
