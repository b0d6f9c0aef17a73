"""Plain functions on threads of our own."""

import asyncio
import threading
from collections.abc import Callable
from contextvars import ContextVar
from queue import SimpleQueue
from typing import Any

from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.lease import Lease
from mainspring.executor.pools.thread_slot import ThreadSlot
from mainspring.executor.pools.threads import ThreadPool
from tests.executor.fakes import TOKEN, run_id
from tests.executor.test_telemetry import Sink
from tests.support.limits import HANG


class WatchedSlot(ThreadSlot):
    """Says when its thread lets go of it."""

    def __init__(self, closed: "SimpleQueue[None]", lease: Lease) -> None:
        super().__init__(SystemClock(), Sink(), lease)
        self._closed = closed

    def close(self) -> None:
        self._closed.put(None)


class Stage:
    def __init__(self, core: int = 1, most: int = 4, idle_max: float = 30.0) -> None:
        self.freed: SimpleQueue[None] = SimpleQueue()
        self.ended: SimpleQueue[Attempt] = SimpleQueue()
        self.closed: SimpleQueue[None] = SimpleQueue()
        self.lease = Lease()
        self.pool = ThreadPool(
            PoolSize(Pool.THREADS, core, most, 100),
            slot=lambda: WatchedSlot(self.closed, self.lease),
            ended=self.ended.put,
            freed=lambda: self.freed.put(None),
            idle_max=idle_max,
        )

    def start(self, function: Callable[..., Any], count: int = 1, raw: bytes = b"{}") -> list[Attempt]:
        handler = Handlers().add(function, name="handler")
        attempts = [Attempt(run_id(number), TOKEN, 1, raw, handler, 0.0) for number in range(count)]
        self.pool.start(attempts)
        return attempts

    def outcomes(self, count: int) -> list[Attempt]:
        return [self.ended.get(timeout=HANG) for _ in range(count)]


def test_it_grows_on_demand_to_its_maximum_then_queues() -> None:
    started: SimpleQueue[str] = SimpleQueue()
    gate = threading.Event()

    def handler() -> None:
        started.put(threading.current_thread().name)
        gate.wait(HANG)

    stage = Stage(most=4)
    stage.start(handler, count=6)
    for _ in range(4):
        started.get(timeout=HANG)
    assert (stage.pool.threads, stage.pool.running, stage.pool.waiting) == (4, 4, 2)

    gate.set()

    assert {attempt.outcome for attempt in stage.outcomes(6)} == {Outcome.SUCCEEDED}
    stage.pool.close()


def test_one_at_a_time_needs_one_thread() -> None:
    stage = Stage()
    names: set[str] = set()

    def handler() -> None:
        names.add(str(threading.get_ident()))

    for _ in range(50):
        stage.start(handler)
        stage.outcomes(1)
        while stage.pool.running:
            threading.Event().wait(0.001)

    assert (stage.pool.threads, len(names)) == (1, 1)
    stage.pool.close()


def test_a_slow_handler_does_not_hold_up_the_others() -> None:
    gate = threading.Event()

    def handler(slow: bool) -> None:
        if slow:
            gate.wait(HANG)

    stage = Stage(most=2)
    stage.start(handler, raw=b'{"slow":true}')
    stage.start(handler, count=500, raw=b'{"slow":false}')
    assert len(stage.outcomes(500)) == 500

    gate.set()
    stage.outcomes(1)
    stage.pool.close()


def test_threads_above_the_core_end_when_idle_and_the_core_stays() -> None:
    barrier = threading.Barrier(4)

    def handler() -> None:
        barrier.wait(HANG)

    stage = Stage(core=1, most=4, idle_max=0.01)
    stage.start(handler, count=4)
    stage.outcomes(4)
    for _ in range(3):
        stage.closed.get(timeout=HANG)
    assert stage.pool.threads == 1

    stage.start(lambda: None)
    stage.outcomes(1)
    stage.pool.close()
    stage.closed.get(timeout=HANG)


