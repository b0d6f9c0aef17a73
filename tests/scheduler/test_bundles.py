"""What is claimed from a backlog may be kept in bundles, and nobody who works with its runs sees a difference."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from mainspring.domain.runs.run import RunState
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Start
from tests.scheduler.scene import Scene, ScriptedExecutor


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    """A server that takes two runs at a time, and keeps two in a bundle if more wait behind them."""
    made = Scene(store, clock, SchedulerSettings(name="s1", claim_batch=2, bundle_from=2))
    await made.start()
    yield made
    await made.stop()


async def started(scene: Scene, count: int) -> tuple[ScriptedExecutor, list[Start]]:
    """So many runs, enqueued before there was anybody for them, and then started."""
    await scene.attach("e0", room=0)
    await scene.enqueue(count=count)
    executor = await scene.attach(room=count)
    await scene.dispatch()
    return executor, [message for message in executor.link.heard if isinstance(message, Start)]


async def states(scene: Scene, starts: list[Start]) -> list[RunState]:
    return [(await scene.run(run)).state for start in starts for run in start.runs]


def watch(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """The claims from now on: how many slots they had, and whether they were to make bundles."""
    claims: list[tuple[int, bool]] = []
    plain: Callable[..., Any] = scene.store.runs.claim

    async def claim(lines: list[int], slots: list[bytes], *, bundled: bool = False, **more: Any) -> Any:
        claims.append((len(slots), bundled))
        return await plain(lines, slots, bundled=bundled, **more)

    monkeypatch.setattr(scene.store.runs, "claim", claim)
    return claims


async def test_only_from_a_backlog_and_with_room_enough(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = watch(scene, monkeypatch)
    await started(scene, 5)

    assert claims == [(2, False), (2, True), (1, False)]


async def test_whether_all_succeed_at_once_or_one_after_the_other(scene: Scene) -> None:
    executor, starts = await started(scene, 8)
    for start in starts[:2]:
        await executor.settled(executor.report(start))
    for start in starts[2:]:
        for run in start.runs:
            await executor.settled(executor.report(start, runs=[run]))

    assert await states(scene, starts) == [RunState.SUCCEEDED] * 8


async def test_whether_some_of_them_fail(scene: Scene) -> None:
    executor, starts = await started(scene, 6)
    await executor.settled(executor.report_failure(starts[1]))
    await executor.settled(executor.report(starts[2]))

    assert await states(scene, starts) == [
        *[RunState.RUNNING] * 2,
        *[RunState.QUEUED] * 2,
        *[RunState.SUCCEEDED] * 2,
    ]


async def test_whether_they_last(scene: Scene) -> None:
    executor, starts = await started(scene, 6)
    scene.clock.advance(5)
    while await scene.scheduler.undoing.tick():
        pass
    assert await states(scene, starts) == [RunState.RUNNING] * 6
    for start in starts:
        await executor.settled(executor.report(start))

    assert await states(scene, starts) == [RunState.SUCCEEDED] * 6


async def test_whether_their_executor_dies(scene: Scene) -> None:
    executor, starts = await started(scene, 6)
    executor.link.cut()
    await scene.let_pass(60)

    assert RunState.RUNNING not in await states(scene, starts)
