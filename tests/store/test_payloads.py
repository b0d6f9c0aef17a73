"""Large inputs are written once: they stay where they are while their runs move, and go when these go."""

from datetime import timedelta
from functools import partial
from typing import Any

import asyncpg
import msgspec
import pytest

from mainspring.domain.ids import RunId, Token
from mainspring.domain.limits.policy import KeptHistory, Policy
from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, new_run, token
from tests.store.scene import Scene, pairs
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
    tokens = dict(await scene.claimed(2))
    await scene.succeed([(first, tokens[first])], now=START)
    await scene.succeed([(second, tokens[second])], now=START + 2 * DAY)
    await scene.store.cluster.prune(before=START + 2 * DAY)

    assert await scene.store.runs.get(NAMESPACE, first) is None
    assert (await scene.get(second)).input == OTHER
    assert (await scene.get(third)).input == LARGE
    assert await violated(scene, days=2) == []

    await scene.store.cluster.prune(before=START + 3 * DAY)
    (claim,) = await scene.claim(now=START + 3 * DAY)

    assert list(claim.inputs) == [LARGE]
    assert await violated(scene, days=3) == []


KEPT = [
    (KeptHistory.ALL, RunState.SUCCEEDED, True),
    (KeptHistory.ALL, RunState.FAILED, True),
    (KeptHistory.FAILURES, RunState.SUCCEEDED, False),
    (KeptHistory.FAILURES, RunState.FAILED, True),
    (KeptHistory.NONE, RunState.SUCCEEDED, False),
    (KeptHistory.NONE, RunState.FAILED, False),
]


async def keep(scene: Scene, history: KeptHistory) -> None:
    spec = msgspec.structs.replace(scene.job.spec, policy=Policy(history=history))
    await scene.store.jobs.define(
        NAMESPACE, spec.name, lambda _job: spec, act="job.define", actor=ANNA, note="", now=START
    )


async def end(scene: Scene, run: RunId, mine: Token, state: RunState) -> None:
    if state is RunState.SUCCEEDED:
        assert await scene.succeed([(run, mine)]) == 1
    else:
        assert await scene.settle([ended(run, mine)], Decision(state, failures=1)) == {run: state}


async def stored(store: Store) -> int:
    """How many payloads are in the database, read by its own means: no verb of a store tells."""
    opened: Any = store
    if isinstance(opened, SqliteStore):
        found: int = await opened.connection.write(lambda c: c.execute("SELECT count(*) FROM payloads").fetchone()[0])
        return found
    connection = await asyncpg.connect(opened._database.dsn, statement_cache_size=0)
    try:
        return int(await connection.fetchval("SELECT count(*) FROM mainspring.payloads"))
    finally:
        await connection.close()


@pytest.mark.parametrize(("history", "state", "kept"), KEPT)
async def test_a_payload_that_is_not_kept_is_gone_after_a_sweep(
    scene: Scene, history: KeptHistory, state: RunState, kept: bool
) -> None:
    await keep(scene, history)
    (run,) = await add(scene, LARGE)
    ((_, mine),) = await scene.claimed()
    await end(scene, run, mine, state)
    more = await scene.store.cluster.forget_payloads()

    assert more is not kept
    assert await stored(scene.store) == kept
    assert await scene.store.cluster.forget_payloads() is False


async def test_a_sweep_leaves_the_payload_of_a_run_that_is_run_again_with_another_input(scene: Scene) -> None:
    await keep(scene, KeptHistory.FAILURES)
    (run,) = await add(scene, LARGE)
    ((_, mine),) = await scene.claimed()
    await end(scene, run, mine, RunState.SUCCEEDED)
    await scene.store.runs.retry(NAMESPACE, run, force=True, reason="", actor=ANNA, now=START, input=OTHER)
    await scene.store.cluster.forget_payloads()
    (claim,) = await scene.claim()
    await scene.settle([ended(run, claim.token)], Decision(RunState.FAILED, failures=1))
    await scene.store.cluster.forget_payloads()

    assert list(claim.inputs) == [OTHER]
    assert (await scene.get(run)).input == OTHER
    assert await violated(scene) == []


