"""Many claimers at once: no run twice, none lost."""

import asyncio
from collections import Counter

from mainspring.domain.ids import RunId
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run, token
from tests.store.scene import Scene

CLAIMERS = 20
RUNS = 500


async def test_twenty_competing_claimers_share_the_runs_without_losing_or_doubling_one(scene: Scene) -> None:
    runs = await scene.add(RUNS)
    sessions = [await scene.add_session(f"executor-{number}") for number in range(CLAIMERS)]
    taken: list[RunId] = []

    async def drain(number: int) -> None:
        while claims := await scene.store.runs.claim([scene.line], [sessions[number]] * 7, token=token(), now=START):
            taken.extend(run for claim in claims for run in claim.runs)

    async with asyncio.TaskGroup() as group:
        for number in range(CLAIMERS):
            group.create_task(drain(number))

    # Rows that another claimer had locked may be passed over; a last look finds what was left.
    taken.extend(run for run, _ in await scene.claimed(RUNS))
    assert Counter(taken) == Counter(runs)


async def test_what_competing_claimers_were_given_is_what_the_store_says_they_hold(scene: Scene) -> None:
    await scene.add(100)
    sessions = [await scene.add_session(f"executor-{number}") for number in range(CLAIMERS)]
    answers = await asyncio.gather(
        *(scene.store.runs.claim([scene.line], [one] * 5, token=token(), now=START) for one in sessions)
    )

    for one, claims in zip(sessions, answers, strict=True):
        given = {(run, claim.token) for claim in claims for run in claim.runs}
        assert {(held.run, held.token) for held in await scene.held(one)} == given


async def test_competing_creates_with_one_key_make_one_run(scene: Scene) -> None:
    runs = [new_run(scene.job.id, scene.line, key="order-1") for _ in range(CLAIMERS)]
    answers = await asyncio.gather(*(scene.store.runs.create(NAMESPACE, [run], now=START) for run in runs))

    assert len(await scene.claimed(CLAIMERS)) == 1
    assert sum(len(holders) for holders in answers) == CLAIMERS - 1


async def test_competing_settlements_of_one_attempt_apply_once(scene: Scene) -> None:
    started = await scene.started()

    assert sorted(await asyncio.gather(*(scene.succeed(started) for _ in range(5)))) == [0, 0, 0, 0, 1]
