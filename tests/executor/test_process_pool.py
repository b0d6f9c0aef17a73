"""Handlers in child processes, and what happens when one of those dies."""

import math
import os
import select
import signal
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import msgspec
import pytest

from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.link.lease import Lease
from mainspring.executor.pools.processes import ProcessPool
from tests.executor import sample
from tests.executor.fakes import TOKEN, run_id
from tests.executor.sample import registry
from tests.executor.test_telemetry import Sink
from tests.support.limits import HANG

RELEASED = Outcome.RELEASED
pytestmark = pytest.mark.slow


class LapsesOnTheWay(Lease):
    """Holds when the parent looks, and not any more when its child does."""

    @property
    def ends(self) -> float:
        return next(self._said)

    @ends.setter
    def ends(self, _: float) -> None:
        self._said = iter((math.inf, 0.0))


class Stage:
    def __init__(
        self, app: str = "tests.executor.sample:app", core: int = 1, most: int = 1, idle: float = 30.0
    ) -> None:
        self.ended: SimpleQueue[Attempt] = SimpleQueue()
        self.sink = Sink()
        self.lease = Lease()
        self.pool = ProcessPool(
            PoolSize(Pool.PROCESSES, core, most, 10),
            app=app,
            clock=SystemClock(),
            journal=self.sink,
            lease=self.lease,
            ended=self.ended.put,
            idle_max=idle,
        )
        self._number = 0

    def start(self, name: str, **arguments: object) -> Attempt:
        handler = registry.get(name)
        assert handler is not None
        self._number += 1
        attempt = Attempt(run_id(self._number), TOKEN, 1, msgspec.json.encode(arguments), handler, 0.0)
        self.pool.start([attempt])
        return attempt

    def outcome(self) -> Attempt:
        return self.ended.get(timeout=HANG)

    def run(self, name: str, **arguments: object) -> Attempt:
        self.start(name, **arguments)
        return self.outcome()


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.pool.close()


def listen(folder: Path) -> Path:
    """A pipe through which a handler says that it runs."""
    path = folder / "pipe"
    os.mkfifo(path)
    return path


def test_a_child_is_told_of_its_run(stage: Stage) -> None:
    handler = registry.get("tell_tags")
    assert handler is not None
    extra = b'{"tags":["nightly"],"deadline":"2030-01-01T12:00:00Z","left":60.0}'
    stage.pool.start([Attempt(run_id(77), TOKEN, 1, b"{}", handler, 0.0, extra)])

    assert stage.outcome().result == b'["nightly","2030-01-01 12:00:00+00:00"]'


def test_none_begins_once_the_lease_has_lapsed_not_even_one_that_is_on_its_way(stage: Stage) -> None:
    stage.lease.ends = 0.0
    assert (stage.run("double", number=4).outcome, stage.run("double_async", number=5).outcome) == (RELEASED, RELEASED)

    stage.pool._lease = LapsesOnTheWay()
    assert stage.run("double", number=4).outcome is RELEASED


def test_plain_and_async_handlers_run_in_a_child(stage: Stage) -> None:
    assert stage.run("double", number=4).result == b"8"
    assert stage.run("double_async", number=5).result == b"10"
    first, second = stage.run("pid").result, stage.run("pid").result

    assert first == second != str(os.getpid()).encode()


def test_logs_and_progress_flow_back(stage: Stage) -> None:
    assert stage.run("talk").outcome is Outcome.SUCCEEDED

    assert [message for _, _, message in stage.sink.lines] == ["from the context", "from the library"]
    assert stage.sink.reports == [(0.5, "half")]


def test_a_child_that_is_killed_is_reported_at_once_and_replaced(stage: Stage) -> None:
    before = stage.run("pid").result
    attempt = stage.run("die")

    assert attempt.outcome is Outcome.LOST
    assert attempt.failure is not None
    assert (attempt.failure.error, "SIGKILL" in attempt.failure.message) == ("child_died", True)
    assert stage.run("pid").result != before


