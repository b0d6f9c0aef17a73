"""The audit log: whole, in order, by any filter, and append-only."""

from datetime import timedelta

import asyncpg
import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.store.interface import AuditFilter, Store
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import START, FakeClock
from tests.store.access_samples import ANNA, entry

BERT = Actor("bert", "b1")
CHANGES = ["UPDATE {audit} SET actor = 'nobody'", "DELETE FROM {audit}"]


async def write(store: Store) -> None:
    for number in range(12):
        await store.access.append_audit(
            entry(
                "queue.pause" if number % 2 else "job.update",
                at=START + timedelta(minutes=number // 2),
                actor=BERT if number % 3 else ANNA,
                namespace="team" if number % 4 else "default",
                key=str(number % 5),
            )
        )


async def test_entries_come_back_whole_and_newest_first(store: Store) -> None:
    await write(store)
    page = await store.access.audit(AuditFilter(limit=50))

    assert [(each.at, position) for position, each in page] == sorted(
        ((each.at, position) for position, each in page), reverse=True
    )
    assert page[-1][1] == entry("job.update", actor=ANNA, namespace="default", key="0")


@pytest.mark.parametrize(
    "wanted",
    [
        {"actor": "anna"},
        {"kind": "queue"},
        {"key": "3"},
        {"namespace": "team"},
        {"since": START + timedelta(minutes=3)},
        {"actor": "bert", "kind": "job"},
        {"namespace": "team", "actor": "bert", "kind": "queue", "key": "1", "since": START + timedelta(minutes=1)},
        {"actor": "nobody"},
        {"act": "queue.pause"},
        {"act": "queue.pause", "kind": "queue", "until": START + timedelta(minutes=3)},
        {"until": START + timedelta(minutes=2)},
    ],
    ids=str,
)
async def test_filters_select_and_pages_join(store: Store, wanted: dict[str, object]) -> None:
    await write(store)
    everything = await store.access.audit(AuditFilter(limit=50))
    matching = [(position, each) for position, each in everything if matches(each, wanted)]
    pages: list[object] = []
    before = None
    while page := await store.access.audit(AuditFilter(**wanted, before=before, limit=2)):  # type: ignore[arg-type]
        pages += page
        before = (page[-1][1].at, page[-1][0])

    assert pages == matching


def matches(each, wanted) -> bool:  # type: ignore[no-untyped-def]
    shown = {"act": each.act, "actor": each.actor.name, "kind": each.kind, "key": each.key, "namespace": each.namespace}
    times = {"since": lambda at: each.at >= at, "until": lambda at: each.at < at}
    return all(times[name](value) if name in times else shown[name] == value for name, value in wanted.items())


@pytest.mark.parametrize("change", CHANGES)
async def test_sqlite_lets_nobody_change_the_log(change: str) -> None:
    store = SqliteStore.inline(clock=FakeClock())
    await store.migrate()
    await store.access.append_audit(entry())

    with pytest.raises(Exception, match="append-only"):
        await store.connection.write(lambda c: c.execute(change.format(audit="audit")))
    assert len(await store.access.audit(AuditFilter())) == 1
    await store.close()


@pytest.mark.postgres
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
@pytest.mark.parametrize("change", [*CHANGES, "TRUNCATE {audit}"])
async def test_postgres_lets_nobody_change_the_log(store: Store, store_url: str, change: str) -> None:
    await store.access.append_audit(entry())
    connection = await asyncpg.connect(store_url)

    with pytest.raises(asyncpg.RaiseError, match="append-only"):
        await connection.execute(change.format(audit="mainspring.audit"))
    await connection.close()
    assert len(await store.access.audit(AuditFilter())) == 1
