"""What operators say about queues, and how full they are."""

from datetime import datetime, timedelta

import pytest

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.queue import NAMESPACE_WHOLE, Depth, QueueRule, Survey, together
from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import AuditFilter, Store
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended
from tests.store.scene import Scene, set_scene

EVERYTHING = AuditFilter(kind="queue")


def entry(act: str = "queue.pause", *, at: datetime = START) -> AuditEntry:
    return AuditEntry(at=at, actor=Actor("anna"), namespace=NAMESPACE, act=act, kind="queue", key="mail")


def pause(reason: str = "the gateway is down", *, since: datetime = START, by: str = "anna") -> Pause:
    return Pause(reason=reason, by=by, since=since)


async def acts(store: Store) -> list[str]:
    return [entry.act for _, entry in reversed(await store.access.audit(EVERYTHING))]


@pytest.fixture
async def scene(store: Store) -> Scene:
    return await set_scene(store)


async def counted(scene: Scene, *, now: datetime = START) -> Survey:
    survey = await scene.store.queues.survey(now=now, since=now)
    assert survey is not None
    return survey


async def test_a_pause_is_kept_with_its_reason_and_audited(store: Store) -> None:
    rule = await store.queues.pause(NAMESPACE, "mail", pause(), entry=entry())

    assert rule == QueueRule(namespace=NAMESPACE, queue="mail", pause=pause())
    assert await store.queues.rules() == [rule]
    assert await acts(store) == ["queue.pause"]


async def test_a_second_pause_keeps_the_instant_of_the_first_and_takes_the_new_reason(store: Store) -> None:
    later = START + timedelta(minutes=5)
    await store.queues.pause(NAMESPACE, "mail", pause(), entry=entry())
    rule = await store.queues.pause(NAMESPACE, "mail", pause("still", since=later, by="bert"), entry=entry(at=later))

    assert rule.pause == pause("still", since=START, by="bert")


async def test_a_resumed_queue_has_no_rule_and_resuming_it_again_changes_nothing(store: Store) -> None:
    await store.queues.pause(NAMESPACE, "mail", pause(), entry=entry())

    assert await store.queues.resume(NAMESPACE, "mail", entry=entry("queue.resume"))
    assert not await store.queues.resume(NAMESPACE, "mail", entry=entry("queue.resume"))
    assert not await store.queues.resume(NAMESPACE, "never paused", entry=entry("queue.resume"))
    assert await store.queues.rules() == []
    assert await acts(store) == ["queue.pause", "queue.resume"]


async def test_a_budget_and_a_pause_of_one_queue_do_not_disturb_each_other(store: Store) -> None:
    await store.queues.set_budget(NAMESPACE, "mail", 100, entry=entry("queue.budget"))
    paused = await store.queues.pause(NAMESPACE, "mail", pause(), entry=entry())
    await store.queues.resume(NAMESPACE, "mail", entry=entry("queue.resume"))

    assert (paused.max_queued, paused.pause) == (100, pause())
    assert await store.queues.rules() == [QueueRule(namespace=NAMESPACE, queue="mail", max_queued=100)]
    assert (await store.queues.set_budget(NAMESPACE, "mail", None, entry=entry("queue.budget"))).max_queued is None
    assert await store.queues.rules() == []


async def test_the_budget_of_a_namespace_is_a_rule_of_its_own(store: Store) -> None:
    await store.queues.set_budget(NAMESPACE, NAMESPACE_WHOLE, 7, entry=entry("namespace.budget"))
    await store.queues.set_budget(NAMESPACE, "mail", 5, entry=entry("queue.budget"))
    await store.queues.set_budget("other", "mail", 3, entry=entry("queue.budget"))

    rules = {rule.place: rule.max_queued for rule in await store.queues.rules()}
    assert rules == {(NAMESPACE, ""): 7, (NAMESPACE, "mail"): 5, ("other", "mail"): 3}


async def test_an_act_that_fails_to_be_audited_did_not_happen(store: Store) -> None:
    bad = AuditEntry(
        at=START,
        actor=Actor("anna"),
        namespace=NAMESPACE,
        act="queue.pause",
        kind="queue",
        key=None,  # type: ignore[arg-type]
    )
    with pytest.raises(Exception, match=r"NOT NULL|not-null|null value"):
        await store.queues.pause(NAMESPACE, "mail", pause(), entry=bad)

    assert await store.queues.rules() == []


async def test_before_the_first_count_nothing_is_known(store: Store) -> None:
    assert await store.queues.depths() == Survey(taken_at=None, depths={})


async def test_every_line_is_counted_by_state_and_time(scene: Scene) -> None:
    other = await scene.add_line("mail")
    await scene.add(5)
    await scene.claimed(2)
    await scene.add(3, due_at=START + timedelta(hours=1))
    await scene.add(1, line=other, due_at=START - timedelta(seconds=30))
    survey = await counted(scene)

    assert survey.taken_at == START
    assert survey.depths == {
        scene.line: Depth(queued=3, later=3, running=2, oldest_at=START, running_oldest_at=START),
        other: Depth(queued=1, oldest_at=START - timedelta(seconds=30)),
    }
    assert await scene.store.queues.depths() == survey


async def test_waiting_runs_are_counted_apart(scene: Scene) -> None:
    [(run, token)] = await scene.started()
    await scene.settle([ended(run, token)], Decision(RunState.WAITING, reason="limit"))

    assert (await counted(scene)).depths == {scene.line: Depth(waiting=1)}


async def test_a_line_that_was_emptied_is_gone_with_the_next_count(scene: Scene) -> None:
    pairs = await scene.started(4)
    await counted(scene)
    await scene.succeed(pairs)
    survey = await counted(scene, now=START + timedelta(seconds=2))

    assert survey == Survey(taken_at=START + timedelta(seconds=2), depths={})


async def test_a_run_falls_due_between_two_counts(scene: Scene) -> None:
    await scene.add(1, due_at=START + timedelta(seconds=1))
    first = await counted(scene)
    second = await counted(scene, now=START + timedelta(seconds=1))

    assert first.depths[scene.line] == Depth(later=1)
    assert second.depths[scene.line] == Depth(queued=1, oldest_at=START + timedelta(seconds=1))


async def test_only_one_counts_at_a_time(scene: Scene) -> None:
    now = START + timedelta(seconds=10)
    await counted(scene, now=now)

    assert await scene.store.queues.survey(now=now, since=now - timedelta(seconds=2)) is None
    later = now + timedelta(seconds=2)
    assert await scene.store.queues.survey(now=later, since=later - timedelta(seconds=2)) is not None


def test_lines_add_up_to_a_queue() -> None:
    lines = [
        Depth(queued=1, later=2, oldest_at=START),
        Depth(waiting=3, running=4),
        Depth(oldest_at=START - timedelta(1)),
    ]
    whole = together(lines)

    assert whole == Depth(queued=1, later=2, waiting=3, running=4, oldest_at=START - timedelta(1))
    assert whole.backlog == 6
    assert together([]) == Depth()
