"""What an executor says of attempts changes nothing unless the attempt is its session's own, and unless it fits."""

import asyncio
from collections.abc import Sequence

import pytest

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.checkpoints import MEMORIES_MAX, Memory, MemoryKind
from mainspring.domain.runs.log import LINE_MAX, LogEntry, Progress
from mainspring.domain.runs.run import Failure, RunState
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.owned_attempts import PAST_MAX, OwnedAttempts
from mainspring.wire.messages import (
    CheckpointsLoaded,
    CheckpointsSaved,
    Goodbye,
    Holding,
    Inventory,
    LoadCheckpoints,
    Logs,
    Outcomes,
    Refused,
    Reports,
    SaveCheckpoints,
    Start,
    Welcome,
)
from tests.factories import add_namespace
from tests.scheduler.scene import NAMESPACE, MemoryLink, Scene, ScriptedExecutor, until_idle

STEP = MemoryKind.STEP
BLUE = "blue"


async def running(scene: Scene) -> tuple[ScriptedExecutor, Start]:
    """An executor with an attempt under way."""
    executor = await scene.attach()
    await scene.enqueue()
    await scene.dispatch()
    return executor, await executor.link.expect(Start)


async def stranger(scene: Scene) -> ScriptedExecutor:
    """An executor of another namespace."""
    await add_namespace(scene.store, BLUE)
    visitor = scene.executor("stranger")
    visitor.namespace = BLUE
    await visitor.connect()
    return visitor


def attached(scene: Scene, executor: ScriptedExecutor) -> ExecutorConnection:
    return scene.scheduler.gateway.attached[executor.session]


async def heard(scene: Scene, executor: ScriptedExecutor) -> None:
    """Until the server has read all that the executor said."""
    await executor.answer_welcome()
    await scene.scheduler.sessions.telemetry.tick()


async def attempt_code(scene: Scene, run: RunId) -> str:
    [attempt] = await scene.store.runs.attempts(run)
    assert attempt.failure is not None
    return attempt.failure.code


def words(run: RunId, token: Token, *, text: str = "hello") -> tuple[Logs, Reports]:
    line = LogEntry(run, token, 0, 1_000_000, 20, text)
    return Logs([line]), Reports([Progress(run, token, 0.5, text)])


@pytest.mark.parametrize("own_token", [False, True], ids=["zeros", "its_very_token"])
async def test_logs_and_progress_of_anothers_attempt_are_dropped(
    scene: Scene, own_token: bool, caplog: pytest.LogCaptureFixture
) -> None:
    _, start = await running(scene)
    visitor = await stranger(scene)
    token = start.token if own_token else Token(bytes(16))
    visitor.link.say(*words(start.runs[0], token))
    visitor.link.say(*words(start.runs[0], token))
    await heard(scene, visitor)

    assert await scene.store.runs.logs(start.runs[0], after=0, limit=10) == []
    assert (await scene.run(start.runs[0])).progress is None
    assert attached(scene, visitor).refused == scene.scheduler.gateway.receiving.refused == 4
    assert caplog.text.count("executor stranger said something of attempts that it does not have") == 1


async def test_logs_that_come_after_the_outcome_are_kept(scene: Scene) -> None:
    executor, start = await running(scene)
    executor.report(start)
    executor.link.say(*words(start.runs[0], start.token))
    await heard(scene, executor)

    assert len(await scene.store.runs.logs(start.runs[0], after=0, limit=10)) == 1
    assert attached(scene, executor).refused == 0


async def test_a_line_over_the_limit_is_dropped(scene: Scene) -> None:
    executor, start = await running(scene)
    executor.link.say(*words(start.runs[0], start.token, text="x" * (LINE_MAX + 1)))
    await heard(scene, executor)

    assert await scene.store.runs.logs(start.runs[0], after=0, limit=10) == []
    assert (await scene.run(start.runs[0])).progress is None


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.RELEASED, Outcome.CANCELLED, Outcome.SUSPENDED])
async def test_outcomes_of_anothers_attempt_change_nothing(scene: Scene, outcome: Outcome) -> None:
    executor, start = await running(scene)
    [run] = start.runs
    visitor = await stranger(scene)
    answer = await visitor.settled(visitor.report_failure(start, outcome))

    assert answer.stale == [run]
    answer = await visitor.settled(visitor.report(start, result=b'"mine"'))
    assert answer.stale == [run]
    assert (await scene.run(run)).state is RunState.RUNNING
    await executor.settled(executor.report(start, result=b'"theirs"'))
    assert (await scene.run(run)).result == b'"theirs"'


