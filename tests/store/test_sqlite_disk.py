"""When the disk refuses: nothing half-written, an operator's words, and it goes on by itself."""

import asyncio
import resource
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mainspring.errors import StoreUnavailableError
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run
from tests.store.scene import Scene, set_scene

LARGE = b"x" * 200_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mainspring.db"


@pytest.fixture
async def scene(file: Path) -> AsyncIterator[Scene]:
    store = await SqliteStore.open(file)
    await store.migrate()
    yield await set_scene(store)
    await store.close()


async def limit_pages(scene: Scene, extra: int) -> None:
    """Let the database grow by so many pages and no further."""

    def limit(c: sqlite3.Connection) -> None:
        pages = c.execute("PRAGMA page_count").fetchone()[0]
        c.execute(f"PRAGMA max_page_count = {pages + extra}")

    assert isinstance(scene.store, SqliteStore)
    await scene.store.connection.write(limit)


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Have the operating system refuse to write past that size, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_full_disk_refuses_the_write_whole_and_says_so(scene: Scene) -> None:
    await limit_pages(scene, 20)
    runs = [new_run(scene.job.id, scene.line), new_run(scene.job.id, scene.line, input=LARGE)]

    with pytest.raises(StoreUnavailableError, match=r"the disk that holds mainspring\.db is full"):
        await scene.store.runs.create(NAMESPACE, runs, now=START)
    assert await scene.store.runs.states([run.id for run in runs]) == {}


async def test_once_there_is_room_the_same_call_goes_through(scene: Scene) -> None:
    await limit_pages(scene, 20)
    runs = [new_run(scene.job.id, scene.line, input=LARGE)]
    with pytest.raises(StoreUnavailableError):
        await scene.store.runs.create(NAMESPACE, runs, now=START)
    await limit_pages(scene, 1000)

    assert await scene.store.runs.create(NAMESPACE, runs, now=START) == {}
    assert len(await scene.claimed()) == 1


async def test_a_call_that_fits_is_not_refused_for_its_neighbour_that_does_not(scene: Scene) -> None:
    await limit_pages(scene, 20)
    small, large = new_run(scene.job.id, scene.line), new_run(scene.job.id, scene.line, input=LARGE)
    answers = await asyncio.gather(
        scene.store.runs.create(NAMESPACE, [small], now=START),
        scene.store.runs.create(NAMESPACE, [large], now=START),
        return_exceptions=True,
    )

    assert answers[0] == {}
    assert isinstance(answers[1], StoreUnavailableError)
    assert [run for run, _ in await scene.claimed(5)] == [small.id]


async def test_an_attempt_stays_under_way_when_its_outcome_cannot_be_written(scene: Scene, file: Path) -> None:
    started = await scene.started(200)
    with files_no_larger_than(file.with_name("mainspring.db-wal").stat().st_size):
        with pytest.raises(StoreUnavailableError, match=r"mainspring\.db"):
            await scene.succeed(started)
        assert len(await scene.held()) == 200

    assert await scene.succeed(started) == 200


async def test_reading_goes_on_while_nothing_can_be_written(scene: Scene, file: Path) -> None:
    (run,) = await scene.add()
    with files_no_larger_than(file.with_name("mainspring.db-wal").stat().st_size):
        with pytest.raises(StoreUnavailableError):
            await scene.add(100)
        assert (await scene.get(run)).id == run


async def test_what_was_answered_is_in_the_file_after_a_crash(scene: Scene, file: Path, tmp_path: Path) -> None:
    (run,) = await scene.add()
    for part in ("mainspring.db", "mainspring.db-wal"):
        (tmp_path / f"copy-{part}").write_bytes((tmp_path / part).read_bytes())
    (tmp_path / "copy-mainspring.db-wal").rename(tmp_path / "copy.db-wal")
    (tmp_path / "copy-mainspring.db").rename(tmp_path / "copy.db")

    copy = await SqliteStore.open(tmp_path / "copy.db")
    found = await copy.runs.get(NAMESPACE, run)
    await copy.close()
    assert found is not None
