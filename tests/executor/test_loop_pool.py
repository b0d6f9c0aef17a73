"""Async handlers on the user's loop."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

import msgspec

from mainspring.clock import Clock, SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RESULT_MAX, TRACEBACK_MAX, Failure
from mainspring.executor.attempts.attempt import Attempt, current
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.lease import Lease
from mainspring.executor.pools.loop import LoopPool
from mainspring.testing.clock import FakeClock
from tests.executor.fakes import TOKEN, run_id, settle_down
from tests.executor.test_telemetry import Sink

LEFT_BEHIND: ContextVar[str] = ContextVar("left_behind", default="nothing")


class Stage:
    """A pool of that size on the test's own loop, and what it reports."""

    def __init__(self, size: int = 10, clock: Clock | None = None) -> None:
        self.ended: asyncio.Queue[Attempt] = asyncio.Queue()
        self.batches = 0
        self.lease = Lease()
        self.pool = LoopPool(
            PoolSize(Pool.LOOP, 0, size, 0),
            loop=asyncio.get_running_loop(),
            clock=clock or SystemClock(),
            journal=Sink(),
            lease=self.lease,
            ended=self._report,
        )

    def start(self, function: Callable[..., Any], count: int = 1, raw: bytes = b"{}") -> list[Attempt]:
        handler = Handlers().add(function)
        attempts = [Attempt(run_id(number), TOKEN, 1, raw, handler, 0.0) for number in range(count)]
        self.pool.start(attempts)
        return attempts

    async def outcome(self, function: Callable[..., Any], raw: bytes = b"{}") -> Attempt:
        self.start(function, raw=raw)
        return await self.ended.get()

    def _report(self, attempts: list[Attempt]) -> None:
        self.batches += 1
        for attempt in attempts:
            self.ended.put_nowait(attempt)


async def test_a_result_is_json_and_times_are_taken() -> None:
    async def handler(number: int) -> dict[str, int]:
        await asyncio.sleep(0)
        return {"twice": number * 2}

    attempt = await Stage().outcome(handler, b'{"number":4}')

    assert (attempt.outcome, attempt.result, attempt.failure) == (Outcome.SUCCEEDED, b'{"twice":8}', None)
    assert attempt.duration > 0
    assert attempt.wait > 0
    assert attempt.task is None


async def test_an_error_is_a_failure_with_the_handler_s_traceback() -> None:
    async def handler() -> None:
        raise ValueError("wrong " + "x" * 50_000)

    attempt = await Stage().outcome(handler)

    assert attempt.outcome is Outcome.FAILED
    assert attempt.failure is not None
    assert attempt.failure.error == "ValueError"
    assert attempt.failure.message.startswith("wrong x")
    assert len(attempt.failure.traceback.encode()) <= TRACEBACK_MAX


async def test_an_error_may_say_what_no_utf_8_can() -> None:
    """As the name of a file that Python has read from a disk: the executor has to send it all the same."""

    async def handler() -> None:
        raise ValueError("no such file: caf\udce9")

    attempt = await Stage().outcome(handler)

    assert attempt.failure is not None
    assert attempt.failure.message == "no such file: caf?"
    assert msgspec.msgpack.encode((attempt.failure, attempt.kinds))


async def test_the_traceback_shows_the_handler_and_not_the_pool() -> None:
    async def handler() -> None:
        raise LookupError("here")

    attempt = await Stage().outcome(handler)

    assert attempt.failure is not None
    assert "in handler" in attempt.failure.traceback
    assert "loop.py" not in attempt.failure.traceback


async def test_what_took_too_long_says_where_it_stood() -> None:
    running = asyncio.Event()

    async def handler() -> None:
        running.set()
        await asyncio.Event().wait()

    stage = Stage()
    (attempt,) = stage.start(handler)
    await running.wait()
    late = Failure(error="timeout", message="it took longer than 10 s", code="timeout")
    attempt.stop(Outcome.TIMED_OUT, late)
    stage.pool.interrupt([attempt])
    ended = await stage.ended.get()

    assert (ended.outcome, ended.failure and ended.failure.code) == (Outcome.TIMED_OUT, "timeout")
    assert ended.failure is not None
    assert "in handler\n    await asyncio.Event().wait()" in ended.failure.traceback
    assert late.traceback == ""


