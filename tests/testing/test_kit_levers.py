"""Limits, rates, routes, breakers and blocking, in the test kit."""

from typing import Any

import pytest

from mainspring import App, Context
from mainspring.domain.limits.policy import Rate
from mainspring.testing import Kit

RUNS = 5


class Stage:
    """An app with one job, which notes what it was called for."""

    def __init__(self, **options: Any) -> None:
        self.app = App("levers")
        self.seen: list[int] = []

        @self.app.job(**options)
        def work(n: int = 0, group: str = "a") -> int:
            self.seen.append(n)
            return n

        self.work = work

    def enqueue(self, count: int = RUNS) -> None:
        for n in range(count):
            self.work.enqueue_sync(n=n, group="ab"[n % 2])


@pytest.mark.parametrize(
    "options",
    [
        {"at_once": 1},
        {"at_once": 1, "limit_key": "group"},
        {"fair": "group"},
        {"executor_limit": 1},
        {"weight": 2.0},
        {"route": "round_robin"},
        {"route": "least_loaded"},
        {"slices": 1},
        {"breaker": "gateway"},
    ],
)
def test_what_holds_nothing_back_for_long_is_drained(options: dict[str, Any]) -> None:
    stage = Stage(**options)
    with Kit(stage.app) as kit:
        stage.enqueue()
        kit.drain_sync()

    assert sorted(stage.seen) == list(range(RUNS))


@pytest.mark.parametrize(("blocking", "seen"), [("latest", [0, 4]), ("discard", [0]), ("replace", [4])])
def test_blocking_is_as_it_is_elsewhere(blocking: str, seen: list[int]) -> None:
    stage = Stage(at_once=1, blocking=blocking)
    with Kit(stage.app) as kit:
        stage.enqueue()
        kit.drain_sync()

    assert stage.seen in (seen, seen[-1:])


@pytest.mark.parametrize("rate", ["2/m", Rate("1/m", key="group", burst=1)])
def test_a_rate_lets_runs_start_as_the_clock_is_moved(rate: str | Rate) -> None:
    stage = Stage(rate=rate)
    with Kit(stage.app) as kit:
        stage.enqueue()
        kit.drain_sync()
        first = len(stage.seen)
        kit.advance_sync(30)
        second = len(stage.seen)
        kit.advance_sync(600)

    assert 0 < first < RUNS
    assert first <= second < RUNS
    assert sorted(stage.seen) == list(range(RUNS))


@pytest.mark.parametrize(
    "options", [{"requires": ["gpu"]}, {"uses": {"gpu": 1}}, {"runs_on": ">=2"}, {"route": "first"}]
)
def test_the_executor_of_the_kit_has_what_the_test_gives_it(options: dict[str, Any]) -> None:
    stage = Stage(**options)
    with Kit(stage.app, executor="press-1", labels={"gpu": "yes"}, resources={"gpu": "2"}, code_version="2.4") as kit:
        stage.enqueue()
        kit.drain_sync()

    assert sorted(stage.seen) == list(range(RUNS))


def test_what_the_executor_lacks_waits() -> None:
    stage = Stage(requires=["gpu"])
    with Kit(stage.app) as kit:
        stage.enqueue(1)
        assert kit.drain_sync() == []
        [run] = kit.enqueued()

    assert run.reason == "no_executor"


def test_a_breaker_opens_parks_and_closes_as_the_clock_is_moved() -> None:
    app = App("levers")
    down, sent = [True], list[int]()

    @app.job
    async def send(ctx: Context, n: int) -> None:
        async with ctx.breaker("gateway"):
            if down[0]:
                raise ConnectionError("the gateway is down")
            sent.append(n)

    with Kit(app) as kit:
        for n in range(30):
            send.enqueue_sync(n)
        kit.drain_sync()
        waiting = [run for run in kit.enqueued() if run.reason == "breaker"]
        assert waiting
        down[0] = False
        kit.advance_sync(3600)

    assert len(sent) >= len(waiting)
