"""An executor that was frozen beyond its lease wakes up to find that its attempts are not its own any more."""

import pytest

from mainspring.domain.ids import SessionId
from mainspring.store import open_store
from tests.acceptance.scene import QUICK, Scene, enqueue, settled
from tests.support.processes import eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


async def test_the_late_outcome_of_a_zombie_changes_nothing(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **QUICK)
    gate = scene.gate()
    [zombie] = await scene.executors("z", server)
    [run] = await enqueue(server, "hold", gate=gate.path)
    assert await scene.begun(run) == zombie.pid
    before = await sessions(database_url)
    zombie.pause()
    [heir] = await scene.executors("h", server)
    assert await scene.begun(run, attempt=2) == heir.pid
    gate.open()
    runs = await settled(server, 1)
    zombie.resume()
    await eventually(lambda: zombie.pid in {entry.pid for entry in scene.ledger.ends()[run]}, "the zombie's own end")
    await eventually(lambda: zombie.said.count("connected to ") == 2, "the zombie's new session")
    after = await sessions(database_url)
    [again] = (await settled(server, 1)).values()

    assert again == runs[run]
    assert (again.state, again.result, again.attempt, again.losses) == ("succeeded", heir.pid, 2, 1)
    assert before["z"] != after["z"]


async def test_a_zombie_that_woke_up_works_again(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **QUICK)
    gate = scene.gate()
    [zombie] = await scene.executors("z", server)
    [lost] = await enqueue(server, "hold", gate=gate.path)
    await scene.begun(lost)
    zombie.pause()
    await server.says("reclaimed 1 attempts")
    zombie.resume()
    assert await scene.begun(lost, attempt=2) == zombie.pid
    gate.open()
    [run] = (await settled(server, 1)).values()

    assert (run.id, run.state, run.attempt, run.losses) == (lost, "succeeded", 2, 1)


async def sessions(database_url: str) -> dict[str, SessionId]:
    store = await open_store(database_url)
    try:
        return {session.executor: session.id for session in await store.cluster.sessions()}
    finally:
        await store.close()
