"""A server that is killed in the middle of a drain loses nothing, and no run begins twice because of it."""

import pytest

from tests.acceptance.customer import Customer
from tests.acceptance.scene import PATIENT, Scene, assert_each_ran_once, settled

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

RUNS = 20_000


async def test_executors_and_clients_go_on_with_the_other_server(scene: Scene, database_url: str) -> None:
    victim, survivor = servers = await scene.servers(2, database_url, **PATIENT)
    await scene.executors("a", victim, survivor)
    await scene.executors("b", survivor, victim)
    customer = Customer(servers)
    asking = customer.begin("noop", RUNS)
    await scene.written(RUNS // 2)
    await victim.kill()
    await asking
    runs = await settled(survivor, RUNS)

    assert runs.keys() == set(customer.accepted)
    assert_each_ran_once(scene, runs)


async def test_a_single_server_goes_on_where_it_was_killed(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **PATIENT)
    await scene.executors("ab", server)
    customer = Customer([server])
    asking = customer.begin("noop", RUNS)
    await scene.written(RUNS // 2)
    await server.kill()
    server.start()
    await asking
    runs = await settled(server, RUNS)

    assert runs.keys() == set(customer.accepted)
    assert_each_ran_once(scene, runs)