async def test_bad_arguments_fail_before_the_handler() -> None:
    async def handler(number: int) -> None: ...

    attempt = await Stage().outcome(handler, b'{"number":"x"}')

    assert attempt.outcome is Outcome.FAILED
    assert attempt.failure is not None
    assert attempt.failure.error == "bad_arguments"
    assert "number" in attempt.failure.message


async def test_a_result_that_is_not_json_or_too_large_is_a_failure() -> None:
    async def strange() -> object:
        return object()

    async def large() -> str:
        return "x" * RESULT_MAX

    stage = Stage()
    errors = [(await stage.outcome(function)).failure for function in (strange, large)]

    assert [error.error for error in errors if error] == ["bad_result", "result_too_large"]


async def test_a_handler_that_exits_or_cancels_itself_harms_nobody() -> None:
    async def leave() -> None:
        raise SystemExit(1)

    async def cancel() -> None:
        raise asyncio.CancelledError

    stage = Stage()
    failures = [(await stage.outcome(function)).failure for function in (leave, cancel)]

    assert [failure.error for failure in failures if failure] == ["SystemExit", "CancelledError"]


async def test_no_more_than_its_size_run_at_once_and_the_rest_follow_in_order() -> None:
    gate, order = asyncio.Event(), []

    async def handler() -> None:
        order.append(current.get().run)
        await gate.wait()

    stage = Stage(size=2)
    stage.start(handler, count=5)
    await settle_down()
    assert (stage.pool.running, stage.pool.waiting) == (2, 3)

    gate.set()
    ended = [await stage.ended.get() for _ in range(5)]

    assert order == [run_id(number) for number in range(5)]
    assert {attempt.outcome for attempt in ended} == {Outcome.SUCCEEDED}
    assert stage.pool.running == 0


async def test_outcomes_are_reported_in_batches() -> None:
    async def handler() -> None: ...

    stage = Stage(size=1000, clock=FakeClock())
    stage.start(handler, count=500)
    for _ in range(500):
        await stage.ended.get()

    assert stage.batches == 1


async def test_what_waits_is_withdrawn_and_what_runs_is_not() -> None:
    gate = asyncio.Event()

    async def handler() -> None:
        await gate.wait()

    stage = Stage(size=1)
    running, waiting = stage.start(handler, count=2)
    await settle_down()
    running.stopping = waiting.stopping = True
    stage.pool.withdraw()

    assert await stage.ended.get() is waiting
    assert waiting.outcome is Outcome.RELEASED
    gate.set()
    assert (await stage.ended.get()).outcome is Outcome.SUCCEEDED


async def test_an_abandoned_attempt_is_cancelled_and_released() -> None:
    async def handler() -> None:
        await asyncio.Event().wait()

    stage = Stage()
    (attempt,) = stage.start(handler)
    await settle_down()
    attempt.stopping = True
    stage.pool.abandon([attempt])

    assert (await stage.ended.get()).outcome is Outcome.RELEASED
    assert stage.pool.running == 0


async def test_an_attempt_cancelled_before_its_first_step_is_reported_once() -> None:
    ran = []

    async def handler() -> None:
        ran.append(1)

    stage = Stage()
    attempts = stage.start(handler, count=2)
    stage.pool.abandon(attempts)
    for attempt in attempts:
        attempt.stopping = True
    await settle_down()

    assert [stage.ended.get_nowait().outcome for _ in range(2)] == [Outcome.RELEASED] * 2
    assert stage.ended.empty()
    assert (ran, stage.pool.running) == ([], 0)


async def test_it_is_fed_from_another_thread() -> None:
    async def handler() -> None: ...

    stage = Stage()
    threading.Thread(target=stage.start, args=(handler, 3)).start()

    assert [(await stage.ended.get()).run for _ in range(3)] == [run_id(number) for number in range(3)]


