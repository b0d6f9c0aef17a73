"""Looking at a database as an operator would, which changes nothing."""

from pathlib import Path

import pytest

from mainspring.errors import ConfigError, StoreUnavailableError
from mainspring.store import look_at, open_store
from mainspring.store.interface import Store


async def test_a_database_in_use_can_be_looked_at(store: Store, store_url: str, database: str) -> None:
    facts = await look_at(store_url)
    product, setting = ("SQLite", "journal_mode") if database == "sqlite" else ("PostgreSQL", "synchronous_commit")

    assert facts.product == product
    assert facts.version >= (3, 38)
    assert facts.schema == ""
    assert facts.size > 0
    assert facts.settings[setting] in {"wal", "on", "off"}
    assert (facts.room is None) is (database != "sqlite")
    assert (facts.connections > 0) is (database != "sqlite")


async def test_a_server_looks_with_the_condition(store: Store, database: str) -> None:
    facts = await store.cluster.facts(now=await store.clock())

    assert facts.product == ("SQLite" if database == "sqlite" else "PostgreSQL")
    assert facts.watch is not None
    assert facts.size > 0
    assert (facts.connections > 0) is (database != "sqlite")


@pytest.fixture
def empty_file(sqlite_url: str) -> None:
    """A SQLite file in which there is nothing yet."""
    Path(sqlite_url.removeprefix("sqlite:///")).touch()


async def test_a_schema_that_is_missing_is_said_and_not_made(empty_url: str, empty_file: None) -> None:
    facts = await look_at(empty_url)
    store = await open_store(empty_url)
    pending = await store.pending()
    await store.close()

    assert "the database's schema is at 0" in facts.schema
    assert "0001" in next(iter(pending))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("sqlite:////nowhere/at/all.db", "does not exist yet"),
        ("postgresql://127.0.0.1:1/none", "PostgreSQL"),
    ],
)
async def test_a_database_that_is_not_there_is_said(url: str, reason: str) -> None:
    with pytest.raises(StoreUnavailableError, match=reason):
        await look_at(url)


async def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, but long enough to be read as the head of one " * 10)

    with pytest.raises(StoreUnavailableError, match="is not a SQLite database"):
        await look_at(f"sqlite:///{tmp_path / 'text.db'}")


async def test_only_known_databases_are_looked_at() -> None:
    with pytest.raises(ConfigError, match="not with mysql"):
        await look_at("mysql://somewhere")
