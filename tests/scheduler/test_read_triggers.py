"""Triggers as people see them: what was made ahead has not come yet."""

import threading
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.triggers.spec import AnyRule, At, Every, TriggerSpec, Windows
from mainspring.domain.triggers.trigger import Trigger, TriggerState
from mainspring.scheduler.operations.trigger_queries import TriggerQueries
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


class WatchedClock(FakeClock):
    """Notes which threads ask it, and is a thousandth of a second later each time."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[int] = Counter()

    def monotonic(self) -> float:
        self.asked[threading.get_ident()] += 1
        return super().monotonic() + self.asked.total() / 1000


@pytest.mark.parametrize(("hours", "complete"), [(1, True), (24, False)])
async def test_a_forecast_is_counted_off_the_loop_and_cut_if_it_takes_too_long(
    scene: Scene, *, hours: int, complete: bool
) -> None:
    await seen(scene, Windows(every=1, opens="00:00", closes="00:00"))
    clock, here = WatchedClock(), threading.get_ident()
    queries = TriggerQueries(scene.store, clock, scene.scheduler.calendars, retention_days=30)
    found = await queries.forecast(NAMESPACE, since=scene.clock.now(), hours=hours, step=60 * SECONDS)

    assert found.complete is complete
    assert 0 < found.total <= 3600 * hours
    assert (found.total == 3600 * hours) is complete
    # The loop only says when the forecast has to end; the rules are followed elsewhere.
    assert clock.asked.pop(here) == 1
    assert clock.asked.total() > 100


async def test_a_last_fire_that_is_made_but_has_not_come_is_no_end(scene: Scene) -> None:
    at = scene.clock.now() + 5 * SECONDS
    stored, shown = await seen(scene, At(at=at))

    assert (stored.state, stored.next_due) == (TriggerState.ENDED, None)
    assert (shown.state, shown.next_due, shown.fired) == (TriggerState.ACTIVE, at, 0)
