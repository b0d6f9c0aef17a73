"""The store fails before or after an act was applied: nothing accepted is lost, nothing happens twice."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import StoreUnavailableError, UnavailableError
from mainspring.store.interface import BulkStore, RunStore, Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Settled, Start
from tests.scheduler.scene import NAMESPACE, Scene, until_idle


class FlakyRuns:
    """Runs of a store, or bulk operations, whose next call of a method fails, before or after it was applied."""

    def __init__(self, runs: RunStore | BulkStore) -> None:
        self._runs = runs
        self._failing: dict[str, str] = {}

    def fail_next(self, method: str, *, moment: str) -> None:
        self._failing[method] = moment

    def __getattr__(self, method: str) -> Any:
        act = getattr(self._runs, method)

        async def call(*arguments: Any, **named: Any) -> Any:
            moment = self._failing.pop(method, "")
            if moment == "before":
                raise StoreUnavailableError("away")
            answer = await act(*arguments, **named)
            if moment == "after":
                raise StoreUnavailableError("away: the answer was lost")
            return answer

        return call


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    store.runs = FlakyRuns(store.runs)
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()


def flaky(scene: Scene) -> FlakyRuns:
    assert isinstance(scene.store.runs, FlakyRuns)
    return scene.store.runs


async def test_a_request_during_an_outage_is_refused_and_absent(scene: Scene) -> None:
    await scene.attach()
    flaky(scene).fail_next("create", moment="before")
    with pytest.raises(UnavailableError):
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="report", key="k")])

    [accepted] = await scene.accept(RunRequest(job="report", key="k"))
    assert accepted.existing is False


async def test_a_request_whose_answer_was_lost_is_found_again_by_its_key(scene: Scene) -> None:
    await scene.attach()
    flaky(scene).fail_next("create", moment="after")
    with pytest.raises(UnavailableError):
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="report", key="k")])

    [accepted] = await scene.accept(RunRequest(job="report", key="k"))
    assert accepted.existing is True


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_claim_that_got_no_answer_is_undone_and_made_again(scene: Scene, moment: str) -> None:
    executor = await scene.attach(room=0)
    [run] = await scene.enqueue()
    able = await scene.attach("e2")
    flaky(scene).fail_next("claim", moment=moment)
    with pytest.raises(StoreUnavailableError):
        await scene.dispatch()
    assert able.link.count(Start) == 0
    await scene.dispatch()

    start = await able.link.expect(Start)
    assert start.runs == [run]
    assert executor.link.count(Start) == 0


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_an_outcome_is_settled_once_however_often_the_store_fails(scene: Scene, moment: str) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    flaky(scene).fail_next("succeed", moment=moment)
    executor.report(start, result=b"1")
    await until_idle()
    with pytest.raises(StoreUnavailableError):
        await scene.scheduler.settling.tick()
    assert executor.link.count(Settled) == 0
    await scene.scheduler.settling.tick()

    assert (await executor.link.expect(Settled)).stale == []
    assert (await scene.run(run)).state is RunState.SUCCEEDED


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_failure_is_counted_once_however_often_the_store_fails(scene: Scene, moment: str) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    flaky(scene).fail_next("settle", moment=moment)
    executor.report_failure(start)
    await until_idle()
    with pytest.raises(StoreUnavailableError):
        await scene.scheduler.settling.tick()
    await scene.scheduler.settling.tick()

    assert (await scene.run(run)).failures == 1
    assert len(await scene.scheduler.attempts(NAMESPACE, run)) == 1


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.SNOOZED])
async def test_a_wait_counts_from_the_arrival_of_its_outcome_however_late_that_is_settled(
    scene: Scene, outcome: Outcome
) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    flaky(scene).fail_next("settle", moment="before")
    heard_at = scene.clock.now()
    executor.say_outcomes([], [], [], [Ended(run=run, token=start.token, outcome=outcome, after=30.0)])
    await until_idle()
    with pytest.raises(StoreUnavailableError):
        await scene.scheduler.settling.tick()
    scene.clock.advance(5)
    await scene.scheduler.settling.tick()

    assert (await scene.run(run)).due_at == heard_at + timedelta(seconds=30)
