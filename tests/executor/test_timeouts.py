"""The time that an attempt may take: counted from its handler's beginning, and real in every pool."""

import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mainspring.clock import SystemClock
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.errors import FrameError, InvalidInputError
from mainspring.executor.attempts.attempt import LATE, Attempt
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.registry import Handlers
from mainspring.testing.clock import FakeClock
from mainspring.wire.codec import decode_from_server
from mainspring.wire.messages import Outcomes, Room
from tests.executor import sample
from tests.executor.fakes import GRACE, TOKEN, Line, Rig, pass_time, run_id, settle_down, start
from tests.executor.test_process_pool import Stage, listen
from tests.executor.test_telemetry import Sink
from tests.executor.test_thread_pool import Stage as ThreadStage
from tests.support.limits import HANG


async def started(rig: Rig, *numbers: int, timeout: float, name: str = "noop") -> Line:
    line, _ = await rig.servers.welcome(lease=1_000.0)
    await line.hear(Room)
    line.say(start(*numbers, timeout=timeout, name=name))
    await settle_down()
    return line


def begin(rig: Rig, clock: FakeClock) -> None:
    for attempt in rig.loop_pool.attempts:
        attempt.begin(clock.monotonic())


async def the_late_one(line: Line) -> Ended:
    (late,) = (await line.hear(Outcomes)).ended
    return late


async def test_an_attempt_is_stopped_when_its_time_is_up(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line = await started(rig, 1, timeout=10.0)
        begin(rig, clock)
        await pass_time(clock, 9.5)
        assert line.heard(Outcomes) == []
        await pass_time(clock, 0.5)

        late = await the_late_one(line)
        assert (late.run, late.outcome) == (run_id(1), Outcome.TIMED_OUT)
        assert late.failure is not None
        assert (late.failure.code, late.failure.message) == (
            "timeout",
            "the attempt was stopped: it took longer than 10 s",
        )


async def test_the_time_that_it_waited_for_a_slot_does_not_count(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line = await started(rig, 1, timeout=10.0)
        await pass_time(clock, 25.0)
        begin(rig, clock)
        await pass_time(clock, 9.5)
        assert line.heard(Outcomes) == []
        await pass_time(clock, 0.5)

        assert (await the_late_one(line)).outcome is Outcome.TIMED_OUT


async def test_a_handler_may_have_more_time_and_then_no_more(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line = await started(rig, 1, timeout=10.0)
        begin(rig, clock)
        (attempt,) = rig.loop_pool.attempts
        await pass_time(clock, 9.0)
        Context(attempt, Sink()).extend_timeout(5)
        await pass_time(clock, 5.5)
        assert line.heard(Outcomes) == []
        await pass_time(clock, 0.5)

        late = await the_late_one(line)
        assert late.failure is not None
        assert late.failure.message == "the attempt was stopped: it took longer than 15 s"


async def test_what_comes_first_says_why_it_was_stopped(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line = await started(rig, 1, timeout=10.0)
        begin(rig, clock)
        (attempt,) = rig.loop_pool.attempts
        attempt.deadline = clock.monotonic() + 4.0
        rig.stops.expect([attempt])
        await pass_time(clock, 4.0)

        assert (await the_late_one(line)).failure == LATE


async def test_what_cannot_be_stopped_is_given_up_and_reported_as_such(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        clock.advance(1.0)
        line = await started(rig, 1, timeout=10.0)
        begin(rig, clock)
        rig.loop_pool.obeys = False
        await pass_time(clock, 10.0)
        await pass_time(clock, GRACE)

        late = await the_late_one(line)
        assert late.outcome is Outcome.TIMED_OUT
        assert late.failure is not None
        assert late.failure.message.endswith("; its coroutine could not be stopped and goes on")


def test_a_thread_that_goes_on_is_counted_and_its_slot_is_used_by_another() -> None:
    stage, gate, running = ThreadStage(core=1, most=1), threading.Event(), threading.Event()

    def hold() -> None:
        running.set()
        gate.wait()

    (held,) = stage.start(hold)
    assert running.wait(HANG)
    held.given_up = True
    stage.pool.give_up([held])
    assert (stage.pool.strays, stage.pool.lost) == (1, 0)

    stage.start(lambda: None)
    assert stage.outcomes(1)[0].outcome is Outcome.SUCCEEDED
    gate.set()
    stage.closed.get(timeout=HANG)
    assert stage.pool.strays == 0


def test_a_handler_without_a_limit_needs_no_more_time() -> None:
    attempt = Attempt(run_id(1), TOKEN, 1, b"{}", Handlers().add(sample.pid, name="any"), 0.0)
    Context(attempt, Sink()).extend_timeout(5)

    assert attempt.timeout == 0.0
    with pytest.raises(InvalidInputError, match="outside"):
        Context(attempt, Sink()).extend_timeout(0)


@pytest.fixture
def processes() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.pool.close()


@pytest.mark.slow
def test_a_child_may_have_more_time_as_well(processes: Stage) -> None:
    attempt = processes.start("take_longer")
    attempt.timeout = 10.0

    assert processes.outcome().timeout == 100.0


@pytest.mark.slow
def test_a_process_that_is_late_says_why(processes: Stage, tmp_path: Path) -> None:
    pipe = listen(tmp_path)
    attempt = processes.start("hang", pipe=str(pipe))
    pipe.read_text()
    attempt.timeout = 10.0
    attempt.stop(Outcome.TIMED_OUT, attempt.overdue(SystemClock().monotonic()))
    processes.pool.interrupt([attempt])

    ended = processes.outcome()
    assert ended.failure is not None
    assert (ended.outcome, ended.failure.code) == (Outcome.TIMED_OUT, "timeout")
    assert ", in hang\n" in ended.failure.traceback


@pytest.mark.parametrize("limits", [[1.0, 2.0], [-1.0]])
def test_a_start_whose_limits_do_not_fit_is_refused(limits: list[float]) -> None:
    frame = msgspec.msgpack.encode([["start", b"t" * 16, 0, ["noop"], [run_id(1)], [0], [1], [b"{}"], [], limits]])

    with pytest.raises(FrameError):
        decode_from_server(frame)


def test_limits_are_read_where_the_job_is_defined() -> None:
    handler = Handlers().add(sample.pid, name="any", timeout=30, start_within=60.0, on_lost="ask", losses_max=2)

    spec = handler.spec
    assert (spec.timeout, spec.deadline, spec.start_within, spec.on_lost, spec.losses_max) == (
        30.0,
        None,
        60.0,
        "ask",
        2,
    )
    assert handler.pool is Pool.THREADS
    for wrong in ({"timeout": 0}, {"deadline": -1}, {"on_lost": "shrug"}):
        with pytest.raises(InvalidInputError):
            Handlers().add(sample.pid, name="any", **wrong)


SLOW_APP = """
import os
from pathlib import Path
from tests.executor.sample import app
Path(os.environ["SLOW_APP_GATE"]).read_text()
"""


@pytest.mark.slow
def test_the_time_that_a_process_takes_to_come_up_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = listen(tmp_path)
    (tmp_path / "slow_app.py").write_text(SLOW_APP)
    monkeypatch.setenv("SLOW_APP_GATE", str(gate))
    monkeypatch.syspath_prepend(tmp_path)
    stage = Stage("slow_app:app")
    attempt = stage.start("double", number=2)
    with gate.open("w"):
        while_it_comes_up = attempt.started
    ended = stage.outcome()
    stage.pool.close()

    assert while_it_comes_up == 0.0
    assert ended.started > 0.0
    assert ended.result == b"4"