def test_every_attempt_is_reported_once_while_threads_come_and_go() -> None:
    stage = Stage(core=0, most=8, idle_max=0.0001)
    handler = Handlers().add(lambda: None, name="noop")
    expected = []
    for number in range(3000):
        expected.append(run_id(number))
        stage.pool.start([Attempt(run_id(number), TOKEN, 1, b"{}", handler, 0.0)])

    assert sorted(attempt.run for attempt in stage.outcomes(3000)) == expected
    stage.pool.close()


def test_errors_bad_arguments_and_exits_are_failures() -> None:
    def wrong(number: int) -> None:
        raise (ValueError, SystemExit)[number]("no")

    stage = Stage()
    for raw in (b'{"number":0}', b'{"number":1}', b'{"number":"x"}'):
        stage.start(wrong, raw=raw)
    ended = stage.outcomes(3)

    assert {attempt.outcome for attempt in ended} == {Outcome.FAILED}
    assert sorted(attempt.failure.error for attempt in ended if attempt.failure) == [
        "SystemExit",
        "ValueError",
        "bad_arguments",
    ]
    stage.pool.close()


def test_what_a_handler_leaves_in_context_variables_is_gone_before_the_next_one() -> None:
    tenant: ContextVar[str] = ContextVar("tenant", default="nobody")

    def handler() -> str:
        found = tenant.get()
        tenant.set("somebody")
        return found

    stage = Stage(most=1)
    stage.start(handler, count=3)

    assert {attempt.result for attempt in stage.outcomes(3)} == {b'"nobody"'}
    stage.pool.close()


def test_a_handler_sees_that_it_should_stop_and_may_hand_itself_back() -> None:
    started = threading.Event()

    def handler(context: Context) -> None:
        started.set()
        while not context.should_stop:
            threading.Event().wait(0.001)
        raise asyncio.CancelledError

    stage = Stage()
    (attempt,) = stage.start(handler)
    assert started.wait(HANG)
    attempt.stopping = True
    stage.pool.abandon([attempt])

    assert stage.outcomes(1)[0].outcome is Outcome.RELEASED
    stage.pool.close()


def test_a_cancelled_handler_on_a_thread_may_end_itself() -> None:
    started = threading.Event()

    def handler(context: Context) -> None:
        started.set()
        while True:
            context.raise_if_stopping()
            threading.Event().wait(0.001)

    stage = Stage()
    (attempt,) = stage.start(handler)
    assert started.wait(HANG)
    attempt.stop(Outcome.CANCELLED)
    stage.pool.interrupt([attempt])

    assert stage.outcomes(1)[0].outcome is Outcome.CANCELLED
    stage.pool.close()


def test_what_waits_is_withdrawn() -> None:
    started, gate = threading.Event(), threading.Event()

    def handler() -> None:
        started.set()
        gate.wait(HANG)

    stage = Stage(most=1)
    attempts = stage.start(handler, count=3)
    assert started.wait(HANG)
    for attempt in attempts:
        attempt.stopping = True
    stage.pool.withdraw()

    assert {attempt.outcome for attempt in stage.outcomes(2)} == {Outcome.RELEASED}
    gate.set()
    assert stage.outcomes(1)[0].outcome is Outcome.SUCCEEDED
    stage.pool.close()


def test_a_thread_that_was_given_up_is_replaced_and_ends_with_its_handler() -> None:
    started, gate = threading.Event(), threading.Event()

    def stuck() -> None:
        started.set()
        gate.wait(HANG)

    stage = Stage(most=1)
    (lost,) = stage.start(stuck)
    assert started.wait(HANG)
    lost.given_up = True
    stage.pool.give_up([lost])
    assert (stage.pool.threads, stage.pool.lost) == (0, 0)

    stage.start(lambda: None, count=3)
    assert len(stage.outcomes(3)) == 3
    gate.set()
    stage.closed.get(timeout=HANG)
    assert stage.pool.threads == 1
    assert stage.ended.empty()
    stage.pool.close()


