"""Who may read the file of a database."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mainspring.store.sqlite.store import SqliteStore


@pytest.fixture(autouse=True)
def generous() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


async def test_a_new_file_and_what_is_kept_beside_it_are_for_their_owner_alone(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "some.db")
    await store.migrate()
    found = modes(tmp_path)
    await store.close()

    assert found == dict.fromkeys(("some.db", "some.db-wal", "some.db-shm", "some.db.lock"), 0o600)


async def test_an_older_file_is_taken_from_others_and_that_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("old.db", "old.db.lock", "old.db-shm"):
        (tmp_path / name).touch(0o644)
    for _ in range(2):
        store = await SqliteStore.open(tmp_path / "old.db")
        await store.migrate()
        await store.close()

    assert set(modes(tmp_path).values()) == {0o600}
    assert caplog.text.count("old.db could be read by others (644): now only by its owner") == 1
