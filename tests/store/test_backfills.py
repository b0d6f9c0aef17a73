"""Backfills: rows that move by their versions, and runs that are made with the instants they are of."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import msgspec

from mainspring.domain.bulk.backfill import (
    Backfill,
    BackfillFire,
    BackfillId,
    BackfillPiece,
    BackfillState,
    SteppedBackfill,
    backfill_entry,
    over,
)
from mainspring.domain.ids import id_text
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.trigger import Fire, Trigger
from mainspring.store.interface import AuditFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, run_ids
from tests.store.scene import Scene
from tests.store.trigger_samples import add, fire, run_of, trigger
from tests.words import ANNA, MINUTE

SINCE = START - timedelta(days=400)
"""Long before any day that has a table of its own."""
LATER = START + timedelta(days=1)


def instants(count: int, *, skip: int = 0) -> list[datetime]:
    return [SINCE + number * MINUTE for number in range(skip, skip + count)]


async def begun(scene: Scene, of: Trigger | None = None, *, name: str = "tick", **said: Any) -> Backfill:
    found = of or (await add(scene, trigger(name)))[0]
    backfill = Backfill(
        id=BackfillId(run_ids(1)[0]),
        namespace=NAMESPACE,
        trigger=found.id,
        spec=found.spec,
        anchor=found.created_at,
        since=SINCE,
        until=SINCE + 10 * MINUTE,
        concurrency=10,
        actor=ANNA,
        place=SINCE,
        expected=10,
        created_at=START,
        moved_at=START,
    )
    made = msgspec.structs.replace(backfill, **said)
    entry = backfill_entry("backfill.create", made, actor=ANNA, now=START, reason="late")
    await scene.store.bulk.save(made, entry)
    return made


async def step(
    scene: Scene, backfill: Backfill, count: int = 2, *, skip: int = 0, **said: Any
) -> SteppedBackfill | None:
    chosen = instants(count, skip=skip)
    runs = [run_of(scene, START, **said) for _ in chosen]
    piece = BackfillPiece(chosen, 0, SINCE + (count + skip) * MINUTE)
    return await scene.store.bulk.step_backfill(backfill, piece, runs, now=START)


async def ledger(scene: Scene, backfill: Backfill) -> list[Fire]:
    return await scene.store.triggers.fires(backfill.trigger, since=SINCE, until=START, limit=100)


async def made_by(scene: Scene, backfill: Backfill) -> list[BackfillFire]:
    return await scene.store.bulk.fires(backfill.id, after=None, limit=100)


async def test_one_that_is_stored_is_found_and_audited(scene: Scene) -> None:
    backfill = await begun(scene, reason="late", concurrency=3)
    store = scene.store.bulk

    assert await store.get(Backfill, NAMESPACE, backfill.id) == backfill
    assert await store.get(Backfill, "other", backfill.id) is None
    assert await store.live(Backfill, limit=10) == [backfill]
    [(_, entry)] = await scene.store.access.audit(AuditFilter(kind="backfill"))
    assert (entry.act, entry.actor, entry.key) == ("backfill.create", ANNA, id_text(backfill.id))


async def test_they_are_listed_newest_first_and_by_trigger(scene: Scene) -> None:
    one, two, three = [await begun(scene, name=name) for name in ("a", "b", "c")]
    store = scene.store.bulk

    assert await store.list(Backfill, NAMESPACE, trigger=None, before=None, limit=2) == [three, two]
    assert await store.list(Backfill, NAMESPACE, trigger=None, before=two.id, limit=2) == [one]
    assert await store.list(Backfill, NAMESPACE, trigger="b", before=None, limit=2) == [two]
    assert await store.list(Backfill, "other", trigger=None, before=None, limit=2) == []
    assert [each.id for each in await store.live(Backfill, limit=2)] == [one.id, two.id]


async def test_a_step_makes_runs_enters_instants_and_moves_it_on(scene: Scene) -> None:
    backfill = await begun(scene)
    brought: dict[str, Any] = {
        "extra": b'{"tags":["late"],"trigger":"tick"}',
        "marks": ("late",),
        "deadline_at": LATER,
        "priority": 1,
    }
    stepped = await step(scene, backfill, **brought)

    assert stepped is not None
    runs = [run.id for run in stepped.made]
    moved = stepped.backfill
    assert (moved.made, moved.live, moved.place, moved.version) == (2, tuple(runs), SINCE + 2 * MINUTE, 2)
    assert await scene.store.bulk.get(Backfill, NAMESPACE, backfill.id) == moved
    assert [(fire.fire_at, fire.run) for fire in await ledger(scene, backfill)] == list(
        zip(instants(2), runs, strict=True)
    )
    assert await made_by(scene, backfill) == [
        BackfillFire(at, run, backfill.id) for at, run in zip(instants(2), runs, strict=True)
    ]
    found = await scene.get(runs[0])
    assert (found.state, found.tags, found.deadline_at, found.priority) == (RunState.QUEUED, ("late",), LATER, 1)
    assert sorted(run for run, _ in await scene.claimed(5)) == sorted(runs)


async def test_a_step_from_an_older_version_changes_nothing(scene: Scene) -> None:
    backfill = await begun(scene)
    await step(scene, backfill)

    assert await step(scene, backfill, skip=5) is None
    assert len(await ledger(scene, backfill)) == len(await made_by(scene, backfill)) == 2


async def test_steps_at_once_are_done_once(scene: Scene) -> None:
    backfill = await begun(scene)
    stepped = await asyncio.gather(*(step(scene, backfill) for _ in range(5)))

    assert sum(each is not None for each in stepped) == 1
    assert len(await scene.claimed(20)) == 2


async def test_a_trigger_and_a_backfill_that_want_one_instant_at_once_make_one_run(scene: Scene) -> None:
    [found] = await add(scene, trigger(next_due=SINCE, act_at=SINCE))
    backfill = await begun(scene, found)
    moved, stepped = await asyncio.gather(fire(scene, now=START), step(scene, backfill, 1))

    assert stepped is not None
    [run] = [*moved.runs, *stepped.made]
    assert await ledger(scene, backfill) == [Fire(SINCE, run.id)]
    assert [each for each, _ in await scene.claimed(20)] == [run.id]
    assert stepped.backfill.made + stepped.backfill.passed == 1


async def test_an_instant_that_the_ledger_knows_gets_no_other_run(scene: Scene) -> None:
    first = await begun(scene)
    await step(scene, first, 2)
    before = await ledger(scene, first)
    [found] = await scene.store.triggers.rules(NAMESPACE, after=0, limit=10)
    second = await begun(scene, found)
    stepped = await step(scene, second, 3)

    assert stepped is not None
    [run] = stepped.made
    assert (stepped.backfill.made, stepped.backfill.passed, stepped.backfill.live) == (1, 2, (run.id,))
    assert await ledger(scene, first) == [*before, Fire(SINCE + 2 * MINUTE, run.id)]
    assert await made_by(scene, second) == [BackfillFire(SINCE + 2 * MINUTE, run.id, second.id)]
    assert len(await scene.claimed(20)) == 3


async def test_all_run_again_if_that_is_wanted(scene: Scene) -> None:
    first = await begun(scene)
    await step(scene, first, 1)
    before = await ledger(scene, first)
    [found] = await scene.store.triggers.rules(NAMESPACE, after=0, limit=10)
    second = await begun(scene, found, rerun=True)
    stepped = await step(scene, second, 2)

    assert stepped is not None
    assert (stepped.backfill.made, stepped.backfill.passed) == (2, 0)
    assert await ledger(scene, first) == [*before, Fire(SINCE + MINUTE, stepped.made[1].id)]
    assert [fire.run for fire in await made_by(scene, second)] == [run.id for run in stepped.made]
    both = await scene.store.bulk.fires_of(found.id, since=SINCE, until=SINCE + MINUTE, limit=10)
    assert sorted(fire.backfill for fire in both) == sorted([first.id, second.id])


async def test_what_was_made_is_read_in_pages(scene: Scene) -> None:
    backfill = await begun(scene)
    await step(scene, backfill, 3)
    store = scene.store.bulk
    page = await store.fires(backfill.id, after=None, limit=2)

    assert [fire.fire_at for fire in page] == instants(2)
    assert [fire.fire_at for fire in await store.fires(backfill.id, after=page[-1].fire_at, limit=2)] == instants(
        1, skip=2
    )


async def test_one_that_is_over_is_not_worked_on_and_goes_with_what_is_old(scene: Scene) -> None:
    backfill = await begun(scene)
    stepped = await step(scene, backfill)
    assert stepped is not None
    ended = over(stepped.backfill, BackfillState.CANCELLED, "enough", START)
    entry = backfill_entry("backfill.cancel", ended, actor=ANNA, now=START, reason="")
    store = scene.store.bulk

    assert not await store.save(over(backfill, BackfillState.CANCELLED, "too late", START), entry)
    assert await store.save(ended, entry)
    assert not await store.save(over(ended, BackfillState.DONE, "", START))
    assert await store.live(Backfill, limit=10) == []
    assert await step(scene, ended, skip=5) is None
    live = await begun(scene, name="other")
    await scene.store.cluster.prune(before=START)
    assert len(await store.list(Backfill, NAMESPACE, trigger=None, before=None, limit=10)) == 2
    await scene.store.cluster.prune(before=LATER)
    assert await store.list(Backfill, NAMESPACE, trigger=None, before=None, limit=10) == [live]
    assert await made_by(scene, backfill) == []
