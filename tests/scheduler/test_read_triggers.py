"""Triggers as people see them: what was made ahead has not come yet."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.triggers.fire_times.forecast import SLICE
from mainspring.domain.triggers.spec import AnyRule, At, Every, TriggerSpec, Windows
from mainspring.domain.triggers.trigger import Trigger, TriggerState
from mainspring.scheduler.operations.trigger_queries import FORECAST_MAX
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import FakeClock
from tests.scheduler.scene import NAMESPACE, Scene, until_idle

SECONDS = timedelta(seconds=1)


@pytest.fixture
async def scene(clock: FakeClock) -> AsyncIterator[Scene]:
    store = SqliteStore.inline(clock=clock)
    await store.migrate()
    made = Scene(store, clock)
    await made.start()
    await made.executor().connect()
    yield made
    await made.stop()
    await store.close()


async def seen(scene: Scene, when: AnyRule) -> tuple[Trigger, Trigger]:
    """A trigger whose runs were made as far ahead as they are: as it is stored, and as it is shown."""
    triggers = scene.scheduler.triggers
    await triggers.define(NAMESPACE, [TriggerSpec(name="made", job="report", when=when)], actor=SYSTEM)
    while await scene.scheduler.timing.firing.tick():
        pass
    stored = await triggers.get(NAMESPACE, "made")
    return stored, await triggers.as_seen(stored)


async def test_what_was_made_ahead_neither_counts_nor_is_passed_over(scene: Scene) -> None:
    now = scene.clock.now()
    stored, shown = await seen(scene, Every(every=10, anchor=now))
    scene.clock.advance(15)
    later = await scene.scheduler.triggers.as_seen(await scene.scheduler.triggers.get(NAMESPACE, "made"))

    assert stored.last_fire_at is not None
    assert stored.last_fire_at > now
    assert (shown.next_due, shown.fired, shown.last_fire_at) == (now + 10 * SECONDS, 0, None)
    assert (later.next_due, later.fired, later.last_fire_at) == (now + 20 * SECONDS, 1, now + 10 * SECONDS)


async def test_a_forecast_leaves_others_their_turn_after_each_piece(scene: Scene) -> None:
    rule = Windows(every=1, opens="00:00", closes="00:00")
    await seen(scene, rule)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(others())
    now = scene.clock.now()
    found = await scene.scheduler.triggers.forecast(NAMESPACE, since=now, hours=1, step=60 * SECONDS)
    other.cancel()

    assert (found.total, found.complete) == (3600, True)
    assert turns >= 3600 // SLICE


async def test_a_forecast_that_takes_too_long_is_cut_and_says_so(scene: Scene) -> None:
    await seen(scene, Every(every=1))
    now = scene.clock.now()
    counting = asyncio.create_task(scene.scheduler.triggers.forecast(NAMESPACE, since=now, hours=24, step=60 * SECONDS))
    await until_idle()
    scene.clock.advance(FORECAST_MAX + 1)
    found = await counting

    assert not found.complete
    assert 0 < found.total < 86_400


async def test_a_last_fire_that_is_made_but_has_not_come_is_no_end(scene: Scene) -> None:
    at = scene.clock.now() + 5 * SECONDS
    stored, shown = await seen(scene, At(at=at))

    assert (stored.state, stored.next_due) == (TriggerState.ENDED, None)
    assert (shown.state, shown.next_due, shown.fired) == (TriggerState.ACTIVE, at, 0)
