"""How SQLite reads the audit log: by the index that has the entries in order."""

import sqlite3
from collections.abc import AsyncIterator
from itertools import product

import pytest
import pytest_asyncio

from mainspring.store.acts.audit import list_statement
from mainspring.store.interface import AuditFilter
from mainspring.store.sqlite.store import SqliteStore
from mainspring.store.sqlite.tx import encoded, load_queries
from mainspring.testing.clock import START, FakeClock

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILTERS = ("namespace", "actor", "kind", "key")
COMBINATIONS = list(product([False, True], repeat=len(FILTERS)))

queries = load_queries()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def store() -> AsyncIterator[SqliteStore]:
    opened = SqliteStore.inline(clock=FakeClock())
    await opened.migrate()
    yield opened
    await opened.close()


@pytest.mark.parametrize("chosen", COMBINATIONS, ids=str)
@pytest.mark.parametrize("bounded", [False, True])
async def test_a_page_is_read_in_order_and_not_sorted(
    store: SqliteStore, chosen: tuple[bool, ...], bounded: bool
) -> None:
    named = {name: "x" for name, wanted in zip(FILTERS, chosen, strict=True) if wanted}
    bounds = {"since": START, "before": (START, 7)} if bounded else {}
    filled, parameters = list_statement(AuditFilter(**named, **bounds))  # type: ignore[arg-type]
    statement = queries.statement(filled).text

    def explain(c: sqlite3.Connection) -> list[str]:
        return [row["detail"] for row in c.execute(f"EXPLAIN QUERY PLAN {statement}", encoded(parameters))]

    steps = await store.connection.read(explain)
    assert len(steps) == 1
    assert "TEMP B-TREE" not in steps[0]
    assert "USING INDEX audit_" in steps[0]
    assert any(chosen) is ("=?" in steps[0])
    assert ("key" in named) is ("audit_key " in steps[0])