def test_what_waits_when_a_thread_is_given_up_is_taken_by_its_heir() -> None:
    started, gate = threading.Event(), threading.Event()

    def stuck() -> None:
        started.set()
        gate.wait(HANG)

    stage = Stage(most=1)
    lost, waiting = stage.start(stuck, count=2)
    assert started.wait(HANG)
    started.clear()
    lost.given_up = True
    stage.pool.give_up([lost])
    assert started.wait(HANG), "the one that waited has begun"

    gate.set()
    assert stage.outcomes(1) == [waiting]
    stage.pool.close()


def test_no_more_threads_go_astray_than_the_pool_has_slots() -> None:
    started: SimpleQueue[None] = SimpleQueue()
    gate = threading.Event()

    def stuck() -> None:
        started.put(None)
        gate.wait(HANG)

    stage = Stage(most=2)
    for _ in range(2):
        attempts = stage.start(stuck, count=2)
        for _ in attempts:
            started.get(timeout=HANG)
        stage.pool.give_up(attempts)
    assert (stage.pool.threads, stage.pool.lost) == (2, 2)

    stage.start(lambda: None, count=5)
    gate.set()
    assert len(stage.outcomes(5)) == 5
    for _ in range(4):
        stage.closed.get(timeout=HANG)
    assert stage.pool.lost == 0
    stage.pool.close()


def test_an_attempt_that_ended_just_before_it_was_given_up_keeps_its_thread() -> None:
    stage = Stage(most=1)
    (over,) = stage.start(lambda: None)
    stage.outcomes(1)
    stage.pool.give_up([over])
    stage.start(lambda: None)

    assert len(stage.outcomes(1)) == 1
    assert stage.pool.threads == 1
    stage.pool.close()


def test_those_beside_a_cancelled_one_in_the_queue_keep_their_turn() -> None:
    started, gate = threading.Event(), threading.Event()

    def handler() -> None:
        started.set()
        gate.wait(HANG)

    stage = Stage(most=1)
    first, cancelled, third = stage.start(handler, count=3)
    assert started.wait(HANG)
    cancelled.stop(Outcome.CANCELLED)
    stage.pool.interrupt([cancelled])
    assert stage.outcomes(1) == [cancelled]
    gate.set()

    assert stage.outcomes(2) == [first, third]
    assert cancelled.outcome is Outcome.CANCELLED
    stage.pool.close()


def test_strays_that_come_home_are_told_of_and_their_slots_are_usable_again() -> None:
    stage = Stage(core=0, most=2)
    gate, began = threading.Event(), SimpleQueue[None]()

    def handler() -> None:
        began.put(None)
        gate.wait(HANG)

    for _ in range(2):
        attempts = stage.start(handler, 2)
        for _ in attempts:
            began.get(timeout=HANG)
        stage.pool.give_up(attempts)
    lost = (stage.pool.lost, stage.pool.strays)
    gate.set()
    for _ in range(4):
        stage.freed.get(timeout=HANG)
    stage.start(handler, 2)

    assert lost == (2, 4)
    assert [attempt.outcome for attempt in stage.outcomes(2)] == [Outcome.SUCCEEDED] * 2
    assert (stage.pool.lost, stage.pool.strays) == (0, 0)
    stage.pool.close()


def test_an_interruption_is_told_to_a_handler_that_waits_and_a_suspension_is_not() -> None:
    stage = Stage()
    gate = threading.Event()
    one, other = stage.start(lambda: gate.wait(HANG), 2)
    stage.pool.interrupt([one])
    stage.pool.suspend([other])
    gate.set()
    stage.outcomes(2)

    assert (one.interrupted, other.interrupted) == (True, False)
    stage.pool.close()


def test_none_begins_once_the_lease_has_lapsed() -> None:
    # As on a starved machine, where the link has had no turn to stop it.
    began: list[str] = []
    stage = Stage()
    stage.lease.ends = 0.0
    stage.start(lambda: began.append("began"))

    assert [attempt.outcome for attempt in stage.outcomes(1)] == [Outcome.RELEASED]
    assert not began
