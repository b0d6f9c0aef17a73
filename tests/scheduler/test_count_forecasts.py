"""A forecast of many triggers: each reader gets what is counted so far, from one counting in the background."""

import threading
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.triggers.fire_times.forecast import Forecast
from mainspring.domain.triggers.spec import AnyRule, Cron, Every, TriggerSpec, Windows
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.triggers import count_forecasts
from mainspring.scheduler.triggers.count_forecasts import CountForecasts, Question
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from tests.scheduler.forecasts import counted
from tests.scheduler.scene import NAMESPACE, Scene

HOUR = timedelta(hours=1)
ASKED = Question(NAMESPACE, None, 2, HOUR)
HOURLY = Cron(expressions=("30 * * * *",))
MANY = 250


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    made = Scene(store, clock)
    await made.start()
    await made.executor().connect()
    yield made
    await made.stop()


async def define(scene: Scene, *names: str, when: AnyRule = HOURLY, namespace: str = NAMESPACE) -> None:
    specs = [TriggerSpec(name=name, job="report", when=when) for name in names]
    await scene.scheduler.triggers.define(namespace, specs, actor=SYSTEM)


async def many(scene: Scene) -> CountForecasts:
    await define(scene, *(f"t{number:03}" for number in range(MANY)))
    return scene.scheduler.forecasts


async def so_far(forecasts: CountForecasts, asked: Question = ASKED) -> Forecast:
    return (await forecasts.look(asked, wait=0)).forecast


async def test_each_reader_gets_what_is_counted_so_far(scene: Scene) -> None:
    forecasts = await many(scene)
    seen = [await so_far(forecasts)]
    while await forecasts.tick():
        seen.append(await so_far(forecasts))
    seen.append(await so_far(forecasts))

    assert [one.triggers for one in seen] == [0, 100, 200, MANY]
    assert [one.total for one in seen] == [0, 200, 400, 2 * MANY]
    assert [round(one.share, 1) for one in seen] == [0.0, 0.4, 0.8, 1.0]
    assert [(one.counting, one.complete) for one in seen] == [(True, False)] * 3 + [(False, True)]


async def test_one_counting_serves_all_who_ask_for_the_same(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    forecasts = await many(scene)
    pages = Counter[int]()
    rules = scene.store.triggers.rules

    async def watched(namespace: str | None, *, after: int, limit: int) -> object:
        pages[after] += 1
        return await rules(namespace, after=after, limit=limit)

    monkeypatch.setattr(scene.store.triggers, "rules", watched)
    first = [await so_far(forecasts) for _ in range(5)]
    whole = await counted(scene, ASKED)

    assert {one.triggers for one in first} == {0}
    assert whole.triggers == MANY
    assert list(pages.values()) == [1, 1, 1]


async def test_different_forecasts_are_counted_in_turn(scene: Scene) -> None:
    forecasts = await many(scene)
    longer = Question(NAMESPACE, None, 24, HOUR)
    await so_far(forecasts)
    await so_far(forecasts, longer)
    for _ in range(2):
        await forecasts.tick()

    assert (await so_far(forecasts)).triggers == (await so_far(forecasts, longer)).triggers == 100


async def test_what_nobody_asks_for_any_more_is_given_up(scene: Scene) -> None:
    forecasts = await many(scene)
    await so_far(forecasts)
    assert await forecasts.tick()
    scene.clock.advance(count_forecasts.IDLE + 1)

    assert not await forecasts.tick()
    assert (await so_far(forecasts)).triggers == 0


async def test_few_are_counted_anew_and_what_took_long_is_kept(scene: Scene) -> None:
    forecasts = await many(scene)
    await counted(scene, ASKED)
    await define(scene, "new-1")
    assert (await counted(scene, ASKED)).triggers == MANY + 1

    await so_far(forecasts)
    scene.clock.advance(1.0)
    await counted(scene, ASKED)
    await define(scene, "new-2")
    scene.clock.advance(19.0)
    assert (await so_far(forecasts)).triggers == MANY + 1
    # It has grown old: it is given once more while the next one is counted.
    scene.clock.advance(2.0)
    assert (await so_far(forecasts)).triggers == MANY + 1
    while await forecasts.tick():
        pass
    assert (await so_far(forecasts)).triggers == MANY + 2


async def test_what_is_kept_goes_when_many_triggers_were_changed(scene: Scene) -> None:
    forecasts = await many(scene)
    await so_far(forecasts)
    scene.clock.advance(1.0)
    await counted(scene, ASKED)
    scene.clock.advance(count_forecasts.KEPT_MIN)
    await define(scene, "new-1", "new-2")
    assert (await so_far(forecasts)).triggers == MANY
    await define(scene, "new-3")

    assert (await so_far(forecasts)).counting


async def test_so_many_are_kept_and_the_one_asked_for_longest_ago_goes(scene: Scene) -> None:
    forecasts = await many(scene)
    await so_far(forecasts)
    assert await forecasts.tick()
    for hours in range(3, 3 + count_forecasts.COUNTINGS_MAX):
        scene.clock.advance(1.0)
        await so_far(forecasts, Question(NAMESPACE, None, hours, HOUR))

    assert (await so_far(forecasts)).triggers == 0


async def test_a_calendar_that_is_gone_is_said_to_who_asks(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    await many(scene)

    def gone(_trigger: object) -> None:
        raise NotFoundError("calendar", "gone")

    monkeypatch.setattr(scene.scheduler.triggers, "ruled", gone)
    with pytest.raises(NotFoundError):
        await counted(scene, ASKED)
    monkeypatch.undo()

    assert (await counted(scene, ASKED)).complete


async def test_steps_have_bounds(scene: Scene) -> None:
    for asked in (Question(NAMESPACE, None, 0, HOUR), Question(NAMESPACE, None, 25, timedelta(seconds=1))):
        with pytest.raises(InvalidInputError):
            await so_far(scene.scheduler.forecasts, asked)


class WatchedClock(FakeClock):
    """Notes which threads ask it, and is a thousandth of a second later each time."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[int] = Counter()

    def monotonic(self) -> float:
        self.asked[threading.get_ident()] += 1
        return super().monotonic() + self.asked.total() / 1000


@pytest.mark.parametrize(("seconds", "complete"), [(60.0, True), (1.0, False)])
async def test_a_forecast_is_counted_off_the_loop_and_cut_if_it_takes_too_long(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, *, seconds: float, complete: bool
) -> None:
    monkeypatch.setattr(count_forecasts, "SECONDS_MAX", seconds)
    await define(scene, "dense", when=Windows(every=1, opens="00:00", closes="00:00"))
    await define(scene, "other", when=Every(every=3600))
    clock, here = WatchedClock(), threading.get_ident()
    forecasts = CountForecasts(scene.store, clock, scene.scheduler.triggers, scene.scheduler.facts)
    asked = Question(NAMESPACE, None, 4, HOUR)
    await so_far(forecasts, asked)
    while await forecasts.tick():
        pass
    found = await so_far(forecasts, asked)

    assert (found.complete, found.counting) == (complete, False)
    assert (found.total == 4 * 3600 + 4) is complete
    # The loop asks a few times; the rules are followed elsewhere.
    assert clock.asked.pop(here) < 20
    assert clock.asked.total() > 100
