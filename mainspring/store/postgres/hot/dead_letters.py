"""Records runs that have just failed for good."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.ids import RunId
from mainspring.domain.runs.dead_letter import Cause
from mainspring.store.postgres.connection import storable
from mainspring.store.sql import Queries


async def record_dead_letters(
    connection: "asyncpg.Connection[Any]", sql: Queries, causes: Mapping[RunId, Cause], now: datetime
) -> None:
    """Add runs that have just failed to the dead letters, in the transaction that has moved them to history."""
    if not causes:
        return
    rows = await connection.fetch(sql["died"], list(causes), now)
    found = [(row["id"], row["job"], causes[row["id"]]) for row in rows]
    await connection.execute(
        sql["add_dead"],
        [run for run, _, _ in found],
        [cause.fingerprint(job) for _, job, cause in found],
        [storable(cause.error) for _, _, cause in found],
        [storable(cause.message) for _, _, cause in found],
        now,
    )
