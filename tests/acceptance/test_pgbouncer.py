"""Behind a real PgBouncer in transaction mode everything works, with hints past it or without any."""

from collections.abc import Iterator

import pytest

from tests.acceptance.customer import Customer
from tests.acceptance.scene import PATIENT, Scene, assert_each_ran_once, enqueue, settled
from tests.support.pgbouncer import PgBouncer
from tests.support.postgres import Postgres
from tests.support.processes import ServerProcess, eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

RUNS = 4_000


@pytest.fixture
def pooler(database_url: str) -> Iterator[PgBouncer]:
    started = PgBouncer(database_url)
    started.start()
    yield started
    started.stop()


async def test_a_run_is_enqueued_fails_is_retried_logs_and_settles(
    scene: Scene, pooler: PgBouncer, database_url: str
) -> None:
    server = await scene.server(pooler.url(database_url), listen_url="off", **PATIENT)
    await scene.executors("a", server)
    [retried] = await enqueue(server, "fail_first")
    [failed] = await enqueue(server, "fail")
    runs = await settled(server, 2)

    assert (runs[retried].state, runs[retried].result, runs[retried].failures) == ("succeeded", 2, 1)
    assert (runs[failed].state, runs[failed].reason) == ("failed", "attempts_spent")
    assert await logged(server, retried) == ["attempt 1", "attempt 2"]


@pytest.mark.parametrize("hints", ["off", "direct"])
async def test_two_servers_drain_together_through_the_pooler(
    scene: Scene, pooler: PgBouncer, database_url: str, hints: str
) -> None:
    listen_url = "off" if hints == "off" else database_url
    servers = await scene.servers(2, pooler.url(database_url), listen_url=listen_url, **PATIENT)
    for server, name in zip(servers, "ab", strict=True):
        await scene.executors(name, server)
    customer = Customer(servers)
    await customer.ask("noop", RUNS)
    runs = await settled(servers[0], RUNS)

    assert runs.keys() == set(customer.accepted)
    assert_each_ran_once(scene, runs)
    assert {run.executor for run in runs.values()} == {"a", "b"}
    assert all("Traceback" not in server.said for server in servers)


async def test_a_pooler_that_is_restarted_under_load_costs_only_time(
    scene: Scene, pooler: PgBouncer, database_url: str
) -> None:
    server = await scene.server(pooler.url(database_url), listen_url="off", **PATIENT)
    await scene.executors("a", server)
    customer = Customer([server])
    asking = customer.begin("noop", RUNS)
    await scene.written(RUNS // 2)
    pooler.pause()
    await server.says("the store is away")
    pooler.start()
    await asking
    runs = await settled(server, RUNS)

    assert runs.keys() == set(customer.accepted)
    assert_each_ran_once(scene, runs)


async def test_a_schema_is_migrated_through_the_pooler(scene: Scene, postgres: Postgres, postgres_url: str) -> None:
    pooler = PgBouncer(postgres_url)
    pooler.start()
    try:
        migrated = await scene.fleet.command("migrate", MAINSPRING_DATABASE_URL=pooler.url(postgres_url)).wait()
        server = await scene.server(pooler.url(postgres_url), listen_url="off")
    finally:
        pooler.stop()

    assert migrated == 0
    assert server.url


async def logged(server: ServerProcess, run: str) -> list[str]:
    async def lines() -> list[str]:
        async with server.client() as client:
            return [line.message for line in (await client.logs(run)).logs]

    async def both() -> bool:
        return len(await lines()) == 2

    await eventually(both, "the log of both attempts")
    return await lines()
