"""How runs come to be: once, whatever is repeated, and one per key."""

from datetime import timedelta

import pytest

from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError, LeaseLostError
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run, session, token
from tests.store.scene import Scene


async def test_a_new_run_is_queued_with_what_it_was_given(scene: Scene) -> None:
    due_at = START + timedelta(seconds=90, microseconds=123_457)
    run = new_run(scene.job.id, scene.line, priority=7, due_at=due_at, input=b'{"x":1}')
    await scene.store.runs.create(NAMESPACE, [run], now=START)

    found = await scene.get(run.id)
    assert (found.state, found.priority, found.due_at, found.input) == (RunState.QUEUED, 7, due_at, b'{"x":1}')
    assert (found.namespace, found.job, found.queue, found.handler) == (NAMESPACE, "report", "default", "report")
    assert (found.attempt, found.failures, found.losses, found.created_at) == (0, 0, 0, START)
    assert (found.executor, found.started_at, found.finished_at, found.result) == (None, None, None, None)


async def test_creating_nothing_is_no_error(scene: Scene) -> None:
    assert await scene.store.runs.create(NAMESPACE, [], now=START) == {}


async def test_a_repeated_create_inserts_nothing_twice(scene: Scene) -> None:
    runs = [new_run(scene.job.id, scene.line) for _ in range(3)]
    for _ in range(2):
        assert await scene.store.runs.create(NAMESPACE, runs, now=START) == {}

    assert len(await scene.claimed(10)) == 3


async def test_a_repeated_create_leaves_a_run_under_way_alone(scene: Scene) -> None:
    run = new_run(scene.job.id, scene.line)
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    await scene.claimed()
    await scene.store.runs.create(NAMESPACE, [run], now=START)

    assert (await scene.get(run.id)).state is RunState.RUNNING
    assert await scene.claimed() == []


@pytest.mark.parametrize("later", [timedelta(seconds=2), timedelta(days=1)])
async def test_a_create_repeated_after_the_end_brings_nothing_back_to_life(scene: Scene, later: timedelta) -> None:
    run = new_run(scene.job.id, scene.line)
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    await scene.succeed(await scene.claimed())
    await scene.store.runs.create(NAMESPACE, [run], now=START + later)

    assert (await scene.get(run.id)).state is RunState.SUCCEEDED
    assert await scene.claimed() == []


async def test_a_keyed_create_repeated_after_the_end_brings_nothing_back_to_life(scene: Scene) -> None:
    run = new_run(scene.job.id, scene.line, key="order-1")
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    await scene.succeed(await scene.claimed())

    assert await scene.store.runs.create(NAMESPACE, [run], now=START + timedelta(seconds=2)) == {}
    assert await scene.claimed() == []


async def test_the_second_run_with_a_key_is_not_inserted_and_names_the_holder(scene: Scene) -> None:
    first, second = (new_run(scene.job.id, scene.line, key="order-1") for _ in range(2))
    await scene.store.runs.create(NAMESPACE, [first], now=START)
    holders = await scene.store.runs.create(NAMESPACE, [second], now=START)

    assert {run: holder.run for run, holder in holders.items()} == {second.id: first.id}
    assert holders[second.id].digest == b"digest"
    assert await scene.store.runs.get(NAMESPACE, second.id) is None


async def test_of_two_runs_with_one_key_in_one_call_the_first_is_inserted(scene: Scene) -> None:
    first, second = (new_run(scene.job.id, scene.line, key="order-1") for _ in range(2))
    holders = await scene.store.runs.create(NAMESPACE, [first, second], now=START)

    assert {run: holder.run for run, holder in holders.items()} == {second.id: first.id}
    assert [run for run, _ in await scene.claimed(10)] == [first.id]


async def test_a_key_outlives_its_run(scene: Scene) -> None:
    first, second = (new_run(scene.job.id, scene.line, key="order-1") for _ in range(2))
    await scene.store.runs.create(NAMESPACE, [first], now=START)
    await scene.succeed(await scene.claimed())

    holders = await scene.store.runs.create(NAMESPACE, [second], now=START)
    assert holders[second.id].run == first.id


async def test_a_key_used_for_another_request_is_a_conflict_and_nothing_is_inserted(scene: Scene) -> None:
    first = new_run(scene.job.id, scene.line, key="order-1", digest=b"one")
    bystander = new_run(scene.job.id, scene.line)
    other = new_run(scene.job.id, scene.line, key="order-1", digest=b"two")
    await scene.store.runs.create(NAMESPACE, [first], now=START)

    with pytest.raises(ConflictError, match="order-1"):
        await scene.store.runs.create(NAMESPACE, [bystander, other], now=START)
    assert await scene.store.runs.states([bystander.id, other.id]) == {}


async def test_namespaces_do_not_share_keys(scene: Scene) -> None:
    line = await scene.add_line("default", namespace="other")
    mine = new_run(scene.job.id, scene.line, key="order-1", digest=b"one")
    theirs = new_run(scene.job.id, line, key="order-1", digest=b"two")
    await scene.store.runs.create(NAMESPACE, [mine], now=START)

    assert await scene.store.runs.create("other", [theirs], now=START) == {}


async def test_a_run_born_claimed_is_attempt_one_of_its_session(scene: Scene) -> None:
    run = new_run(scene.job.id, scene.line, token=token(), session=scene.session.id)
    queued = new_run(scene.job.id, scene.line)
    await scene.store.runs.create(NAMESPACE, [run, queued], now=START)

    (held,) = await scene.held()
    assert (held.run, held.token, held.attempt) == (run.id, run.token, 1)
    assert [found for found, _ in await scene.claimed(10)] == [queued.id]
    assert (await scene.get(run.id)).executor == "executor-1"


async def test_a_run_born_claimed_can_succeed(scene: Scene) -> None:
    mine = token()
    run = new_run(scene.job.id, scene.line, token=mine, session=scene.session.id)
    await scene.store.runs.create(NAMESPACE, [run], now=START)

    assert await scene.succeed([(run.id, mine)]) == 1


async def test_a_run_born_claimed_by_a_session_that_is_not_live_is_refused_with_all_others(scene: Scene) -> None:
    bystander = new_run(scene.job.id, scene.line)
    for gone in (session().id, scene.session.id):
        await scene.store.cluster.close_session(scene.session.id, now=START)
        run = new_run(scene.job.id, scene.line, token=token(), session=gone)
        with pytest.raises(LeaseLostError):
            await scene.store.runs.create(NAMESPACE, [bystander, run], now=START)

    assert await scene.store.runs.states([bystander.id]) == {}


async def test_inputs_of_every_size_and_content_come_back_unchanged(scene: Scene) -> None:
    inputs = [b"", b"\x00\xff", "ü☃".encode(), b"x" * 4096, b"y" * 4097, b"z" * 256 * 1024]
    runs = [new_run(scene.job.id, scene.line, input=content) for content in inputs]
    await scene.store.runs.create(NAMESPACE, runs, now=START)

    (claim,) = await scene.claim(len(inputs))
    assert claim.inputs == inputs
    assert [(await scene.get(run)).input for run in claim.runs] == inputs
