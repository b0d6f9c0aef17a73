"""Triggers as people see them: what was made ahead has not come yet."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.triggers.spec import AnyRule, At, Every, TriggerSpec
from mainspring.domain.triggers.trigger import Trigger, TriggerState
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import FakeClock
from tests.scheduler.scene import NAMESPACE, Scene

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


async def test_a_last_fire_that_is_made_but_has_not_come_is_no_end(scene: Scene) -> None:
    at = scene.clock.now() + 5 * SECONDS
    stored, shown = await seen(scene, At(at=at))

    assert (stored.state, stored.next_due) == (TriggerState.ENDED, None)
    assert (shown.state, shown.next_due, shown.fired) == (TriggerState.ACTIVE, at, 0)
