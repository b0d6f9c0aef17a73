"""The session that holds back vacuum is found by its name."""

from datetime import timedelta

import asyncpg
import pytest

from mainspring.clock import SystemClock
from mainspring.scheduler.facts import DatabaseWatched, Facts
from mainspring.scheduler.insights import watch_database
from mainspring.scheduler.insights.watch_database import WatchDatabase
from mainspring.store import open_store
from tests.support.postgres import Postgres

pytestmark = pytest.mark.postgres


async def test_a_transaction_that_stays_open_is_named_with_its_application(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    url = await postgres.create_migrated()
    store = await open_store(url)
    session = await asyncpg.connect(url, server_settings={"application_name": "metabase"})
    monkeypatch.setattr("mainspring.domain.cluster.watch.HELD_TOO_LONG", timedelta(0))
    seen: list[DatabaseWatched] = []
    facts = Facts()
    facts.subscribe(DatabaseWatched, seen.append)
    duty = WatchDatabase(store, SystemClock(), facts)
    async with session.transaction(isolation="repeatable_read"):
        await session.fetch("SELECT count(*) FROM mainspring.runs")
        await duty.tick()
        await duty.tick()
    await duty.tick()
    pid = session.get_server_pid()
    await session.close()
    await store.close()
    await postgres.drop_database(url)
    said = [record.getMessage() for record in caplog.records if record.name == watch_database.log.name]
    [first, second, last] = [each.watch.holder for each in seen]

    assert first is not None
    assert (first.kind, first.name, first.pid, first.state) == ("session", "metabase", pid, "idle in transaction")
    assert second is not None
    assert second.seconds > first.seconds
    assert last is None or last.pid != pid
    assert len([line for line in said if f"session {pid} of metabase" in line]) == 1


async def test_slots_without_a_reader_and_the_days_of_history_are_seen(postgres: Postgres) -> None:
    url = await postgres.create_migrated()
    store, session = await open_store(url), await asyncpg.connect(url)
    now = await store.clock()
    await store.cluster.prepare_history(now=now, days=7)
    await session.execute("SELECT pg_create_physical_replication_slot('left_behind', true)")
    try:
        found = await store.cluster.watch(now=now)
    finally:
        await session.execute("SELECT pg_drop_replication_slot('left_behind')")
        await session.close()
        await store.close()
        await postgres.drop_database(url)

    assert [(one.name, one.lost, one.kept >= 0) for one in found.slots] == [("left_behind", False, True)]
    assert found.oldest_day is not None
    assert found.newest_day is not None
    assert found.oldest_day <= now.date() < found.newest_day
    assert list(found.faults(now.date(), 30)) == []
