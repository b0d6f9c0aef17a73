"""One writer, shared commits, one process per file."""

import asyncio
import sqlite3
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mainspring.errors import ConfigError, StoreBusyError, StoreUnavailableError
from mainspring.store import open_store
from mainspring.store.sqlite.connection import Inline, Threaded
from mainspring.store.sqlite.store import SqliteStore
from mainspring.store.sqlite.transactions import Writer
from mainspring.testing.clock import FakeClock
from tests.store.scene import set_scene

OPEN = "import asyncio, sys; from mainspring.store import open_store; asyncio.run(open_store(sys.argv[1]))"


@pytest.fixture
async def connection(tmp_path: Path) -> AsyncIterator[Threaded]:
    threaded = Threaded(str(tmp_path / "mainspring.db"))
    await threaded.write(lambda c: c.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)"))
    yield threaded
    await threaded.close()


async def numbers(connection: Threaded) -> list[int]:
    return await connection.read(lambda c: [row[0] for row in c.execute("SELECT number FROM numbers ORDER BY number")])


async def add(connection: Threaded, number: int) -> None:
    await connection.write(lambda c: c.execute("INSERT INTO numbers VALUES (?)", (number,)))


async def test_calls_that_wait_together_share_one_commit(connection: Threaded) -> None:
    busy, begun = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    seen: list[str] = []
    await connection.write(lambda c: c.set_trace_callback(seen.append))

    def block(_: sqlite3.Connection) -> None:
        loop.call_soon_threadsafe(begun.set)
        busy.wait()

    blocked = asyncio.ensure_future(connection.write(block))
    await begun.wait()
    seen.clear()
    waiting = [asyncio.ensure_future(add(connection, number)) for number in range(20)]
    await asyncio.sleep(0)
    busy.set()
    await asyncio.gather(blocked, *waiting)

    assert seen.count("COMMIT") == 2
    assert await numbers(connection) == list(range(20))


async def test_one_call_that_fails_does_not_take_its_neighbours_along(connection: Threaded) -> None:
    await add(connection, 2)
    answers = await asyncio.gather(*(add(connection, number) for number in (1, 2, 3)), return_exceptions=True)

    assert [type(answer) for answer in answers] == [type(None), sqlite3.IntegrityError, type(None)]
    assert await numbers(connection) == [1, 2, 3]


async def test_a_caller_that_gives_up_does_not_stop_the_others(connection: Threaded) -> None:
    busy = threading.Event()
    blocked = asyncio.ensure_future(connection.write(lambda _: busy.wait()))
    given_up, kept = asyncio.ensure_future(add(connection, 1)), asyncio.ensure_future(add(connection, 2))
    await asyncio.sleep(0)
    given_up.cancel()
    busy.set()
    await asyncio.gather(blocked, kept)

    assert 2 in await numbers(connection)


async def test_a_reading_connection_cannot_write(connection: Threaded) -> None:
    with pytest.raises(StoreUnavailableError):
        await connection.read(lambda c: c.execute("INSERT INTO numbers VALUES (1)"))
    assert await numbers(connection) == []


async def test_a_closed_store_says_so_and_may_be_closed_again(connection: Threaded) -> None:
    await connection.close()
    await connection.close()

    with pytest.raises(StoreUnavailableError, match="closed"):
        await numbers(connection)


async def test_what_was_asked_before_closing_is_done(tmp_path: Path) -> None:
    threaded = Threaded(str(tmp_path / "mainspring.db"))
    made = asyncio.ensure_future(threaded.write(lambda c: c.execute("CREATE TABLE a (b)")))
    await asyncio.sleep(0)
    await threaded.close()

    assert await made is not None


async def test_commits_are_durable_and_only_the_writer_checkpoints(connection: Threaded) -> None:
    def pragma(name: str) -> "asyncio.Future[object]":
        return asyncio.ensure_future(connection.write(lambda c: c.execute(f"PRAGMA {name}").fetchone()[0]))

    assert (await pragma("journal_mode"), await pragma("synchronous")) == ("wal", 2)
    assert await connection.read(lambda c: c.execute("PRAGMA wal_autocheckpoint").fetchone()[0]) == 0


async def test_a_second_store_on_the_file_is_refused(tmp_path: Path) -> None:
    first = await SqliteStore.open(tmp_path / "mainspring.db")
    with pytest.raises(ConfigError, match="in use by another process"):
        await SqliteStore.open(tmp_path / "mainspring.db")
    await first.close()

    await (await SqliteStore.open(tmp_path / "mainspring.db")).close()


async def test_a_second_process_on_the_file_is_refused(sqlite_url: str) -> None:
    first = await open_store(sqlite_url)
    pipe = asyncio.subprocess.PIPE
    second = await asyncio.create_subprocess_exec(sys.executable, "-c", OPEN, sqlite_url, stderr=pipe)
    _, complaint = await second.communicate()
    await first.close()

    assert second.returncode != 0
    assert b"in use by another process" in complaint


async def test_a_folder_that_does_not_exist_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="cannot be opened"):
        await SqliteStore.open(tmp_path / "nowhere" / "mainspring.db")


async def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "mainspring.db").write_bytes(b"hello, this is no database at all" * 100)

    with pytest.raises(StoreUnavailableError, match="not a SQLite database"):
        await SqliteStore.open(tmp_path / "mainspring.db")


def test_inline_every_call_is_done_when_it_is_made() -> None:
    """Driven by hand, without an event loop: a coroutine that never waits ends at its first step."""
    connection = Inline(":memory:")
    call = connection.write(lambda c: c.execute("SELECT 1").fetchone()[0])

    with pytest.raises(StopIteration) as ended:
        call.send(None)
    assert ended.value.value == 1


async def test_the_inline_store_does_the_whole_walk_in_memory() -> None:
    store = SqliteStore.inline(clock=FakeClock())
    await store.migrate()
    scene = await set_scene(store)

    assert await scene.succeed(await scene.started(10)) == 10
    await store.close()


async def test_calls_that_wait_together_wait_for_another_program_once(tmp_path: Path) -> None:
    path = str(tmp_path / "held.db")
    writer = Writer(path)
    writer.commit([lambda c: c.execute("PRAGMA busy_timeout = 1")])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    tries: list[str] = []
    writer._connection.set_trace_callback(tries.append)
    answers = writer.commit([lambda c: c.execute("CREATE TABLE numbers (number INTEGER)")] * 20)
    other.close()
    writer.close()

    assert [type(answer.error) for answer in answers] == [StoreBusyError] * 20
    assert tries.count("BEGIN IMMEDIATE") == 1
