"""Two servers behind HAProxy, by the configuration that is shipped: callers and executors know its address only."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.acceptance.scene import QUICK, Scene, settled
from tests.support.limits import HANG
from tests.support.processes import API_TOKEN, ServerProcess, eventually
from tests.support.services import Balancer

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

WITHOUT_LOSS = 3


@pytest.fixture
def balancer(tmp_path: Path) -> Iterator[Balancer]:
    folder = tmp_path / "balancer"
    folder.mkdir()
    made = Balancer(folder)
    yield made
    made.stop()


async def test_the_work_goes_on_behind_one_address_when_a_server_is_killed(
    scene: Scene, balancer: Balancer, database_url: str
) -> None:
    # One at a time, so that the executor's server is the one that is there when it dials.
    one = await scene.server(database_url, home=scene.folder / "one", balance=False, **QUICK)
    other = await scene.server(database_url, home=scene.folder / "other", balance=False, **QUICK)
    await balancer.start_before(netloc(one), netloc(other))
    executor = scene.fleet.executor(
        "tests.acceptance.jobs:app", name="behind", servers=balancer.url, discovery_hosts="none.invalid"
    )
    await executor.connected()
    await ask(balancer, 1)
    await settled(one, 1)

    mine, theirs = (one, other) if await attached(one) else (other, one)
    await mine.kill()
    await eventually(lambda: attached(theirs), "the executor at the other server")
    # HAProxy sends a call to a server that is gone no more once its check has failed twice.
    await eventually(lambda: answers(balancer), "a call by the proxy")
    await ask(balancer, WITHOUT_LOSS)
    runs = await settled(theirs, 1 + WITHOUT_LOSS)

    assert {run.state for run in runs.values()} == {"succeeded"}
    assert {run.executor for run in runs.values()} == {"behind"}


def netloc(server: ServerProcess) -> str:
    return server.url.removeprefix("http://")


async def ask(balancer: Balancer, count: int) -> None:
    async with through(balancer) as http:
        for _ in range(count):
            answer = await http.post("/api/v1/runs", json={"job": "noop"})
            assert answer.status_code == 201, answer.text


async def answers(balancer: Balancer) -> bool:
    async with through(balancer) as http:
        return (await http.get("/readyz")).status_code == 200


async def attached(server: ServerProcess) -> bool:
    found = await server.readiness()
    return found is not None and found.executors > 0


def through(balancer: Balancer) -> httpx2.AsyncClient:
    headers = {"authorization": f"Bearer {API_TOKEN}"}
    return httpx2.AsyncClient(base_url=balancer.url, headers=headers, timeout=HANG)