async def test_memories_of_anothers_attempt_are_neither_kept_nor_told(scene: Scene) -> None:
    executor, start = await running(scene)
    [run] = start.runs
    memories = scene.scheduler.sessions.checkpoints
    executor.link.say(SaveCheckpoints(1, [Memory(run, start.token, STEP, "secret", b"1")]))
    await memories.wake.wait()
    await memories.tick()
    visitor = await stranger(scene)
    visitor.link.say(SaveCheckpoints(1, [Memory(run, start.token, STEP, "planted", b"1")]))
    visitor.link.say(LoadCheckpoints([Holding(start.token, [run])]))
    told = await visitor.link.expect(CheckpointsLoaded)
    await memories.tick()

    assert told == CheckpointsLoaded(run, start.token, [], [], [], stale=True)
    assert await visitor.link.expect(CheckpointsSaved) == CheckpointsSaved(1, [Holding(start.token, [run])])
    assert [one.name for one in await scene.store.runs.checkpoints(run)] == ["secret"]


@pytest.mark.parametrize("namespace", [NAMESPACE, BLUE])
@pytest.mark.parametrize("attached_here", [True, False], ids=["same_server", "other_server"])
async def test_a_session_is_not_opened_by_its_id_alone(scene: Scene, namespace: str, attached_here: bool) -> None:
    executor, start = await running(scene)
    await add_namespace(scene.store, BLUE)
    other = scene if attached_here else Scene(scene.store, scene.clock)
    if not attached_here:
        await other.start()
    thief = ScriptedExecutor(other, "thief", executor.session, 100, ["report"])
    thief.namespace = namespace
    thief.link = MemoryLink()
    thief.serving = asyncio.create_task(other.scheduler.attach(thief.link))
    thief.link.say(thief.hello())
    thief.link.say(Goodbye())
    refused = await thief.link.expect(Refused)
    await thief.serving

    assert refused.code == "session_dead"
    assert thief.link.closed is not None
    assert executor.link.closed is None
    await executor.settled(executor.report(start))
    assert (await scene.run(start.runs[0])).state is RunState.SUCCEEDED


async def test_an_executor_that_goes_to_another_server_brings_its_attempts_along(scene: Scene) -> None:
    executor, start = await running(scene)
    await executor.disconnect()
    other = Scene(scene.store, scene.clock)
    await other.start()
    moved = ScriptedExecutor(other, "e1", executor.session, 100, ["report"])
    moved.secret = executor.secret
    welcome = await moved.connect([Holding(start.token, start.runs)])

    assert welcome.stale == []
    moved.link.say(*words(start.runs[0], start.token))
    assert (await moved.settled(moved.report(start))).stale == []
    await other.scheduler.sessions.telemetry.tick()
    assert (await scene.run(start.runs[0])).state is RunState.SUCCEEDED
    assert len(await scene.store.runs.logs(start.runs[0], after=0, limit=10)) == 1
    await moved.disconnect()


async def test_an_outcome_outlives_the_session_of_its_attempt_if_the_executor_does(scene: Scene) -> None:
    """It was cut off, took itself for dead, and is a new one; its old session has not been given up yet."""
    executor, start = await running(scene)
    await executor.disconnect()
    again = ScriptedExecutor(scene, "e1", scene.ids.session(), 100, ["report"])
    again.secret = executor.secret
    await again.connect()

    assert (await again.settled(again.report(start))).stale == []
    assert (await scene.run(start.runs[0])).state is RunState.SUCCEEDED
    await again.disconnect()


async def test_an_attempt_that_this_server_was_not_told_of_is_looked_up(scene: Scene) -> None:
    executor, start = await running(scene)
    attached(scene, executor).owned = OwnedAttempts()

    assert (await executor.settled(executor.report(start))).stale == []
    assert (await scene.run(start.runs[0])).state is RunState.SUCCEEDED
    assert attached(scene, executor).refused == 0


async def test_of_two_words_on_one_attempt_in_one_frame_the_first_counts(scene: Scene) -> None:
    executor, start = await running(scene)
    [run] = start.runs
    end = Ended(run=run, token=start.token, outcome=Outcome.FAILED)
    twice = Outcomes(1, [run, run], [start.token] * 2, [b"1", b"2"], [0, 0], [0, 0], [end, end])
    executor.link.say(twice)
    answer = await executor.settled(1)

    assert answer.stale == []
    assert (await scene.run(run)).result == b"1"


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (b"{not json", "bad_result"),
        (b'1,"state":"failed"', "bad_result"),
        (b"", "bad_result"),
        (b'"\xff"', "bad_result"),
        (b'"\\ud800"', "bad_result"),
        (b"[" * 5000 + b"]" * 5000, "bad_result"),
        (b'"' + b"x" * 8_000_000 + b'"', "result_too_large"),
    ],
    ids=["open", "fields", "empty", "no_utf8", "lone_surrogate", "deep", "8_mb"],
)
async def test_a_result_that_does_not_fit_fails_its_attempt_and_no_other(
    scene: Scene, result: bytes, code: str
) -> None:
    executor = await scene.attach()
    await scene.enqueue(count=2)
    await scene.dispatch()
    start = await executor.link.expect(Start)
    bad, good = start.runs
    seq = executor.say_outcomes([bad, good], [start.token] * 2, [result, b'{"fine":1}'], [])
    answer = await executor.settled(seq)

    assert answer.stale == []
    assert await attempt_code(scene, bad) == code
    assert (await scene.run(bad)).state is RunState.QUEUED
    assert (await scene.run(good)).result == b'{"fine":1}'


