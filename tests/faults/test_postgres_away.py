"""PostgreSQL is away at the start, or goes away under load: servers say so, wait, and go on by themselves."""

import asyncio

import httpx2
import pytest

from tests.acceptance.customer import Customer
from tests.acceptance.scene import PATIENT, Scene, assert_each_ran_once, enqueue, settled
from tests.faults.outage import PrivateCluster
from tests.support.processes import Readiness, ServerProcess, eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

RUNS = 6_000


async def test_a_server_waits_for_a_database_that_is_away_at_its_start(scene: Scene, cluster: PrivateCluster) -> None:
    url = await cluster.migrated()
    await cluster.go_away()
    server = await scene.fleet.server(url).listening()
    await server.says("waiting for the database")
    refused = await unready(server)
    answer = await asked(server)
    await cluster.come_back()
    await server.ready()
    await scene.executors("a", server)
    [run] = await enqueue(server, "noop")
    runs = await settled(server, 1)

    assert (refused.code, answer.status_code) == (503, 503)
    assert "the database cannot be reached" in refused.reason
    assert list(runs) == [run]


async def test_a_server_that_waits_for_its_database_can_be_stopped(scene: Scene, cluster: PrivateCluster) -> None:
    await cluster.go_away()
    server = await scene.fleet.server(cluster.url).listening()
    await server.says("waiting for the database")

    assert await server.terminate() == 0


@pytest.mark.parametrize("how", ["immediate", "fast"])
async def test_a_database_that_goes_away_under_load_costs_only_time(
    scene: Scene, cluster: PrivateCluster, how: str
) -> None:
    server = await scene.server(await cluster.migrated(), **PATIENT)
    await scene.executors("ab", server)
    customer = Customer([server])
    asking = customer.begin("noop", RUNS)
    await scene.written(RUNS // 2)
    await cluster.go_away(how)
    refused, answer = await unready(server), await asked(server)
    listed = await asked(server, "GET")
    await cluster.come_back()
    await asking
    runs = await settled(server, RUNS)
    await server.says("the store is back")

    assert "the store is away" in server.said
    assert refused.code == 503
    for problem in (answer, listed):
        assert problem.status_code == 503
        assert problem.headers["content-type"] == "application/problem+json"
        assert int(problem.headers["retry-after"]) > 0
        assert problem.json()["code"] == "store_unavailable"
    assert runs.keys() == set(customer.accepted)
    assert_each_ran_once(scene, runs)


async def test_requests_without_a_key_are_refused_or_accepted_but_never_lost(
    scene: Scene, cluster: PrivateCluster
) -> None:
    server = await scene.server(await cluster.migrated(), **PATIENT)
    await scene.executors("a", server)
    callers = [asyncio.create_task(ask_until_refused(server)) for _ in range(8)]
    await scene.written(200)
    await cluster.go_away()
    accepted = {run for caller in callers for run in await caller}
    await cluster.come_back()
    await server.ready(executors=1)
    known = set(await settled(server))

    assert accepted <= known
    assert len(known - accepted) <= len(callers)


async def ask_until_refused(server: ServerProcess) -> list[str]:
    accepted: list[str] = []
    async with server.http() as http:
        while True:
            answer = await http.post("/api/v1/runs", json={"job": "noop"})
            if answer.status_code != 201:
                assert answer.status_code == 503
                return accepted
            accepted.append(answer.json()["id"])


async def asked(server: ServerProcess, method: str = "POST") -> httpx2.Response:
    async with server.http() as http:
        return await http.request(method, "/api/v1/runs", json={"job": "noop"} if method == "POST" else None)


async def unready(server: ServerProcess) -> Readiness:
    async def found() -> Readiness | None:
        readiness = await server.readiness()
        return readiness if readiness is not None and readiness.code != 200 else None

    readiness = await eventually(found, "a server that says it is not ready")
    assert readiness is not None
    return readiness