async def test_attempts_that_leave_nothing_behind_share_a_slot() -> None:
    slots = []

    async def handler() -> None:
        slots.append(asyncio.current_task())

    stage = Stage(clock=FakeClock())
    stage.start(handler, count=50)
    for _ in range(50):
        await stage.ended.get()
    await stage.outcome(handler)

    assert len(set(slots)) == 1


async def test_a_context_variable_that_a_handler_sets_is_not_seen_by_the_next() -> None:
    seen = []

    async def handler() -> None:
        seen.append(LEFT_BEHIND.get())
        LEFT_BEHIND.set("by another")

    stage = Stage(size=1)
    stage.start(handler, count=3)
    for _ in range(3):
        await stage.ended.get()

    assert seen == ["nothing"] * 3


async def test_a_cancellation_that_a_handler_did_not_live_to_see_spares_the_next() -> None:
    async def careless() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()

    async def next_one() -> str:
        await asyncio.sleep(0)
        return "spared"

    stage = Stage(size=1)
    stage.start(careless)
    stage.start(next_one)
    outcomes = [await stage.ended.get() for _ in range(2)]

    assert [attempt.outcome for attempt in outcomes] == [Outcome.SUCCEEDED] * 2
    assert outcomes[1].result == b'"spared"'


async def test_handlers_that_wait_hold_up_nobody_while_there_are_slots() -> None:
    gate, begun = asyncio.Event(), []

    async def handler() -> None:
        begun.append(1)
        await gate.wait()

    stage = Stage(size=300)
    stage.start(handler, count=300)
    await settle_down()

    assert (len(begun), stage.pool.running) == (300, 300)
    gate.set()


async def test_a_cancelled_attempt_is_cancelled_in_place_and_others_are_not() -> None:
    gate, cleaned = asyncio.Event(), []

    async def handler() -> None:
        try:
            await gate.wait()
        except asyncio.CancelledError:
            cleaned.append(current.get().run)
            raise

    stage = Stage()
    first, second = stage.start(handler, count=2)
    await settle_down()
    first.stop(Outcome.CANCELLED)
    stage.pool.interrupt([first])

    assert (await stage.ended.get()).outcome is Outcome.CANCELLED
    assert cleaned == [first.run]
    gate.set()
    assert await stage.ended.get() is second
    assert second.outcome is Outcome.SUCCEEDED


async def test_a_handler_that_swallows_its_cancellation_and_returns_has_succeeded() -> None:
    async def handler() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "done all the same"
        return "never"

    stage = Stage()
    (attempt,) = stage.start(handler)
    await settle_down()
    attempt.stop(Outcome.CANCELLED)
    stage.pool.interrupt([attempt])
    ended = await stage.ended.get()

    assert (ended.outcome, ended.result) == (Outcome.SUCCEEDED, b'"done all the same"')


async def test_an_attempt_that_was_given_up_leaves_its_slot_to_others_and_ends_unheard() -> None:
    gate = asyncio.Event()

    async def stubborn() -> None:
        while not gate.is_set():
            with suppress(asyncio.CancelledError):
                await gate.wait()

    async def quick() -> None: ...

    stage = Stage(size=1)
    (attempt,) = stage.start(stubborn)
    await settle_down()
    stage.start(quick)
    await settle_down()
    assert (stage.pool.running, stage.pool.waiting) == (1, 1)
    attempt.stop(Outcome.CANCELLED)
    stage.pool.interrupt([attempt])
    await settle_down()
    attempt.given_up = True
    stage.pool.give_up([attempt])

    assert (await stage.ended.get()).outcome is Outcome.SUCCEEDED
    gate.set()
    await settle_down()
    assert (stage.pool.running, stage.ended.empty()) == (0, True)
    stage.start(quick, count=3)
    assert {(await stage.ended.get()).outcome for _ in range(3)} == {Outcome.SUCCEEDED}


async def test_none_begins_once_the_lease_has_lapsed() -> None:
    stage, began = Stage(), []

    async def handler() -> None:
        began.append("began")

    stage.lease.ends = 0.0
    assert (await stage.outcome(handler)).outcome is Outcome.RELEASED
    assert not began
