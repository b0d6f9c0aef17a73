"""Every way to read the audit log comes by an index that has the entries in order, whatever is in the table."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from mainspring.store.acts.audit import list_statement
from mainspring.store.interface import AuditFilter
from mainspring.store.postgres.tx import load_queries, values
from mainspring.store.sql import Statement
from mainspring.testing.clock import START
from tests.support.postgres import Postgres

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = 50_000
SQL = load_queries()
LATER = START + timedelta(hours=1)

FILL = """
INSERT INTO mainspring.audit (at, actor, token, namespace, act, kind, key, details)
SELECT $1::timestamptz + n * interval '1 second', 'actor ' || n % 50, '', 'namespace ' || n % 20, 'job.update',
  CASE WHEN n % 1000 = 0 THEN 'token' ELSE 'job' END, 'key ' || n % 500, '{}'
FROM generate_series(1, $2::integer) AS n
"""

QUERIES = {
    "audit_at": AuditFilter(),
    "audit_actor": AuditFilter(actor="actor 7"),
    "audit_kind": AuditFilter(kind="token"),
    "audit_key": AuditFilter(key="key 7", kind="job", actor="actor 7", namespace="namespace 7"),
    "audit_actor_kind": AuditFilter(actor="actor 0", kind="token"),
    "audit_namespace": AuditFilter(namespace="namespace 7"),
    "audit_namespace_actor": AuditFilter(namespace="namespace 7", actor="actor 7"),
    "audit_namespace_kind": AuditFilter(namespace="namespace 7", kind="token"),
}
"""By the index that is made for them."""


@pytest_asyncio.fixture(params=["loaded", "analysed"], scope="module", loop_scope="module")
async def connection(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator["asyncpg.Connection[Any]"]:
    url = await postgres.create_migrated()
    opened = await asyncpg.connect(url)
    await opened.execute(FILL, START, ROWS)
    if request.param == "analysed":
        await opened.execute("ANALYZE mainspring.audit")
    yield opened
    await opened.close()
    await postgres.drop_database(url)


@pytest.mark.parametrize("index", QUERIES)
async def test_a_page_is_read_in_order_and_not_sorted(connection: "asyncpg.Connection[Any]", index: str) -> None:
    wanted = QUERIES[index]
    for query in (wanted, behind(wanted)):
        filled, parameters = list_statement(query)
        plan = await explain(connection, SQL.statement(filled), parameters)

        assert "Seq Scan" not in plan, plan
        assert "Sort" not in plan, plan
        assert f"Index Scan Backward using {index} " in plan, plan


async def explain(connection: "asyncpg.Connection[Any]", statement: Statement, parameters: dict[str, object]) -> str:
    async with connection.transaction():
        await connection.execute(SQL["read_in_order"])
        rows = await connection.fetch(f"EXPLAIN {statement.text}", *values(statement, parameters))
        return "\n".join(row[0] for row in rows)


def behind(query: AuditFilter) -> AuditFilter:
    """The next page of a search that does not go back for ever."""
    return AuditFilter(
        namespace=query.namespace,
        actor=query.actor,
        kind=query.kind,
        key=query.key,
        since=START,
        before=(LATER, 3600),
    )
