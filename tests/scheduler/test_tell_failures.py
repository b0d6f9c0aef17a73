"""The reader of a server's log finds each failed attempt in one line, with what happens next."""

import logging
from collections.abc import AsyncIterator

import pytest

from mainspring.domain.ids import id_text
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()


async def fail(scene: Scene, executor: ScriptedExecutor, outcome: Outcome = Outcome.FAILED) -> None:
    await scene.dispatch()
    await executor.settled(executor.report_failure(await executor.link.expect(Start), outcome))


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[int, str]]:
    return [(one.levelno, one.getMessage()) for one in caplog.records if one.name == "mainspring.runs"]


async def test_a_failed_attempt_is_one_line_with_what_happens_next(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await fail(scene, executor)
    scene.clock.advance(60)
    await fail(scene, executor)

    [(first, retried), (second, over)] = lines(caplog)
    beginning = f"run {id_text(run)} of job report: attempt"
    assert retried.startswith(f"{beginning} 1 on e1 failed: ValueError: it broke; tried again at 20")
    assert over.startswith(f"{beginning} 2 on e1 failed: ValueError: it broke; the run is failed for good (")
    assert over.endswith("); see: mainspring dead list")
    assert (first, second) == (logging.WARNING, logging.ERROR)


async def test_what_is_handed_back_is_no_failure(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    executor = await scene.attach()
    await scene.enqueue()
    await fail(scene, executor, Outcome.RELEASED)

    assert lines(caplog) == []


async def test_the_line_has_the_trace_and_the_executor_as_fields(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    executor = await scene.attach()
    await scene.accept(RunRequest(job="report", traceparent="00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"))
    await fail(scene, executor)
    [record] = [one for one in caplog.records if one.name == "mainspring.runs"]
    fields = vars(record)["fields"]

    assert (fields["trace_id"], fields["executor"], fields["namespace"]) == ("ab" * 16, "e1", NAMESPACE)
