"""Locks that other programs hold, and connections that break at a commit: waits are bounded, and what is said is true."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from mainspring.errors import ConflictError, StoreBusyError, StoreUnavailableError
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.store.postgres import connection
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run
from tests.postgres.relay import relay_to
from tests.store.scene import set_scene

LOCKS = {
    "an index that is built on runs": "LOCK TABLE mainspring.runs IN SHARE MODE",
    "runs that are rewritten": "LOCK TABLE mainspring.runs IN ACCESS EXCLUSIVE MODE",
    "keys that are rewritten": "LOCK TABLE mainspring.keys IN ACCESS EXCLUSIVE MODE",
}


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LOCK_TIMEOUT", 0.1)


@pytest.fixture
async def store(postgres_url: str) -> AsyncIterator[Store]:
    opened = await open_store(postgres_url)
    await opened.migrate()
    yield opened
    await opened.close()


@asynccontextmanager
async def another_program(url: str, *statements: str) -> AsyncIterator[None]:
    """Holds what these statements take, for as long as the block lasts."""
    other = await asyncpg.connect(url)
    holding = other.transaction()
    await holding.start()
    for statement in statements:
        await other.execute(statement)
    yield
    await holding.rollback()
    await other.close()


@pytest.mark.parametrize("statement", LOCKS.values(), ids=LOCKS)
async def test_a_lock_on_a_table_is_no_key_that_is_held(store: Store, postgres_url: str, statement: str) -> None:
    scene = await set_scene(store)
    run = new_run(scene.job.id, scene.line, key="fresh")
    async with another_program(postgres_url, statement):
        with pytest.raises(StoreBusyError, match="another program holds a lock") as busy:
            await store.runs.create(NAMESPACE, [run], now=START)
    holders = await store.runs.create(NAMESPACE, [run], now=START)

    assert (busy.value.code, busy.value.in_doubt) == ("store_busy", False)
    assert holders == {}


async def test_runs_without_a_key_wait_for_a_lock_only_so_long(store: Store, postgres_url: str) -> None:
    scene = await set_scene(store)
    one, *many = (new_run(scene.job.id, scene.line) for _ in range(4))
    async with another_program(postgres_url, LOCKS["an index that is built on runs"]):
        for runs in ([one], many):
            with pytest.raises(StoreBusyError):
                await store.runs.create(NAMESPACE, runs, now=START)

    assert await store.runs.create(NAMESPACE, [one, *many], now=START) == {}


async def test_a_list_waits_for_a_table_that_is_rewritten_only_so_long(store: Store, postgres_url: str) -> None:
    scene = await set_scene(store)
    [run] = await scene.add()
    async with another_program(postgres_url, LOCKS["runs that are rewritten"]):
        with pytest.raises(StoreBusyError):
            await store.runs.get(NAMESPACE, run)


async def test_a_key_that_a_transaction_holds_is_still_told_as_such(store: Store, postgres_url: str) -> None:
    scene = await set_scene(store)
    run = new_run(scene.job.id, scene.line, key="held")
    taking = (
        "INSERT INTO mainspring.keys (namespace, key, run, digest, created_at)"
        f" VALUES ('{NAMESPACE}', 'held', gen_random_uuid(), 'digest', now())"
    )
    async with another_program(postgres_url, taking):
        with pytest.raises(ConflictError, match="held by a transaction") as busy:
            await store.runs.create(NAMESPACE, [run], now=START)

    assert busy.value.code == "key_busy"


@pytest.mark.parametrize("key", [None, "k"])
async def test_a_commit_whose_answer_is_lost_twice_is_in_doubt_and_stored(
    store: Store, postgres_url: str, key: str | None
) -> None:
    scene = await set_scene(store)
    run, before = new_run(scene.job.id, scene.line, key=key), new_run(scene.job.id, scene.line, key=key and "other")
    async with relay_to(postgres_url) as relay:
        cut_off = await open_store(relay.url)
        # The statement is prepared by this, so that the next answer is that of a commit.
        await cut_off.runs.create(NAMESPACE, [before], now=START)
        relay.loses_answers = True
        with pytest.raises(StoreUnavailableError) as lost:
            await cut_off.runs.create(NAMESPACE, [run], now=START)
        await cut_off.close()
    stored = await store.runs.get(NAMESPACE, run.id)

    assert lost.value.in_doubt
    assert stored is not None


async def test_what_never_reached_the_database_is_not_in_doubt(store: Store, postgres_url: str) -> None:
    scene = await set_scene(store)
    run = new_run(scene.job.id, scene.line)
    async with relay_to(postgres_url) as relay:
        relay.refuses = True
        cut_off = await open_store(relay.url)
        with pytest.raises(StoreUnavailableError) as lost:
            await cut_off.runs.create(NAMESPACE, [run], now=START)
        await cut_off.close()

    assert not lost.value.in_doubt
    assert str(lost.value) in {
        "the connection to PostgreSQL was lost",
        "PostgreSQL cannot be reached: connection reset by peer",
    }
