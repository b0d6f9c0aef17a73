"""A handler in a child process that waits for another run hears that it is to end, and its slot is seen as held."""

import pytest

from mainspring import AsyncClient
from tests.acceptance.scene import PATIENT, Scene
from tests.support.limits import HANG
from tests.support.processes import eventually

pytestmark = pytest.mark.slow


async def asked_for_another(client: AsyncClient, run: str) -> bool:
    return bool((await client.list(parent=run, limit=1)).runs)


@pytest.mark.parametrize("job", ["wait_in_child", "await_in_child"])
async def test_a_wait_in_a_child_process_hears_a_cancel(scene: Scene, job: str) -> None:
    server = await scene.server(**PATIENT)
    [executor] = await scene.executors("a", server, pools=("processes=0:1:0",), stop_grace=30)
    async with server.client() as client:
        run = await client.enqueue(job, {"url": server.url})
        await eventually(lambda: asked_for_another(client, run.id), "the run that is waited for")
        await run.cancel("no need")
        found = await run.wait(timeout=HANG)

    assert (found.state, found.reason) == ("cancelled", "no need")
    assert "given up" not in executor.said
