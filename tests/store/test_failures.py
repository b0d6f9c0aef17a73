"""What is kept of attempts that did not succeed, of losses, and of the time a run has to start."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.cluster.session import Session
from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import OnLost
from mainspring.domain.metadata import RunMetadata, read_metadata, write_metadata
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.cancel import Retried
from mainspring.domain.runs.retry import after_attempt
from mainspring.domain.runs.run import Failure, NewRun, RunState
from mainspring.store.interface import AuditFilter, RunFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, abilities, ended, job_spec, new_run, session
from tests.store.scene import Scene
from tests.words import ANNA, SECOND

LOST = Failure(error="executor_lost", message="gone", code="executor_lost")


def lost(run: RunId, token: Token) -> Ended:
    return Ended(run=run, token=token, outcome=Outcome.LOST, failure=LOST)


def asking(held: Held, end: Ended) -> Decision:
    """The rule itself, for a job that leaves losses to people."""
    spec = msgspec.structs.replace(job_spec(attempts=5), on_lost=OnLost.ASK)
    return after_attempt(end, held, spec=spec, now=START + SECOND, jitter=lambda: 0.5)


async def on_another(scene: Scene) -> Session:
    """A session that says where it runs, and which code."""
    told = msgspec.structs.replace(abilities(), host="press-7", code_version="2030.6")
    other = msgspec.structs.replace(session("press"), abilities=told)
    await scene.store.cluster.open_session(other, now=START)
    return other


async def claimed_by(scene: Scene, owner: Session, count: int) -> list[tuple[RunId, Token]]:
    await scene.add(count)
    token = Token(b"c" * 16)
    (claim,) = await scene.store.runs.claim([scene.line], [owner.id] * count, token=token, now=START)
    return [(run, token) for run in claim.runs]


async def limited(scene: Scene, *, start_in: int, end_in: int | None = None, **told: str) -> NewRun:
    """A run that has to start within so many seconds, as the engine makes it."""
    run = new_run(scene.job.id, scene.line)
    ends_by = None if end_in is None else START + end_in * SECOND
    run.deadline_at = START + start_in * SECOND
    run.extra = write_metadata(RunMetadata(start_by=run.deadline_at, ends_by=ends_by, by="anna", labels=told))
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    return run


async def test_an_attempt_tells_its_code_where_it_ran_and_for_how_long(scene: Scene) -> None:
    other = await on_another(scene)
    ((run, token),) = await claimed_by(scene, other, 1)
    failure = Failure(error="TimeoutError", message="no answer", traceback="line 1", code="timeout")
    end = Ended(run=run, token=token, outcome=Outcome.TIMED_OUT, failure=failure, wait=250, duration=1_500_000)
    await scene.settle([end], now=START + 2 * SECOND)

    (attempt,) = await scene.store.runs.attempts(run)
    assert (attempt.executor, attempt.host, attempt.code_version) == ("press", "press-7", "2030.6")
    assert (attempt.failure, attempt.duration, attempt.beside) == (failure, 1.5, ())
    assert (await scene.get(run)).failure == failure


async def test_nobody_knows_how_long_an_attempt_took_that_was_lost(scene: Scene) -> None:
    ((run, token),) = await scene.started()
    await scene.settle([lost(run, token)], Decision(RunState.QUEUED, losses=1))

    (attempt,) = await scene.store.runs.attempts(run)
    assert attempt.duration is None


async def test_a_success_keeps_what_came_before_it(scene: Scene) -> None:
    ((run, first),) = await scene.started()
    await scene.settle([ended(run, first)])
    ((_, second),) = await scene.claimed()
    await scene.succeed([(run, second)])

    assert (await scene.get(run)).state is RunState.SUCCEEDED
    (attempt,) = await scene.store.runs.attempts(run)
    assert (attempt.number, attempt.failure and attempt.failure.code) == (1, "error")


async def test_a_lost_attempt_names_what_else_its_executor_had(scene: Scene) -> None:
    other = await on_another(scene)
    mine = await claimed_by(scene, other, 3)
    await scene.started(2)
    await scene.settle([lost(*mine[0]), lost(*mine[1])], Decision(RunState.QUEUED, losses=1))

    for run, neighbours in ((mine[0][0], {mine[1][0], mine[2][0]}), (mine[1][0], {mine[0][0], mine[2][0]})):
        (attempt,) = await scene.store.runs.attempts(run)
        assert set(attempt.beside) == neighbours


async def test_the_neighbours_of_a_lost_attempt_are_bounded(scene: Scene) -> None:
    pairs = await claimed_by(scene, await on_another(scene), 30)
    await scene.settle([lost(*pairs[0])], Decision(RunState.FAILED, reason="quarantined", losses=1))

    (attempt,) = await scene.store.runs.attempts(pairs[0][0])
    assert len(attempt.beside) == 20


async def test_a_run_that_waits_for_somebodys_word_is_run_again_by_it(scene: Scene) -> None:
    ((run, token),) = await scene.started()
    await scene.store.runs.settle([lost(run, token)], asking, now=START + SECOND)
    waiting = await scene.get(run)
    assert (waiting.state, waiting.reason, waiting.losses) == (RunState.WAITING, "lost", 1)
    assert await scene.claimed(now=START + SECOND) == []
    page = await scene.store.runs.list(RunFilter(namespace=NAMESPACE, states=(RunState.WAITING,)))
    assert [one.id for one in page.runs] == [run]

    again = await scene.store.runs.retry(
        NAMESPACE, run, force=False, reason="looked into it", actor=ANNA, now=START + 2 * SECOND
    )
    assert again == Retried(RunState.WAITING, scene.line)
    queued = await scene.get(run)
    assert (queued.state, queued.reason, queued.losses, queued.due_at) == (RunState.QUEUED, None, 1, START + 2 * SECOND)
    assert [one for one, _ in await scene.claimed(now=START + 2 * SECOND)] == [run]
    ((_, entry),) = await scene.store.access.audit(AuditFilter(kind="run"))
    assert (entry.act, entry.actor.name) == ("run.retry", "anna")


async def test_a_run_that_waits_for_somebodys_word_can_be_cancelled(scene: Scene) -> None:
    ((run, token),) = await scene.started()
    await scene.store.runs.settle([lost(run, token)], asking, now=START + SECOND)
    await scene.store.runs.cancel(NAMESPACE, [run], reason="no", actor=ANNA, now=START + SECOND)

    assert (await scene.get(run)).state is RunState.CANCELLED


async def test_a_queued_run_is_not_for_a_retry(scene: Scene) -> None:
    [run] = await scene.add()
    found = await scene.store.runs.retry(NAMESPACE, run, force=True, reason="", actor=ANNA, now=START)

    assert found == Retried(RunState.QUEUED)


@pytest.mark.parametrize("end_in", [None, 60])
async def test_a_run_that_did_not_start_in_time_fails_and_says_so(scene: Scene, end_in: int | None) -> None:
    run = await limited(scene, start_in=5, end_in=end_in)
    plain = new_run(scene.job.id, scene.line)
    plain.deadline_at = START + 5 * SECOND
    await scene.store.runs.create(NAMESPACE, [plain], now=START)
    assert await scene.store.runs.next_deadline() == START + 5 * SECOND
    assert await scene.claimed(2, now=START + 5 * SECOND) == []

    assert sorted(await scene.store.runs.expire(now=START + 5 * SECOND, limit=10)) == sorted([run.id, plain.id])
    failed = await scene.get(run.id)
    assert (failed.state, failed.reason) == (RunState.FAILED, "start_deadline_passed")
    assert (failed.start_by, failed.deadline_at) == (START + 5 * SECOND, end_in and START + end_in * SECOND)
    assert (await scene.get(plain.id)).reason == "deadline_passed"


@pytest.mark.parametrize("end_in", [None, 60])
async def test_a_run_that_has_started_in_time_has_only_its_deadline(scene: Scene, end_in: int | None) -> None:
    run = await limited(scene, start_in=5, end_in=end_in, zone="a")
    deadline = None if end_in is None else START + end_in * SECOND
    (claim,) = await scene.claim(now=START + SECOND)
    told = read_metadata(claim.extras[0])
    assert (told.deadline, told.labels) == (deadline, {"zone": "a"})
    assert told.left == (0.0 if end_in is None else 59.0)
    seen: list[Held] = []

    def decide(held: Held, _end: Ended) -> Decision:
        seen.append(held)
        return Decision(RunState.QUEUED, due_at=START + 20 * SECOND, failures=1)

    await scene.store.runs.settle([ended(run.id, claim.token)], decide, now=START + 2 * SECOND)
    assert seen[0].deadline_at == deadline
    again = await scene.get(run.id)
    assert (again.deadline_at, again.start_by) == (deadline, START + 5 * SECOND)
    assert await scene.store.runs.expire(now=START + 10 * SECOND, limit=10) == []
    (second,) = await scene.claim(now=START + 20 * SECOND)
    assert read_metadata(second.extras[0]).deadline == deadline


async def test_a_run_handed_back_before_it_began_has_to_start_in_time_still(scene: Scene) -> None:
    run = await limited(scene, start_in=5)
    ((_, token),) = await scene.claimed(now=START)
    back = Ended(run=run.id, token=token, outcome=Outcome.RELEASED)
    await scene.settle([back], Decision(RunState.QUEUED), now=START + SECOND)

    assert await scene.store.runs.expire(now=START + 5 * SECOND, limit=10) == [run.id]
    assert (await scene.get(run.id)).reason == "start_deadline_passed"


async def test_decide_sees_when_the_first_attempt_began(scene: Scene) -> None:
    [run] = await scene.add()
    seen: list[object] = []

    def decide(held: Held, _end: Ended) -> Decision:
        seen.append(held.since)
        return Decision(RunState.QUEUED, failures=1)

    for turn in range(3):
        now = START + turn * 10 * SECOND
        ((_, token),) = await scene.claimed(now=now)
        await scene.store.runs.settle([ended(run, token)], decide, now=now + SECOND)

    first = START + timedelta(milliseconds=5)
    assert seen == [None, first, first]
