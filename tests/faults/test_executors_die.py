"""An executor that is killed in the middle of a drain costs a lease, and nothing else."""

import pytest

from tests.acceptance.scene import QUICK, Scene, assert_only_the_dead_repeat, calls, settled

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

RUNS = 20_000


async def test_a_drain_survives_the_death_of_one_of_two_executors(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **QUICK)
    victim, survivor = await scene.executors("ab", server)
    async with server.client() as client:
        accepted = {run.id for run in await client.enqueue_many(calls("noop", RUNS))}
    await scene.written(RUNS // 2)
    await victim.kill()
    runs = await settled(server, RUNS)

    assert runs.keys() == accepted
    assert_only_the_dead_repeat(scene, runs, dead=victim.pid)
    assert scene.ledger.pids() == {victim.pid, survivor.pid}