def test_a_child_that_died_while_idle_costs_nobody_an_attempt(stage: Stage) -> None:
    pid = int(stage.run("pid").result)
    death = os.pidfd_open(pid)
    os.kill(pid, signal.SIGKILL)
    select.select([death], [], [], HANG)
    os.close(death)

    attempt = stage.run("double", number=2)

    assert (attempt.outcome, attempt.result) == (Outcome.SUCCEEDED, b"4")


def test_a_child_that_leaves_says_its_exit_code(stage: Stage) -> None:
    attempt = stage.run("leave", code=7)

    assert attempt.outcome is Outcome.LOST
    assert attempt.failure is not None
    assert "exit code 7" in attempt.failure.message


def test_an_exit_that_python_can_catch_is_an_ordinary_failure(stage: Stage) -> None:
    attempt = stage.run("exit_politely")

    assert attempt.outcome is Outcome.FAILED
    assert attempt.failure is not None
    assert attempt.failure.error == "SystemExit"


@pytest.mark.parametrize("name", ["end_as", "end_as_async"])
def test_a_traceback_begins_with_the_handler(stage: Stage, name: str) -> None:
    failure = stage.run(name, word="gone").failure

    assert failure is not None
    first, second, *_ = failure.traceback.splitlines()
    assert first == "Traceback (most recent call last):"
    assert second.startswith(f'  File "{sample.__file__}"')
    assert second.endswith(f"in {name}")


def test_bad_arguments_are_seen_by_the_child(stage: Stage) -> None:
    attempt = stage.run("double", number="x")

    assert attempt.failure is not None
    assert attempt.failure.error == "bad_arguments"


def test_an_abandoned_child_is_killed_and_its_attempt_released(stage: Stage, tmp_path: Path) -> None:
    pipe = listen(tmp_path)
    attempt = stage.start("hang", pipe=str(pipe))
    pid = int(pipe.read_text())
    attempt.stopping = True
    stage.pool.abandon([attempt])

    assert stage.outcome().outcome is Outcome.RELEASED
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_child_hears_that_it_should_stop(stage: Stage, tmp_path: Path) -> None:
    pipe = listen(tmp_path)
    attempt = stage.start("until_told", pipe=str(pipe))
    waiting = stage.start("pid")
    assert pipe.read_text() == "running"
    attempt.stopping = waiting.stopping = True
    stage.pool.withdraw()

    ended = [stage.outcome(), stage.outcome()]

    assert {(one.run, one.outcome, one.result) for one in ended} == {
        (attempt.run, Outcome.SUCCEEDED, b'"told"'),
        (waiting.run, Outcome.RELEASED, b"null"),
    }


def test_signals_to_the_whole_group_leave_a_child_to_its_parent(stage: Stage, tmp_path: Path) -> None:
    pipe = listen(tmp_path)
    stage.start("until_told", pipe=str(pipe))
    pipe.read_text()
    (slot,) = stage.pool._held.values()
    assert slot._child is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(slot._child.pid, number)
    assert slot._attempt is not None
    slot._attempt.stopping = True
    stage.pool.withdraw()

    assert stage.outcome().result == b'"told"'


def test_children_run_side_by_side(tmp_path: Path) -> None:
    stage = Stage(core=0, most=2)
    attempts = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        pipe = listen(tmp_path / name)
        attempts.append(stage.start("hang", pipe=str(pipe)))
        pipe.read_text()
    assert stage.pool.running == 2

    for attempt in attempts:
        attempt.stopping = True
    stage.pool.abandon(attempts)

    assert {stage.outcome().outcome for _ in attempts} == {Outcome.RELEASED}
    stage.pool.close()


def test_an_app_that_cannot_be_loaded_loses_the_attempt_with_a_reason() -> None:
    stage = Stage(app="tests.executor.nowhere:app")
    attempt = stage.run("pid")

    assert attempt.outcome is Outcome.LOST
    assert attempt.failure is not None
    assert attempt.failure.error == "child_not_started"
    stage.pool.close()


def cancelled(stage: Stage, attempt: Attempt) -> Attempt:
    attempt.stop(Outcome.CANCELLED)
    stage.pool.interrupt([attempt])
    return stage.outcome()


def goes(pid: int) -> bool:
    """Whether the process ends, which it does a moment after its signal, when the kernel gets to it."""
    try:
        death = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    gone, _, _ = select.select([death], [], [], HANG)
    os.close(death)
    return bool(gone)


