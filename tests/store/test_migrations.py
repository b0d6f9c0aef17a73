"""Bringing a database to the schema: from nothing, twice, at once, and never backwards."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mainspring.errors import SchemaError
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.store.migrate import Applied, Migration, check_current, pending, read_migrations

FIRST = Migration(1, "0001_initial", "CREATE TABLE a (b)")
SECOND = Migration(2, "0002_more", "CREATE TABLE c (d)")


def applied(*migrations: Migration) -> list[Applied]:
    return [Applied(one.version, one.name, one.checksum) for one in migrations]


@pytest.fixture
async def empty(empty_url: str) -> AsyncIterator[Store]:
    opened = await open_store(empty_url)
    yield opened
    await opened.close()


async def test_a_fresh_database_says_what_is_pending_and_how_to_migrate(empty: Store) -> None:
    names = list(await empty.pending())

    assert names[0] == "0001_jobs_and_runs"
    with pytest.raises(SchemaError, match="run `mainspring migrate`"):
        await empty.check_schema()


async def test_migrating_applies_all_in_order_and_then_nothing_more(empty: Store) -> None:
    names = list(await empty.pending())

    assert await empty.migrate() == names
    assert await empty.migrate() == []
    assert await empty.pending() == {}
    await empty.check_schema()


async def test_migrating_many_times_at_once_applies_each_once(empty: Store) -> None:
    names = list(await empty.pending())
    answers = await asyncio.gather(*(empty.migrate() for _ in range(4)))

    assert sorted(name for names in answers for name in names) == names
    await empty.check_schema()


def test_missing_migrations_are_pending_in_order() -> None:
    assert pending([FIRST, SECOND], []) == [FIRST, SECOND]
    assert pending([FIRST, SECOND], applied(FIRST)) == [SECOND]
    assert pending([FIRST, SECOND], applied(FIRST, SECOND)) == []


def test_a_newer_schema_is_refused_with_the_way_out() -> None:
    with pytest.raises(SchemaError, match="schema is at 2, this version knows 1: upgrade mainspring"):
        pending([FIRST], applied(FIRST, SECOND))


def test_an_older_schema_is_refused_with_the_way_out() -> None:
    with pytest.raises(SchemaError, match="schema is at 1, this version needs 2: run `mainspring migrate`"):
        check_current([FIRST, SECOND], applied(FIRST))


def test_a_migration_edited_after_it_was_applied_is_refused() -> None:
    with pytest.raises(SchemaError, match="0001_initial"):
        pending([FIRST], [Applied(1, "0001_initial", "another checksum")])


def test_files_are_read_in_order_and_must_leave_no_gap(tmp_path: Path) -> None:
    (tmp_path / "0002_more.sql").write_text("-- no-transaction\nSELECT 2")
    (tmp_path / "0001_initial.sql").write_text("SELECT 1")
    (tmp_path / "notes.txt").write_text("not a migration")

    read = read_migrations(tmp_path)
    assert [(one.name, one.transactional) for one in read] == [("0001_initial", True), ("0002_more", False)]
    (tmp_path / "0001_initial.sql").unlink()
    with pytest.raises(SchemaError, match="0001"):
        read_migrations(tmp_path)
