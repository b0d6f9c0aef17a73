"""The runs of the shared table, created by the SQL functions."""

import asyncio
import hashlib
import json
from typing import Any

import pytest

from mainspring.clock import SystemClock
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.metadata import read_metadata
from mainspring.domain.routing.route import Route
from mainspring.store import open_store
from tests.contrib.shop import Onlooker
from tests.contrib.sql import Connection, enqueue_many
from tests.domain.birth_cases import CASES, Case, born

pytestmark = pytest.mark.postgres

RUN = """
SELECT r.priority, l.queue, r.due_at, r.deadline_at, r.extra, k.key, r.input, r.created_at, k.digest,
  ARRAY(SELECT m.mark FROM mainspring.marks AS m WHERE m.run = r.id ORDER BY m.mark)
FROM mainspring.runs AS r
JOIN mainspring.lines AS l ON l.id = r.line
LEFT JOIN mainspring.keys AS k ON k.run = r.id
"""
SPREAD = {"sliced": Policy(slices=2), "broadcast": Policy(route=Route("broadcast"))}


@pytest.fixture(scope="module", autouse=True)
def jobs(shop_url: str) -> None:
    async def register() -> None:
        store = await open_store(shop_url)
        try:
            specs = [case.spec() for case in CASES] + [
                JobSpec(name=name, handler="print", policy=policy) for name, policy in SPREAD.items()
            ]
            await store.jobs.register("default", specs, now=SystemClock().now())
        finally:
            await store.close()

    asyncio.run(register())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_request_in_sql_becomes_the_same_run(connection: Connection, onlooker: Onlooker, case: Case) -> None:
    enqueue_many(connection, [case.body(SystemClock().now())])
    connection.commit()
    [row] = onlooker.all(RUN)

    priority, queue, due_at, column, extra, key, arguments, now, digest, marks = row
    read = read_metadata(extra)
    stored = born(
        priority=priority,
        queue=queue,
        due_at=due_at,
        column=column,
        extra=read,
        key=key,
        arguments=arguments,
        now=now,
    )
    assert stored == case.born
    assert marks == sorted([*read.tags, *(f"{name}={value}" for name, value in read.labels.items())])
    assert digest == (None if key is None else expected_digest(case.name, case.call["input"]))


def expected_digest(job: str, arguments: dict[str, Any]) -> bytes:
    return hashlib.sha256(job.encode() + b"\0" + json.dumps(arguments).encode()).digest()


@pytest.mark.parametrize("job", SPREAD)
def test_a_run_with_children_stands_where_servers_begin_it(
    connection: Connection, onlooker: Onlooker, job: str
) -> None:
    enqueue_many(connection, [{"job": job}])
    connection.commit()

    [[handler]] = onlooker.all("SELECT l.handler FROM mainspring.runs AS r JOIN mainspring.lines AS l ON l.id = r.line")
    assert handler == "workflow"
