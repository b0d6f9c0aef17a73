"""SIGTERM: what has begun is finished, what has not is handed back, and nobody is blamed for it."""

import signal

import pytest

from tests.acceptance.customer import Customer
from tests.acceptance.scene import PATIENT, Scene, assert_each_ran_once, enqueue, settled
from tests.support.processes import eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

RUNS = 8_000
THREADS = 3
HELD = 12
DELAY = 5.0
"""Seconds in which a load balancer would learn of the end."""


async def test_an_executor_that_drains_finishes_what_it_began_and_hands_back_the_rest(
    scene: Scene, database_url: str
) -> None:
    server = await scene.server(database_url, **PATIENT)
    gate = scene.gate()
    [leaving] = await scene.executors("a", server, pools=(f"threads=0:{THREADS}:50",))
    accepted = await enqueue(server, "hold", HELD, gate=gate.path)
    await scene.written(THREADS)
    [staying] = await scene.executors("b", server, pools=(f"threads=0:{HELD}:50",))
    leaving.signal(signal.SIGTERM)
    await scene.written(HELD)
    gate.open()
    code = await leaving.wait()
    runs = await settled(server, HELD)

    assert code == 0
    assert runs.keys() == set(accepted)
    assert_each_ran_once(scene, runs)
    begun = [entries[0].pid for entries in scene.ledger.starts().values()]
    assert (begun.count(leaving.pid), begun.count(staying.pid)) == (THREADS, HELD - THREADS)


async def test_an_executor_may_leave_in_the_middle_of_a_drain(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **PATIENT)
    leaving, staying = await scene.executors("ab", server)
    customer = Customer([server])
    asking = customer.begin("noop", RUNS)
    await scene.written(RUNS // 2)
    code = await leaving.terminate()
    await asking
    runs = await settled(server, RUNS)

    assert code == 0
    assert runs.keys() == set(customer.accepted)
    assert_each_ran_once(scene, runs)
    assert scene.ledger.pids() == {leaving.pid, staying.pid}


async def test_a_server_may_leave_in_the_middle_of_a_drain(scene: Scene, database_url: str) -> None:
    leaving, staying = servers = await scene.servers(2, database_url, **PATIENT)
    executors = await scene.executors("ab", leaving, staying)
    customer = Customer(servers)
    asking = customer.begin("noop", RUNS)
    await scene.written(RUNS // 2)
    code = await leaving.terminate()
    await asking
    runs = await settled(staying, RUNS)
    for executor in executors:
        await executor.says(staying.url)

    assert code == 0
    assert runs.keys() == set(customer.accepted)
    assert_each_ran_once(scene, runs)


async def test_executors_wait_for_a_single_server_that_is_restarted(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **PATIENT)
    gate = scene.gate()
    [executor] = await scene.executors("a", server)
    [run] = await enqueue(server, "hold", gate=gate.path)
    pid = await scene.begun(run)
    code = await server.terminate()
    gate.open()
    await eventually(lambda: run in scene.ledger.ends(), "the end of the handler while no server is there")
    server.start()
    await server.ready()
    runs = await settled(server, 1)

    assert code == 0
    assert_each_ran_once(scene, runs)
    assert (runs[run].result, runs[run].attempt) == (pid, 1)
    assert executor.pid == pid


async def test_a_server_that_is_to_end_says_so_and_goes_on_taking_calls_for_its_drain_delay(
    scene: Scene, database_url: str
) -> None:
    server = await scene.server(database_url, drain_delay=DELAY)
    server.signal(signal.SIGTERM)

    async def says_so() -> bool:
        found = await server.readiness()
        return found is not None and found.code == 503

    await eventually(says_so, "a server that is not ready")
    async with server.http() as http:
        answer = await http.get("/api/v1/runs")

    assert answer.status_code == 200
    assert await server.wait() == 0
