"""Triggers whose time has come: moved once, whichever server moves them, with their runs and entries in the ledger."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.ids import id_text
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.trigger import EndedRun, Fire, Trigger, TriggerMove
from mainspring.errors import ConflictError
from mainspring.store.interface import AuditFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, run_ids
from tests.store.scene import Scene
from tests.store.trigger_samples import AHEAD, FIRST, add, every_minute, fire, fired, fires, get, trigger
from tests.words import DAY, MINUTE, SECOND


async def test_a_trigger_is_moved_when_its_time_has_come(scene: Scene) -> None:
    await add(scene, trigger(), trigger("later", act_at=FIRST))
    assert (await fire(scene, now=START)).triggers == 0
    moved = await fire(scene)

    found = await get(scene)
    [entry] = await fires(scene, found)
    assert (moved.triggers, [run.id for run in moved.runs], moved.wishes, moved.cancelled) == (1, [entry.run], [], [])
    assert (entry.fire_at, found.fired, found.last_fire_at, found.next_due) == (FIRST, 1, FIRST, FIRST + MINUTE)
    assert await scene.claimed(now=AHEAD) == []
    assert [run for run, _ in await scene.claimed(now=FIRST)] == [entry.run]
    assert (await fire(scene)).triggers == 0


async def test_runs_bring_all_that_any_run_may_bring(scene: Scene) -> None:
    await add(scene, trigger())
    extra = b'{"labels":{"team":"blue"},"tags":["nightly"],"by":"trigger tick"}'
    brought = {"deadline_at": FIRST + MINUTE, "extra": extra, "marks": ("nightly", "team=blue"), "input": b'{"a":1}'}
    [run] = (await fire(scene, every_minute(scene, **brought))).runs

    made = await scene.get(run.id)
    assert (made.state, made.due_at, made.deadline_at, made.input) == (
        RunState.QUEUED,
        FIRST,
        FIRST + MINUTE,
        b'{"a":1}',
    )
    assert (made.labels, made.tags, made.created_by) == ({"team": "blue"}, ("nightly",), "trigger tick")


async def test_the_most_urgent_come_first_and_no_more_than_asked_for(scene: Scene) -> None:
    await add(scene, *(trigger(f"t{number}", act_at=START - number * SECOND) for number in range(5)))
    asked: list[str] = []

    def decide(found: Trigger) -> TriggerMove:
        asked.append(found.name)
        return every_minute(scene)(found)

    assert (await fire(scene, decide, limit=3)).triggers == 3
    assert asked == ["t4", "t3", "t2"]
    assert (await fire(scene, limit=3)).triggers == 2


async def test_several_instants_and_spans_of_one_move_are_entered(scene: Scene) -> None:
    await add(scene, trigger(), trigger("skips"))
    span = Span(FIRST, FIRST + 2 * MINUTE, SkipReason.MISSED)

    def decide(found: Trigger) -> TriggerMove:
        if found.name == "tick":
            return fired(found, [FIRST, FIRST + MINUTE], scene)
        return TriggerMove(
            trigger=msgspec.structs.replace(found, next_due=FIRST + 3 * MINUTE, act_at=None), skips=[span]
        )

    await fire(scene, decide, now=FIRST + 3 * MINUTE)
    both, skips = await get(scene), await get(scene, "skips")
    assert [one.fire_at for one in await fires(scene, both)] == [FIRST, FIRST + MINUTE]
    store = scene.store.triggers
    assert await store.skips(skips.id, since=FIRST + 2 * MINUTE, until=FIRST + 9 * MINUTE, limit=9) == [span]
    assert await store.skips(skips.id, since=FIRST + 3 * MINUTE, until=FIRST + 9 * MINUTE, limit=9) == []
    assert await store.skips(skips.id, since=START, until=FIRST, limit=9) == []
    assert await store.fires(both.id, since=FIRST + SECOND, until=FIRST + 9 * MINUTE, limit=9) == [
        (await fires(scene, both))[1]
    ]


async def test_a_rule_that_fails_leaves_everything_as_it_was(scene: Scene) -> None:
    [made] = await add(scene, trigger())

    def refuse(_: Trigger) -> TriggerMove:
        raise ConflictError("trigger", "tick", "no")

    with pytest.raises(ConflictError):
        await fire(scene, refuse)
    assert await get(scene) == made


async def test_an_instant_is_entered_once_for_ever(scene: Scene) -> None:
    await add(scene, trigger(pause_after=3))

    def again(found: Trigger) -> TriggerMove:
        move = fired(found, [FIRST, FIRST + MINUTE], scene)
        followed = msgspec.structs.replace(move.trigger, pending=tuple(run.id for _, run in move.fires), act_at=START)
        return msgspec.structs.replace(move, trigger=followed)

    first = await fire(scene, every_minute(scene))
    second = await fire(scene, again, now=FIRST + MINUTE)

    found = await get(scene)
    assert [one.run for one in await fires(scene, found)] == [first.runs[0].id, second.runs[0].id]
    assert (found.fired, found.pending, len(second.runs)) == (2, (second.runs[0].id,), 1)
    assert len(await scene.claimed(9, now=FIRST + DAY)) == 2


async def test_many_that_fire_at_once_fire_nothing_twice(scene: Scene) -> None:
    await add(scene, *(trigger(f"t{number}") for number in range(60)))
    answers = await asyncio.gather(*(fire(scene, limit=20) for _ in range(8)))

    made = Counter(run.id for moved in answers for run in moved.runs)
    assert (len(made), max(made.values())) == (60, 1)
    assert sum(moved.triggers for moved in answers) == 60


async def test_a_fire_whose_answer_was_lost_is_not_repeated(scene: Scene) -> None:
    """A server that does not know whether a commit came to pass asks again; the row says what is left."""
    await add(scene, trigger())
    once = await fire(scene)
    again = await fire(scene, now=AHEAD)

    assert (len(once.runs), again.triggers) == (1, 0)
    assert (await get(scene)).fired == 1


async def test_the_previous_run_is_cancelled_with_the_move(scene: Scene) -> None:
    ((running, mine),) = await scene.started()
    (over,) = await scene.started()
    [queued] = await scene.add()
    await scene.succeed([over])
    await add(scene, trigger(pending=(running, queued, over[0])))

    def decide(found: Trigger) -> TriggerMove:
        moved = msgspec.structs.replace(found, held=(FIRST,), next_due=FIRST + MINUTE, act_at=None)
        return TriggerMove(trigger=moved, cancels=found.pending)

    moved = await fire(scene, decide)
    assert moved.wishes == [CancelRequest(running, mine, scene.session.id)]
    assert moved.cancelled == [queued]
    assert (await scene.get(queued)).state is RunState.CANCELLED
    assert (await scene.get(running)).reason == "cancelling"
    acts = await scene.store.access.audit(AuditFilter(actor="trigger"))
    assert {one.key for _, one in acts} == {id_text(running), id_text(queued)}
    assert (await get(scene)).held == (FIRST,)


async def test_a_trigger_follows_the_runs_that_matter_to_it(scene: Scene) -> None:
    (good, bad, going) = await scene.started(3)
    gone = run_ids(1)[0]
    await scene.succeed([good], now=START + SECOND)
    await scene.settle([ended(*bad)], now=START + SECOND)
    await add(
        scene,
        trigger(pending=(good[0], going[0])),
        trigger("gone", pending=(gone,)),
        trigger("waits", pending=(bad[0], going[0])),
        trigger("free"),
    )
    asked: dict[str, list[EndedRun]] = {}

    def follow(found: Trigger, over: Sequence[EndedRun]) -> TriggerMove:
        asked[found.name] = list(over)
        left = tuple(run for run in found.pending if run not in {one.run for one in over})
        return TriggerMove(trigger=msgspec.structs.replace(found, pending=left))

    moved = await scene.store.triggers.follow(follow, now=AHEAD, limit=9)
    assert moved.triggers == 2
    assert asked == {
        "tick": [EndedRun(good[0], RunState.SUCCEEDED, START + SECOND)],
        "gone": [EndedRun(gone, None, AHEAD)],
    }
    assert (await get(scene)).pending == (going[0],)
    assert sorted(await scene.store.triggers.pending(limit=9)) == sorted([going[0], going[0], bad[0]])
    assert len(await scene.store.triggers.pending(limit=1)) == 1
    assert (await scene.store.triggers.follow(follow, now=AHEAD, limit=9)).triggers == 0


@pytest.mark.parametrize("database", [pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_of_very_many_that_wait_some_are_looked_at_in_turn(scene: Scene) -> None:
    waiting = await scene.add(4, due_at=START + DAY)
    over = await scene.started()
    await scene.succeed(over)
    await add(scene, *(trigger(f"t{at}", pending=(run,)) for at, run in enumerate([*waiting, over[0][0]])))
    store: Any = scene.store.triggers
    store.look = 2

    def follow(found: Trigger, _: Sequence[EndedRun]) -> TriggerMove:
        return TriggerMove(trigger=msgspec.structs.replace(found, pending=()))

    followed = [(await store.follow(follow, now=AHEAD, limit=9)).triggers for _ in range(6)]
    assert followed == [0, 0, 1, 0, 0, 0]
    await scene.store.runs.cancel(NAMESPACE, waiting[:1], reason="", actor=SYSTEM, now=AHEAD)
    assert sum([(await store.follow(follow, now=AHEAD, limit=9)).triggers for _ in range(3)]) == 1


async def ledger(scene: Scene, trigger: int) -> tuple[list[Fire], list[Span]]:
    store, since, until = scene.store.triggers, START - 400 * DAY, START + 400 * DAY
    return (
        await store.fires(trigger, since=since, until=until, limit=99),
        await store.skips(trigger, since=since, until=until, limit=99),
    )


async def test_entries_are_pruned_with_the_days_of_history(scene: Scene) -> None:
    [made] = await add(scene, trigger())
    instants = [START - 100 * DAY, START, START + 40 * DAY]
    span = Span(FIRST, FIRST, SkipReason.OVERLAP)
    await fire(scene, lambda found: msgspec.structs.replace(fired(found, instants, scene), skips=[span]))
    kept = await ledger(scene, made.id)
    await scene.store.cluster.prune(before=AHEAD)

    assert await ledger(scene, made.id) == kept
    assert ([one.fire_at for one in kept[0]], kept[1]) == (instants, [span])
    await scene.store.cluster.prune(before=AHEAD + DAY)
    assert await ledger(scene, made.id) == (kept[0][2:], [])


async def test_a_day_that_is_prepared_late_takes_over_what_was_entered_for_it(scene: Scene) -> None:
    far = START + 40 * DAY
    [made] = await add(scene, trigger(next_due=far))
    await fire(scene)
    before = await ledger(scene, made.id)
    await scene.store.cluster.prepare_history(now=far, days=1)
    await fire(scene, lambda found: fired(found, [far, far + MINUTE], scene), now=far + MINUTE)

    [first, second] = (await ledger(scene, made.id))[0]
    assert before[0] == [first]
    assert second.fire_at == far + MINUTE