async def test_memories_that_no_run_keeps_fail_the_attempt(scene: Scene) -> None:
    executor, start = await running(scene)
    [run] = start.runs
    executor.link.say(SaveCheckpoints(1, [Memory(run, start.token, STEP, "step", b"{not json")]))
    memories = scene.scheduler.sessions.checkpoints
    await memories.wake.wait()
    await memories.tick()

    assert await executor.link.expect(CheckpointsSaved) == CheckpointsSaved(1, [Holding(start.token, [run])])
    assert await attempt_code(scene, run) == "bad_memory"
    assert (await scene.run(run)).state is RunState.QUEUED


async def test_more_steps_than_a_run_keeps_fail_the_attempt(scene: Scene) -> None:
    executor, start = await running(scene)
    [run] = start.runs
    said = [Memory(run, start.token, STEP, f"step {number}", b"1") for number in range(MEMORIES_MAX + 500)]
    executor.link.say(SaveCheckpoints(1, said))
    memories = scene.scheduler.sessions.checkpoints
    await memories.wake.wait()
    await memories.tick()

    assert await executor.link.expect(CheckpointsSaved) == CheckpointsSaved(1, [Holding(start.token, [run])])
    assert await attempt_code(scene, run) == "too_many_steps"
    assert await scene.store.runs.checkpoints(run) == []


async def test_what_was_settled_without_the_executor_is_forgotten_with_the_next_inventory(scene: Scene) -> None:
    executor, start = await running(scene)
    one = attached(scene, executor)
    await scene.scheduler.settling.settle(
        [Ended(run=start.runs[0], token=start.token, outcome=Outcome.FAILED, failure=Failure(error="lost"))]
    )
    for _ in range(3):
        executor.link.say(Inventory([]))
        await heard(scene, executor)

    assert len(one.owned) == 0


def test_ended_attempts_are_forgotten_in_the_order_of_their_end() -> None:
    owned = OwnedAttempts()
    runs: Sequence[RunId] = [RunId(number.to_bytes(16, "big")) for number in range(2 * PAST_MAX + 1)]
    token = Token(bytes(16))
    owned.add(token, runs)

    assert all(owned.end(run, token) for run in runs)
    assert not owned.had(runs[0], token)
    assert owned.had(runs[-1], token)
    assert not owned.end(runs[-1], token)
    assert len(owned) == 0


def test_a_batch_of_several_tokens_ends_as_a_whole_or_not_at_all() -> None:
    owned, runs = OwnedAttempts(), [RunId(number.to_bytes(16, "big")) for number in range(4)]
    one, other = Token(bytes(16)), Token(b"\x01" * 16)
    owned.add(one, runs[:2])
    owned.add(other, runs[2:])

    assert not owned.end_all([runs[0], runs[1], runs[2]], [one, other, other])
    assert not owned.end_all([runs[0], runs[0]], [one, one])
    assert len(owned) == 4
    assert owned.end_all([runs[2], runs[0], runs[3]], [other, one, other])
    assert not owned.end(runs[0], one)
    assert owned.had(runs[0], one)
    assert owned.has(runs[1], one)
    assert len(owned) == 1


def test_an_ended_attempt_is_remembered_when_the_next_of_its_run_ends() -> None:
    owned, run = OwnedAttempts(), RunId(bytes(16))
    tokens = [Token(number.to_bytes(16, "big")) for number in range(3)]

    for token in tokens:
        owned.add(token, (run,))
        owned.end(run, token)

    assert all(owned.had(run, token) for token in tokens)


async def test_a_welcome_shows_no_secret(scene: Scene) -> None:
    executor = await scene.attach()
    executor.link = MemoryLink()
    welcome = await executor.connect()
    await until_idle()

    assert isinstance(welcome, Welcome)
    assert all(session.seal == b"" for session in await scene.store.cluster.sessions())
