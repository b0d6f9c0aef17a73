"""Looks for a bug of the PostgreSQL suite: with it in place, the case that is to catch it must fail."""

import re
import traceback
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import asyncpg

from mainspring.store.postgres.tx import load_queries
from proof.interleavings import births, bundles, claims, endings, suspensions
from proof.interleavings.case import explore
from proof.interleavings.leftovers import check_leftovers
from proof.interleavings.limits import breakers, gates, hand_overs, lanes, parking
from proof.interleavings.stage import Stage, open_stage
from proof.interleavings.workflows import batches, changes, decisions, handlers, waits
from proof.interleavings.workflows import cases as flows
from proof.zoo.bug import Bug, Words
from proof.zoo.changing import Outgrown
from tests.support.postgres import Postgres

Check = Callable[[Stage], Awaitable[object]]

OF_RUNS = (*claims.CASES, *endings.CASES, *births.CASES, *suspensions.CASES, *bundles.CASES)
OF_FLOWS = (*flows.CASES, *batches.CASES, *waits.CASES, *decisions.CASES, *changes.CASES, *handlers.CASES)
OF_LIMITS = (*gates.CASES, *lanes.CASES, *hand_overs.CASES, *parking.CASES, *breakers.CASES)
CASES = {case.name: case for case in (*OF_RUNS, *OF_FLOWS, *OF_LIMITS)}
CALLED = re.compile(r"mainspring\.(\w+)\(")
LEFTOVERS = "a failed transaction leaves no trace"


async def hunt_in_postgres(bug: Bug, server: Postgres) -> str | None:
    """How the case failed; None if it did not, and the bug has escaped."""
    url = await server.create_migrated()
    try:
        connection = await asyncpg.connect(url)
        try:
            for query, words in bug.functions.items():
                await break_function(connection, query, words)
        finally:
            await connection.close()
        with bug.change():
            return await provoke(bug, url)
    finally:
        await server.drop_database(url)


async def provoke(bug: Bug, url: str) -> str | None:
    try:
        async with open_stage(url) as stage:
            await check_of(bug.caught_by)(stage)
    except Outgrown:
        raise
    except Exception as error:  # noqa: BLE001 whatever it fails with, it fails
        return reason_of(error)
    return None


def reason_of(error: Exception) -> str:
    """What it says, or the line that it comes from."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return str(error).partition(": <Record")[0] or f"{last.line} does not hold"


def check_of(name: str) -> Check:
    return check_leftovers if name == LEFTOVERS else partial(check_case, name)


async def check_case(name: str, stage: Stage) -> int:
    return await explore(stage, CASES[name])


async def break_function(connection: "asyncpg.Connection[Any]", query: str, words: Words) -> None:
    """Replace words of the function that a named query calls, or of one that this calls in turn."""
    [outer, *_] = await definitions_of(connection, CALLED.findall(load_queries()[query]))
    inner = await definitions_of(connection, CALLED.findall(outer)[1:])
    definition = next((text for text in inner if any(old in text for old, _ in words)), outer)
    for old, new in words:
        if old not in definition:
            raise Outgrown(f"what {query} calls has no {old!r}")
        definition = definition.replace(old, new)
    await connection.execute(definition)


async def definitions_of(connection: "asyncpg.Connection[Any]", names: list[str]) -> list[str]:
    """Of those that are functions."""
    sql = (
        "SELECT pg_get_functiondef(p.oid) FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace"
        " WHERE n.nspname = 'mainspring' AND p.proname = $1"
    )
    found = [await connection.fetchval(sql, name) for name in names]
    return [str(text) for text in found if text is not None]