async def test_a_refused_retry_leaves_the_payload_to_the_sweep(scene: Scene) -> None:
    await keep(scene, KeptHistory.NONE)
    (run,) = await add(scene, LARGE)
    ((_, mine),) = await scene.claimed()
    await end(scene, run, mine, RunState.FAILED)
    await scene.store.runs.retry(NAMESPACE, run, force=False, reason="", actor=ANNA, now=START)
    await scene.store.cluster.forget_payloads()

    assert await stored(scene.store) == 0


@pytest.mark.parametrize("content", [LARGE, SMALL])
@pytest.mark.parametrize(("history", "state", "kept"), KEPT)
async def test_a_job_says_whose_inputs_and_results_stay(
    scene: Scene, history: KeptHistory, state: RunState, kept: bool, content: bytes
) -> None:
    await keep(scene, history)
    (run,) = await add(scene, content)
    ((_, mine),) = await scene.claimed()
    await end(scene, run, mine, state)
    found = await scene.get(run)

    assert found.state is state
    assert found.input == (content if kept else b"")
    assert (found.result is not None) == (kept and state is RunState.SUCCEEDED)
    assert await violated(scene) == []


@pytest.mark.parametrize("content", [LARGE, SMALL])
async def test_a_run_whose_input_was_not_kept_runs_again_with_another_one(scene: Scene, content: bytes) -> None:
    await keep(scene, KeptHistory.NONE)
    (run,) = await add(scene, content)
    ((_, mine),) = await scene.claimed()
    await end(scene, run, mine, RunState.FAILED)
    retry = partial(scene.store.runs.retry, NAMESPACE, run, force=False, reason="", actor=ANNA, now=START)
    refused = await retry()
    retried = await retry(input=OTHER)
    (claim,) = await scene.claim()

    assert refused is not None
    assert (refused.line, refused.forgotten) == (None, True)
    assert retried is not None
    assert retried.line == scene.line
    assert list(claim.inputs) == [OTHER]


async def test_a_cancelled_run_of_a_job_that_keeps_nothing_leaves_nothing(scene: Scene) -> None:
    await keep(scene, KeptHistory.NONE)
    runs = await add(scene, LARGE, SMALL)
    await scene.store.runs.cancel(NAMESPACE, runs, reason="", actor=ANNA, now=START)

    assert [(await scene.get(run)).input for run in runs] == [b"", b""]
    assert await violated(scene) == []
    assert await scene.store.cluster.forget_payloads()
    assert await stored(scene.store) == 0


async def test_bundles_heed_the_job_too(scene: Scene) -> None:
    await keep(scene, KeptHistory.FAILURES)
    runs = await add(scene, LARGE, SMALL, OTHER)
    mine = [scene.session.id] * 3
    claims = await scene.store.runs.claim([scene.line], mine, token=token(), now=START, bundled=True)
    await scene.succeed(pairs(claims))

    assert [(await scene.get(run)).input for run in runs] == [b""] * 3
    assert await violated(scene) == []
    assert await scene.store.cluster.forget_payloads()
    assert await stored(scene.store) == 0


async def test_a_bundle_forgets_what_has_ended_of_it(scene: Scene) -> None:
    await keep(scene, KeptHistory.FAILURES)
    runs = await add(scene, LARGE, SMALL, LARGE, OTHER)
    mine = [scene.session.id] * 4
    claimed = pairs(await scene.store.runs.claim([scene.line], mine, token=token(), now=START, bundled=True))
    await scene.succeed(claimed[:2])
    assert await scene.store.cluster.forget_payloads()

    assert [(await scene.get(run)).input for run in runs] == [b"", b"", LARGE, OTHER]
    assert await violated(scene) == []
    await scene.succeed(claimed[2:])
    assert await scene.store.cluster.forget_payloads()
    assert await stored(scene.store) == 0
