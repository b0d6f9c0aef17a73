"""Requests over a budget whose queue says `wait`: held, let in in order, and refused after their time."""

import asyncio

import pytest

from mainspring.domain.queues.policy import WhenFull
from mainspring.domain.runs.birth import Accepted, RunRequest
from mainspring.errors import OverBudgetError
from mainspring.scheduler.intake import hold_requests
from mainspring.scheduler.intake.hold_requests import HELD_SECONDS
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle
from tests.words import ANNA


async def full(scene: Scene) -> ScriptedExecutor:
    """An executor with one slot, which is taken, and a queue in which one run may wait, and does."""
    executor = await scene.attach(room=1)
    queues = scene.scheduler.queues
    await queues.set_budget(NAMESPACE, "default", 1, actor=ANNA)
    await queues.change(NAMESPACE, "default", {"when_full": WhenFull.WAIT}, actor=ANNA)
    await scene.enqueue()
    await scene.dispatch()
    await scene.enqueue()
    return executor


async def ask(scene: Scene) -> "asyncio.Task[list[Accepted]]":
    asking = asyncio.create_task(scene.accept(RunRequest(job="report")))
    await until_idle()
    return asking


async def start_next(scene: Scene, executor: ScriptedExecutor) -> None:
    await executor.settled(executor.report(await executor.link.expect(Start)))
    await scene.dispatch()


async def test_a_request_is_held_until_a_run_starts(scene: Scene) -> None:
    executor = await full(scene)
    asking = await ask(scene)
    assert (asking.done(), scene.scheduler.observation.holding.held) == (False, 1)
    await start_next(scene, executor)
    [accepted] = await asking

    assert not accepted.existing
    assert scene.scheduler.observation.holding.held == 0


async def test_requests_are_let_in_in_the_order_in_which_they_came(scene: Scene) -> None:
    executor = await full(scene)
    first, second = await ask(scene), await ask(scene)
    await start_next(scene, executor)
    await first

    assert not second.done()
    await start_next(scene, executor)
    await second


async def test_it_is_refused_with_the_time_to_come_back_once_it_was_held_long_enough(scene: Scene) -> None:
    await full(scene)
    asking = await ask(scene)
    scene.clock.advance(HELD_SECONDS)

    with pytest.raises(OverBudgetError) as refused:
        await asking
    assert refused.value.retry_after >= 1
    assert scene.scheduler.observation.holding.held == 0


async def test_a_caller_that_goes_away_leaves_its_place(scene: Scene) -> None:
    executor = await full(scene)
    gone = asyncio.create_task(scene.scheduler.accept(NAMESPACE, [RunRequest(job="report")]))
    staying = await ask(scene)
    gone.cancel()
    await until_idle()
    assert scene.scheduler.observation.holding.held == 1
    await start_next(scene, executor)

    assert len(await staying) == 1


async def test_no_more_are_held_than_a_server_can_hold(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hold_requests, "HELD_MAX", 1)
    await full(scene)
    held = await ask(scene)

    with pytest.raises(OverBudgetError):
        await scene.accept(RunRequest(job="report"))
    held.cancel()


async def test_a_queue_that_refuses_holds_nothing(scene: Scene) -> None:
    await full(scene)
    await scene.scheduler.queues.change(NAMESPACE, "default", {"when_full": WhenFull.REFUSE}, actor=ANNA)

    with pytest.raises(OverBudgetError):
        await scene.accept(RunRequest(job="report"))
