"""Large inputs are written once: they stay where they are while their runs move, and go when these go."""

from datetime import timedelta

import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.run import RunState
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, new_run
from tests.store.scene import Scene
from tests.words import ANNA, DAY

LARGE = b'{"text":"' + b"x" * 4000 + b'"}'
OTHER = b'{"text":"' + b"y" * 4000 + b'"}'
SMALL = b'{"text":"y"}'


async def add(scene: Scene, *inputs: bytes) -> list[RunId]:
    runs = [new_run(scene.job.id, scene.line, input=content) for content in inputs]
    await scene.store.runs.create(NAMESPACE, runs, now=START)
    return [run.id for run in runs]


async def violated(scene: Scene, *, days: int = 0) -> list[tuple[str, ...]]:
    """Payloads without a run, and runs without their payload."""
    found = await scene.store.cluster.violations(now=START + (days + 1) * DAY)
    return [one.examples for one in found if one.name == "payloads"]


async def test_large_and_small_inputs_are_claimed_together_in_order(scene: Scene) -> None:
    inputs = [LARGE, SMALL, OTHER, SMALL, b"z" * 1000, b"z" * 1001]
    await add(scene, *inputs)

    (claim,) = await scene.claim(len(inputs))

    assert list(claim.inputs) == inputs


@pytest.mark.parametrize("state", [RunState.SUCCEEDED, RunState.FAILED])
async def test_history_shows_a_large_input(scene: Scene, state: RunState) -> None:
    (run,) = await add(scene, LARGE)
    ((_, mine),) = await scene.claimed()
    await scene.settle([ended(run, mine)], Decision(state))

    assert (await scene.get(run)).input == LARGE


async def test_a_large_input_comes_back_with_each_attempt(scene: Scene) -> None:
    (run,) = await add(scene, LARGE)
    for attempt in range(3):
        at = START + timedelta(seconds=attempt)
        (claim,) = await scene.claim(now=at)
        await scene.settle([ended(run, claim.token)], Decision(RunState.QUEUED, due_at=at, failures=1), now=at)

        assert list(claim.inputs) == [LARGE]


@pytest.mark.parametrize(("edited", "found"), [(None, LARGE), (OTHER, OTHER), (SMALL, SMALL)])
async def test_a_run_that_is_run_again_has_its_input_or_the_edited_one(
    scene: Scene, edited: bytes | None, found: bytes
) -> None:
    (run,) = await add(scene, LARGE)
    ((_, mine),) = await scene.claimed()
    await scene.settle([ended(run, mine)], Decision(RunState.FAILED, failures=1))
    await scene.store.runs.retry(NAMESPACE, run, force=False, reason="", actor=ANNA, now=START, input=edited)

    (claim,) = await scene.claim()

    assert list(claim.inputs) == [found]
    assert await violated(scene) == []


async def test_a_repeated_call_keeps_the_first_payload(scene: Scene) -> None:
    run = new_run(scene.job.id, scene.line, input=LARGE)
    for _ in range(2):
        await scene.store.runs.create(NAMESPACE, [run], now=START)

    (claim,) = await scene.claim()

    assert list(claim.inputs) == [LARGE]


async def test_a_run_that_lost_its_key_leaves_no_payload(scene: Scene) -> None:
    runs = [new_run(scene.job.id, scene.line, input=LARGE, key="order-1") for _ in range(2)]
    for run in runs:
        await scene.store.runs.create(NAMESPACE, [run], now=START)

    assert await violated(scene) == []


async def test_payloads_are_pruned_with_their_runs_and_not_before(scene: Scene) -> None:
    first, second, third = await add(scene, LARGE, OTHER, LARGE)
    pairs = dict(await scene.claimed(2))
    await scene.succeed([(first, pairs[first])], now=START)
    await scene.succeed([(second, pairs[second])], now=START + 2 * DAY)
    await scene.store.cluster.prune(before=START + 2 * DAY)

    assert await scene.store.runs.get(NAMESPACE, first) is None
    assert (await scene.get(second)).input == OTHER
    assert (await scene.get(third)).input == LARGE
    assert await violated(scene, days=2) == []

    await scene.store.cluster.prune(before=START + 3 * DAY)
    (claim,) = await scene.claim(now=START + 3 * DAY)

    assert list(claim.inputs) == [LARGE]
    assert await violated(scene, days=3) == []
