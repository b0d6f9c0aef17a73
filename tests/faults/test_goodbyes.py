"""A claim under way when its executor says goodbye must not end up with nobody."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import pytest

from mainspring.domain.ids import SessionId
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.store.scene import set_scene
from tests.support.processes import eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
WRITERS_WAIT = "LOCK TABLE mainspring.runs IN SHARE MODE"


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    opened = await open_store(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator["asyncpg.Connection[Any]"]:
    opened = await asyncpg.connect(database_url)
    yield opened
    await opened.close()


async def test_a_claim_that_commits_behind_a_goodbye_is_still_taken_back(
    store: Store, connection: "asyncpg.Connection[Any]"
) -> None:
    scene = await set_scene(store)
    await scene.add()
    obstacle = connection.transaction()
    await obstacle.start()
    await connection.execute(WRITERS_WAIT)
    claiming = asyncio.create_task(scene.claim())
    await waiting(connection, 1)
    parting = asyncio.create_task(part(store, scene.session.id, now=START))
    await waiting(connection, 2, unless=parting)
    await obstacle.rollback()
    [claim] = await claiming
    await parting
    dead = await store.cluster.expire(before=START - timedelta(days=1), now=START)

    assert [held.run for held in await scene.held()] == claim.runs
    assert dead == [scene.session.id]


async def part(store: Store, session: SessionId, *, now: datetime) -> None:
    """As a server does at a goodbye, and any server a moment later."""
    await store.cluster.close_session(session, now=now)
    await store.cluster.expire(before=now - timedelta(days=1), now=now)
    await store.cluster.mark_reclaimed()


async def waiting(
    connection: "asyncpg.Connection[Any]", count: int, *, unless: asyncio.Task[None] | None = None
) -> None:
    """Until so many wait for a lock, or that act is over without having waited."""

    async def found() -> bool:
        return (unless is not None and unless.done()) or await connection.fetchval(WAITING) >= count

    await eventually(found, f"{count} statements that wait for a lock")