def test_a_cancelled_handler_may_clean_up_and_ends_with_all_it_started(stage: Stage, tmp_path: Path) -> None:
    pipe, trace = listen(tmp_path), tmp_path / "trace"
    attempt = stage.start("hang_with_offspring", pipe=str(pipe), trace=str(trace))
    processes = [int(pid) for pid in pipe.read_text().split()]

    assert cancelled(stage, attempt).outcome is Outcome.CANCELLED
    assert trace.read_text() == "CancelledError"
    assert all(goes(pid) for pid in processes)
    assert stage.run("double", number=4).result == b"8"


def test_what_a_handler_has_started_does_not_outlive_its_child(stage: Stage, tmp_path: Path) -> None:
    pipe, trace = listen(tmp_path), tmp_path / "trace"
    stage.start("hang_with_offspring", pipe=str(pipe), trace=str(trace))
    child, grandchild = (int(pid) for pid in pipe.read_text().split())
    os.kill(child, signal.SIGKILL)

    lost = stage.outcome()
    assert lost.failure is not None
    assert (lost.outcome, lost.failure.code) == (Outcome.LOST, "child_died")
    assert "SIGKILL" in lost.failure.message
    assert goes(grandchild)


def test_what_an_idle_child_leaves_behind_is_gone_before_its_slot_is_used_again(stage: Stage) -> None:
    child, grandchild = msgspec.json.decode(stage.run("leave_offspring").result)
    death = os.pidfd_open(child)
    os.kill(child, signal.SIGKILL)
    assert select.select([death], [], [], HANG)[0]
    os.close(death)

    assert stage.run("double", number=4).result == b"8"
    assert goes(grandchild)


def test_a_cancelled_async_handler_is_cancelled_in_its_child(stage: Stage, tmp_path: Path) -> None:
    pipe, trace = listen(tmp_path), tmp_path / "trace"
    attempt = stage.start("hang_async", pipe=str(pipe), trace=str(trace))
    pipe.read_text()

    assert cancelled(stage, attempt).outcome is Outcome.CANCELLED
    assert trace.read_text() == "cleaned up"


def test_a_child_whose_attempt_was_stopped_is_not_used_again(stage: Stage, tmp_path: Path) -> None:
    before = stage.run("pid").result
    pipe = listen(tmp_path)
    attempt = stage.start("hang", pipe=str(pipe))
    assert pipe.read_text().encode() == before
    cancelled(stage, attempt)

    assert stage.run("pid").result != before


def test_a_handler_that_ignores_everything_is_killed_when_it_is_given_up(stage: Stage, tmp_path: Path) -> None:
    pipe = listen(tmp_path)
    attempt = stage.start("ignore_everything", pipe=str(pipe))
    death = os.pidfd_open(int(pipe.read_text()))
    attempt.stop(Outcome.CANCELLED)
    stage.pool.interrupt([attempt])
    attempt.given_up = True
    stage.pool.give_up([attempt])
    killed, _, _ = select.select([death], [], [], HANG)
    os.close(death)

    assert killed == [death]
    assert stage.run("double", number=4).result == b"8"
    assert stage.ended.empty()


def test_a_stop_for_an_attempt_that_is_over_does_not_hit_the_next(stage: Stage, tmp_path: Path) -> None:
    over = stage.start("double", number=1)
    stage.outcome()
    pipe = listen(tmp_path)
    going = stage.start("until_told", pipe=str(pipe))
    pipe.read_text()
    over.stop(Outcome.CANCELLED)
    stage.pool.interrupt([over])
    going.stopping = True
    stage.pool.withdraw()

    assert stage.outcome().result == b'"told"'


def test_what_waits_for_a_child_is_cancelled_without_one(stage: Stage, tmp_path: Path) -> None:
    pipe = listen(tmp_path)
    busy = stage.start("hang", pipe=str(pipe))
    waiting = stage.start("pid")
    pipe.read_text()

    assert cancelled(stage, waiting) is waiting
    assert waiting.outcome is Outcome.CANCELLED
    assert cancelled(stage, busy) is busy
