"""Dead letters: added by what fails for good, grouped by what they died of, taken out by a retry or a discard."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Decision, Ended, Outcome
from mainspring.domain.runs.dead_letter import Cause, DeadGroup, Discard, Discarded
from mainspring.domain.runs.run import Failure, RunState
from mainspring.store.interface import AuditFilter, DeadFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run, run_ids
from tests.store.scene import Scene
from tests.words import ANNA, SECOND

FAILED = Decision(RunState.FAILED, reason="attempts_spent", failures=1)


async def kill(
    scene: Scene,
    message: str = "no route",
    *,
    error: str = "OSError",
    at: datetime = START,
    marks: tuple[str, ...] = (),
) -> RunId:
    """A run that fails for good."""
    run = new_run(scene.job.id, scene.line)
    run.marks = marks
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    ((taken, token),) = await scene.claimed(now=at)
    assert taken == run.id
    failure = Failure(error=error, message=message)
    ended = Ended(run=run.id, token=token, outcome=Outcome.FAILED, failure=failure)
    await scene.settle([ended], FAILED, now=at)
    return run.id


async def groups(scene: Scene, **chosen: Any) -> list[DeadGroup]:
    return await scene.store.bulk.dead_groups(NAMESPACE, **{"limit": 50, **chosen})


async def listed(scene: Scene, **chosen: Any) -> list[RunId]:
    page = await scene.store.bulk.dead_letters(DeadFilter(namespace=NAMESPACE, **chosen))
    return [letter.run for letter in page.letters]


async def test_runs_that_died_of_the_same_are_one_group(scene: Scene) -> None:
    first = await kill(scene, "timeout after 31 s for order 8123")
    last = await kill(scene, "timeout after 9 s for order 44", at=START + 2 * SECOND)
    other = await kill(scene, "disk full", at=START + SECOND)

    cause = Cause("OSError", "timeout after <n> s for order <n>")
    assert await groups(scene) == [
        DeadGroup(
            fingerprint=cause.fingerprint(scene.job.id),
            job=scene.job.name,
            error="OSError",
            message=cause.message,
            runs=2,
            first_at=START,
            last_at=START + 2 * SECOND,
            example=last,
        ),
        DeadGroup(
            fingerprint=Cause("OSError", "disk full").fingerprint(scene.job.id),
            job=scene.job.name,
            error="OSError",
            message="disk full",
            runs=1,
            first_at=START + SECOND,
            last_at=START + SECOND,
            example=other,
        ),
    ]
    assert await listed(scene, fingerprint=cause.fingerprint(scene.job.id)) == [first, last]
    assert await scene.store.bulk.dead_groups("other", limit=50) == []


async def test_groups_come_page_by_page_the_latest_first(scene: Scene) -> None:
    for number, word in enumerate(("one", "two", "three")):
        await kill(scene, word, at=START + number * SECOND)
    [newest] = await groups(scene, limit=1)
    rest = await groups(scene, after=(newest.last_at, newest.fingerprint))

    assert [newest.message, *(group.message for group in rest)] == ["three", "two", "one"]
    assert await groups(scene, job="no such job") == []
    assert len(await groups(scene, job=scene.job.name)) == 3


async def test_what_does_not_fail_for_good_is_no_dead_letter(scene: Scene) -> None:
    ((run, token),) = await scene.started()
    await scene.settle([Ended(run=run, token=token, outcome=Outcome.FAILED)], Decision(RunState.QUEUED, failures=1))
    started = await scene.claimed()
    await scene.succeed(started)
    ((gone, token),) = await scene.started()
    await scene.settle([Ended(run=gone, token=token, outcome=Outcome.CANCELLED)], Decision(RunState.CANCELLED))

    assert await groups(scene) == []


@pytest.mark.parametrize("reason", ["quarantined", "deadline_passed"])
async def test_a_run_that_a_rule_ended_is_grouped_by_the_rule(scene: Scene, reason: str) -> None:
    ((run, token),) = await scene.started()
    decision = Decision(RunState.FAILED, reason=reason, losses=1)
    await scene.settle([Ended(run=run, token=token, outcome=Outcome.LOST)], decision)

    [group] = await groups(scene)
    assert (group.error, group.message, group.example) == (reason, "", run)


async def test_a_run_that_nobody_started_in_time_is_a_dead_letter(scene: Scene) -> None:
    late = new_run(scene.job.id, scene.line)
    late.deadline_at = START + SECOND
    await scene.store.runs.create(NAMESPACE, [late], now=START)
    assert await scene.store.runs.expire(now=START + SECOND, limit=10) == [late.id]

    letter = await scene.store.bulk.dead_letter(NAMESPACE, late.id)
    assert letter is not None
    assert (letter.error, letter.reason, letter.failed_at) == ("deadline_passed", "deadline_passed", START + SECOND)


async def test_a_retry_takes_a_run_out_and_a_second_death_brings_it_back(scene: Scene) -> None:
    run = await kill(scene)
    await scene.store.runs.retry(
        NAMESPACE, run, force=False, reason="", actor=ANNA, now=START + SECOND, input=b'{"args":[7]}'
    )
    assert await groups(scene) == []
    assert (await scene.get(run)).input == b'{"args":[7]}'

    ((again, token),) = await scene.claimed(now=START + SECOND)
    await scene.settle([Ended(run=again, token=token, outcome=Outcome.FAILED)], FAILED, now=START + 2 * SECOND)
    assert await listed(scene) == [run]
    entries = await scene.store.access.audit(AuditFilter(kind="run"))
    assert [(one.act, msgspec.json.decode(one.details).get("edited")) for _, one in entries] == [("run.retry", True)]


async def test_what_is_discarded_is_listed_no_more_and_says_by_whom(scene: Scene) -> None:
    run, kept = await kill(scene), await kill(scene, at=START + SECOND)
    said = Discarded("known bug", ANNA, START + 2 * SECOND)

    assert await scene.store.bulk.discard(NAMESPACE, [run, *run_ids(1)], said) == [run]
    assert await scene.store.bulk.discard(NAMESPACE, [run], said) == []
    assert await scene.store.bulk.discard("other", [kept], said) == []
    assert await listed(scene) == [kept]
    assert [group.runs for group in await groups(scene)] == [1]
    assert (await scene.get(run)).state is RunState.FAILED
    letter = await scene.store.bulk.dead_letter(NAMESPACE, run)
    assert letter is not None
    assert letter.discarded == Discard(START + 2 * SECOND, "anna", "known bug")
    [(_, entry)] = await scene.store.access.audit(AuditFilter(kind="run"))
    assert (entry.act, entry.actor, entry.details) == ("run.discard", ANNA, b'{"reason":"known bug"}')


async def test_letters_are_found_by_all_that_is_asked_for(scene: Scene) -> None:
    plain = await kill(scene)
    tagged = await kill(scene, at=START + SECOND, marks=("urgent", "customer=17"))

    assert await listed(scene, tags=("urgent",), labels={"customer": "17"}) == [tagged]
    assert await listed(scene, tags=("urgent",), labels={"customer": "18"}) == []
    assert await listed(scene, job=scene.job.name, queue="default") == [plain, tagged]
    assert await listed(scene, queue="mail") == []
    assert await listed(scene, since=START + SECOND) == [tagged]
    assert await listed(scene, until=START + SECOND) == [plain]
    counted = DeadFilter(namespace=NAMESPACE, job=scene.job.name, queue="default", since=START)
    assert await scene.store.bulk.count_dead(counted, most=10) == 2
    assert await scene.store.bulk.count_dead(counted, most=1) == 1


async def test_pages_of_letters_leave_none_out(scene: Scene) -> None:
    runs = [await kill(scene, at=START + number * SECOND) for number in range(5)]
    for chosen in ({}, {"queue": "default"}):
        query = DeadFilter(namespace=NAMESPACE, limit=2, **chosen)  # type: ignore[arg-type]
        seen: list[RunId] = []
        while True:
            page = await scene.store.bulk.dead_letters(query)
            seen += [letter.run for letter in page.letters]
            if page.next is None:
                break
            query = msgspec.structs.replace(query, after=page.next)
        assert seen == runs


async def test_pruned_history_takes_its_dead_letters_with_it(scene: Scene) -> None:
    old = await kill(scene)
    later = START + timedelta(days=1)
    kept = await kill(scene, at=later)
    await scene.store.cluster.prune(before=later)

    assert await listed(scene) == [kept]
    assert await scene.store.bulk.dead_letter(NAMESPACE, old) is None
