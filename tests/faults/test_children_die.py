"""A child of the process pool that is killed is noticed at once, without waiting for any lease."""

import os
import signal

import psutil
import pytest

from tests.acceptance.scene import PATIENT, Scene, enqueue, settled

pytestmark = [pytest.mark.slow]


async def test_a_run_whose_child_is_killed_begins_again_while_its_lease_still_holds(scene: Scene) -> None:
    server = await scene.server(**PATIENT)
    gate = scene.gate()
    [executor] = await scene.executors("a", server)
    [run] = await enqueue(server, "hold_in_child", gate=gate.path)
    child = await scene.begun(run)
    parent = psutil.Process(child).ppid()
    os.kill(child, signal.SIGKILL)
    heir = await scene.begun(run, attempt=2)
    gate.open()
    runs = await settled(server, 1)
    async with server.client() as client:
        attempts = await client.attempts(run)

    assert parent == executor.pid
    assert len({child, heir, executor.pid}) == 3
    assert (runs[run].state, runs[run].result, runs[run].losses, runs[run].failures) == ("succeeded", heir, 1, 0)
    assert [(lost.number, lost.outcome) for lost in attempts] == [(1, "lost")]
    assert attempts[0].error is not None
    assert (attempts[0].error.error, "SIGKILL" in attempts[0].error.message) == ("child_died", True)


async def test_a_run_that_loses_every_child_is_given_up(scene: Scene) -> None:
    server = await scene.server(**PATIENT)
    gate = scene.gate()
    await scene.executors("a", server)
    [run] = await enqueue(server, "hold_in_child", gate=gate.path)
    for attempt in (1, 2, 3):
        os.kill(await scene.begun(run, attempt=attempt), signal.SIGKILL)
    runs = await settled(server, 1)

    assert (runs[run].state, runs[run].reason, runs[run].losses) == ("failed", "quarantined", 3)


async def test_a_child_ends_with_its_executor(scene: Scene) -> None:
    server = await scene.server(**PATIENT)
    gate = scene.gate()
    [executor] = await scene.executors("a", server)
    [run] = await enqueue(server, "hold_in_child", gate=gate.path)
    child = psutil.Process(await scene.begun(run))
    await executor.kill()

    child.wait(20)
