"""Locking the rows of live runs. Those in a bundle have none: their bundle is undone first."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from mainspring.domain.ids import RunId, Token
from mainspring.store.sql import Queries

LOOKS = 2
"""How often runs are looked for: one may be claimed, and so put into a bundle, between undoing and locking."""


async def hold_attempts(
    connection: "asyncpg.Connection[Any]", sql: Queries, query: str, pairs: Sequence[tuple[RunId, Token]]
) -> list[asyncpg.Record]:
    """The rows of attempts under way, locked by that query; most are rows already, so bundles are the second thought."""
    runs = [run for run, _ in pairs]
    rows: list[asyncpg.Record] = await connection.fetch(sql[query], runs)
    if len(rows) < len(set(runs)):
        # Look again even if there was nothing to undo: somebody else may have done it since the first look.
        await connection.fetchval(sql["unbundle_under"], sorted({token for _, token in pairs}))
        rows = await connection.fetch(sql[query], runs)
    return rows


async def hold_live(
    connection: "asyncpg.Connection[Any]", sql: Queries, namespace: str, runs: Sequence[RunId]
) -> list[asyncpg.Record]:
    """The rows of those that are live, locked; bundles before rows, as whoever settles whole bundles does it."""
    rows: list[asyncpg.Record] = []
    for _ in range(LOOKS):
        await connection.fetchval(sql["unbundle_of"], runs)
        rows = await connection.fetch(sql["hold_live"], runs, namespace)
        if len(rows) == len(runs):
            break
    return rows
