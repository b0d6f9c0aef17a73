"""What was prepared ahead of its instant is taken back as if it had never been, unless an executor has begun it."""

from collections.abc import Mapping
from datetime import datetime

import msgspec
import pytest

from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.spec import At
from mainspring.domain.triggers.trigger import RecordedPause, Trigger, TriggerChanges, TriggerMove
from mainspring.errors import ConflictError
from mainspring.store.interface import RunFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE
from tests.store.scene import Scene
from tests.store.trigger_samples import AHEAD, FIRST, add, every_minute, fire, fired, fires, get, trigger
from tests.words import ANNA, MINUTE, SECOND

BROUGHT = {"marks": ("nightly",), "extra": b'{"tags":["nightly"],"by":"trigger tick"}'}


async def look(scene: Scene, *names: str, now: datetime = AHEAD) -> list[Trigger]:
    """Change nothing, and say what a rule would have been told."""
    told: list[Trigger] = []

    def revise(found: Mapping[str, Trigger]) -> TriggerChanges:
        told.extend(found.values())
        return TriggerChanges()

    await scene.store.triggers.change(NAMESPACE, names or ["tick"], revise, now=now)
    return told


async def prepare(scene: Scene, *instants: datetime) -> None:
    """Have these instants fired by now."""
    await fire(scene, lambda found: fired(found, instants, scene, **BROUGHT))


async def test_an_edit_takes_back_what_was_prepared(scene: Scene) -> None:
    [made] = await add(scene, trigger())
    await prepare(scene, FIRST, FIRST + MINUTE)
    [told] = await look(scene)

    assert (told.next_due, told.fired, told.last_fire_at) == (FIRST, 0, None)
    assert await fires(scene, made) == []
    found = await scene.store.runs.list(RunFilter(namespace=NAMESPACE, tags=("nightly",)))
    assert found.runs == []
    assert await scene.claimed(9, now=FIRST + MINUTE) == []


async def test_what_nobody_decided_about_is_soon_looked_at_again(scene: Scene) -> None:
    await add(scene, trigger())
    await prepare(scene, FIRST)
    [told] = await look(scene)

    assert await get(scene) == told
    assert told.act_at == AHEAD
    assert len((await fire(scene)).runs) == 1


async def test_an_instant_that_has_come_stays_fired(scene: Scene) -> None:
    [made] = await add(scene, trigger())
    await prepare(scene, FIRST, FIRST + MINUTE)
    [told] = await look(scene, now=FIRST)

    assert (told.next_due, told.fired, told.last_fire_at) == (FIRST + MINUTE, 1, FIRST)
    assert [one.fire_at for one in await fires(scene, made)] == [FIRST]
    assert len(await scene.claimed(9, now=FIRST + MINUTE)) == 1


@pytest.mark.parametrize("begun", ["claimed", "cancelled"])
async def test_what_somebody_has_begun_stays_and_is_not_fired_again(scene: Scene, begun: str) -> None:
    """Clocks differ: to an executor of another server the instant may have come."""
    [made] = await add(scene, trigger())
    await prepare(scene, FIRST, FIRST + MINUTE)
    [first, _] = await fires(scene, made)
    if begun == "claimed":
        await scene.claimed(now=FIRST)
    else:
        await scene.store.runs.cancel(NAMESPACE, [first.run], reason="", actor=ANNA, now=AHEAD)
    [told] = await look(scene)

    assert (told.next_due, told.fired, told.last_fire_at) == (FIRST + MINUTE, 1, FIRST)
    await prepare(scene, FIRST, FIRST + MINUTE)
    assert [one.fire_at for one in await fires(scene, made)] == [FIRST, FIRST + MINUTE]
    assert (await fires(scene, made))[0] == first


async def test_a_pause_or_deletion_leaves_nothing_to_begin(scene: Scene) -> None:
    await add(scene, trigger("a"), trigger("b"), trigger("c"))
    await fire(scene)

    def revise(found: Mapping[str, Trigger]) -> TriggerChanges:
        still = msgspec.structs.replace(found["a"], paused=RecordedPause("", "anna", AHEAD), act_at=None)
        return TriggerChanges(moves=[TriggerMove(trigger=still)], deletes=[TriggerMove(trigger=found["b"])])

    await scene.store.triggers.change(NAMESPACE, ["a", "b"], revise, now=AHEAD)
    runs = await scene.claimed(9, now=FIRST)
    assert [one.run for one in await fires(scene, await get(scene, "c"))] == [run for run, _ in runs]
    paused = await get(scene, "a")
    assert (paused.next_due, paused.fired, paused.act_at) == (FIRST, 0, None)


async def test_a_change_that_is_refused_takes_nothing_back(scene: Scene) -> None:
    await add(scene, trigger())
    await prepare(scene, FIRST)
    before = await get(scene)

    def refuse(_: Mapping[str, Trigger]) -> TriggerChanges:
        raise ConflictError("trigger", "tick", "no")

    with pytest.raises(ConflictError):
        await scene.store.triggers.change(NAMESPACE, ["tick"], refuse, now=AHEAD)
    assert await get(scene) == before
    assert len(await scene.claimed(now=FIRST)) == 1


async def test_runs_that_were_taken_back_matter_no_more(scene: Scene) -> None:
    await add(scene, trigger())

    def decide(found: Trigger) -> TriggerMove:
        move = fired(found, [FIRST], scene)
        pending = tuple(run.id for _, run in move.fires)
        return msgspec.structs.replace(move, trigger=msgspec.structs.replace(move.trigger, pending=pending))

    await fire(scene, decide)
    [told] = await look(scene)

    assert told.pending == ()
    assert await scene.store.triggers.pending(limit=9) == []


async def test_a_changed_calendar_has_its_triggers_looked_at_again(scene: Scene) -> None:
    resting = {"paused": RecordedPause("", "anna", START), "act_at": None}
    await add(
        scene,
        trigger(calendar="bank"),
        trigger("paused", calendar="bank", **resting),
        trigger("ended", calendar="bank", next_due=None, act_at=None),
        trigger("over", calendar="bank", when=At(at=START), fired=1, last_fire_at=START, next_due=None, act_at=None),
        trigger("other", calendar="school"),
        trigger("plain"),
    )
    await fire(scene)
    store = scene.store.triggers
    assert await store.touch(NAMESPACE, calendar="bank", now=AHEAD + SECOND) == 2
    assert await store.touch("elsewhere", calendar="bank", now=AHEAD) == 0
    assert await store.touch(NAMESPACE, calendar="", now=AHEAD) == 0
    told: list[Trigger] = []

    def decide(found: Trigger) -> TriggerMove:
        told.append(found)
        return every_minute(scene)(msgspec.structs.replace(found, next_due=FIRST + 2 * MINUTE))

    await fire(scene, decide, now=AHEAD + SECOND)
    assert sorted((one.name, one.next_due, one.fired) for one in told) == [("ended", None, 0), ("tick", FIRST, 0)]
    assert [one.fire_at for one in await fires(scene, await get(scene))] == [FIRST + 2 * MINUTE]
    assert (await fire(scene, now=AHEAD + SECOND)).triggers == 0
    assert (await scene.get((await fires(scene, await get(scene)))[0].run)).state is RunState.QUEUED
