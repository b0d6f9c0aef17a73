"""Looking at a database as an operator would, which changes nothing."""

from pathlib import Path

import msgspec
import pytest

from mainspring.errors import ConfigError, StoreUnavailableError
from mainspring.store import look_at, open_store
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.factories import LEASE, ids, server_info, session


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


async def test_what_keeps_the_cluster_going_can_be_looked_at(store: Store, database: str) -> None:
    now = await store.clock()
    server, one = server_info(lease_until=now + LEASE), session()
    await store.cluster.join(server, now=now)
    await store.cluster.open_session(one, now=now)
    await store.alerts.hold("held", server.id, now=now, until=now + LEASE)
    await store.alerts.hold("orphaned", ids.server(), now=now, until=now + LEASE)
    await store.cluster.prepare_history(now=now, days=1)
    usage = await store.cluster.usage()

    assert usage.leases == (one.lease_until,)
    assert [(duty.duty, duty.server, duty.until) for duty in usage.duties] == [
        ("held", server.name, now + LEASE),
        ("orphaned", "", now + LEASE),
    ]
    assert now.date() in [day.day for day in usage.days] or database == "sqlite"
    assert all((day.size is None) is (database == "sqlite") for day in usage.days)


async def test_a_server_tells_the_others_how_it_fares(store: Store) -> None:
    server = msgspec.structs.replace(server_info(), commit_p99=0.004, loop_delay=0.25)
    await store.cluster.join(server, now=START)

    assert await store.cluster.servers(now=START) == [server]


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
