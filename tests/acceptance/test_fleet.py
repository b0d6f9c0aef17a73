"""Two servers and four executors on one PostgreSQL work as one."""

import asyncio
from contextlib import suppress

import pytest

from mainspring import AsyncClient, Client
from mainspring.errors import NotFoundError
from tests.acceptance.customer import Customer
from tests.acceptance.scene import PATIENT, QUICK, Scene, assert_each_ran_once, enqueue, settled
from tests.support.processes import API_TOKEN, eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

RUNS = 8_000
RUN = "0190b2f4-0000-7000-8000-000000000000"


async def test_two_servers_and_four_executors_drain_together(scene: Scene, database_url: str) -> None:
    one, other = servers = await scene.servers(2, database_url, **PATIENT)
    executors = [*await scene.executors("ab", one), *await scene.executors("cd", other)]
    customer = Customer(servers)
    await customer.ask("noop", RUNS)
    runs = await settled(one, RUNS)

    assert runs.keys() == set(customer.accepted)
    assert customer.refusals == 0
    assert_each_ran_once(scene, runs)
    assert scene.ledger.pids() == {executor.pid for executor in executors}
    assert {run.executor for run in runs.values()} == {"a", "b", "c", "d"}


async def test_a_run_accepted_by_one_server_starts_on_the_executor_of_another(scene: Scene, database_url: str) -> None:
    one, other = await scene.servers(2, database_url, **PATIENT)
    [executor] = await scene.executors("a", other)

    async def accepted() -> list[str]:
        # What an executor brings is known elsewhere within a poll.
        with suppress(NotFoundError):
            return await enqueue(one, "noop")
        return []

    [run] = await eventually(accepted, "a run of the job that came through the other server")
    runs = await settled(one, 1)

    assert_each_ran_once(scene, runs)
    assert await scene.begun(run) == executor.pid


async def test_a_client_that_was_given_one_server_goes_on_with_another(scene: Scene, database_url: str) -> None:
    one, other = await scene.servers(2, database_url, **QUICK)
    client, plain = AsyncClient(one.url, token=API_TOKEN), Client(one.url, token=API_TOKEN)

    async def told() -> bool:
        # A server knows of another one once it has renewed its own row.
        found = await client.servers.list()
        await asyncio.to_thread(plain.servers.list)
        return len(found.servers) == 2 and all(side._open()._route.only is None for side in (client, plain))

    await eventually(told, "both servers are known")
    await one.kill()

    assert await client.list(limit=1)
    assert await asyncio.to_thread(plain.list, limit=1)
    with pytest.raises(NotFoundError):
        await client.get(RUN)
    await client.close()
    plain.close()
    assert other.url
