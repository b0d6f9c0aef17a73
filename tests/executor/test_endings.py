"""What a handler may raise to say what is to follow: alike on the loop, on threads and in processes."""

import asyncio
import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from mainspring import GiveUp, Retry, Snooze, Suspend
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import KINDS_MAX, Outcome
from mainspring.domain.runs.run import Failure
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.exceptions import kinds_of
from mainspring.executor.attempts.signals import Yielded
from mainspring.executor.handlers.registry import Handlers
from tests.executor import sample
from tests.executor.test_process_pool import Stage
from tests.executor.trial import attempted

NEW_YEAR = datetime(2030, 1, 1, tzinfo=UTC)


async def async_end_as(word: str) -> None:
    sample.end_as(word)


@pytest.fixture
def processes() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.pool.close()


async def ended_as(word: str, pool: Pool, processes: Stage) -> Attempt:
    if pool is Pool.PROCESSES:
        return processes.run("end_as", word=word)
    handlers = Handlers()
    handlers.add(async_end_as if pool is Pool.LOOP else sample.end_as, name="end")
    return await attempted(handlers, "end", word=word)


@pytest.mark.slow
@pytest.mark.parametrize("pool", Pool)
async def test_every_pool_reports_what_its_handler_asks_for(pool: Pool, processes: Stage) -> None:
    again = await ended_as("retry", pool, processes)
    assert again.failure is not None
    assert (again.outcome, again.after, again.failure.code) == (Outcome.FAILED, 30.0, "retry")
    assert (again.failure.error, again.failure.message, again.kinds[0]) == ("Retry", "busy", "retry")

    over = await ended_as("give up", pool, processes)
    assert over.failure is not None
    assert (over.outcome, over.after, over.failure.code) == (Outcome.FAILED, None, "gave_up")
    assert over.failure.message == "no such order"
    assert "end_as" in over.failure.traceback

    later = await ended_as("snooze", pool, processes)
    assert (later.outcome, later.until, later.failure) == (Outcome.SNOOZED, NEW_YEAR, None)

    broken = await ended_as("gone", pool, processes)
    assert broken.failure is not None
    assert (broken.outcome, broken.failure.code) == (Outcome.FAILED, "error")
    assert {"BrokenPipeError", "builtins.BrokenPipeError", "ConnectionError", "OSError"} <= set(broken.kinds)


@pytest.mark.parametrize("time", [30, 30.0, timedelta(seconds=30)])
def test_times_are_seconds_or_timedeltas(time: float | timedelta) -> None:
    assert (Retry(time).after, Retry(after=time).after, Snooze(time).after) == (30.0, 30.0, 30.0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Retry(-1),
        lambda: Retry(math.nan),
        lambda: Retry(1e12),
        Snooze,
        lambda: Snooze(5, until=NEW_YEAR),
        lambda: Snooze(until=NEW_YEAR.replace(tzinfo=None)),
        lambda: Snooze(after=math.inf),
    ],
)
def test_a_time_that_is_none_is_refused_where_it_is_written(wrong: Callable[[], Exception]) -> None:
    with pytest.raises(ValueError, match=r"Snooze|outside"):
        wrong()


def test_they_say_something_without_being_told_what() -> None:
    assert [str(GiveUp()), str(Retry()), str(Snooze(1))] == [
        "the handler gave up",
        "the handler asked for another try",
        "the handler goes on later",
    ]


def test_an_error_goes_by_a_bounded_number_of_names_each_of_bounded_length() -> None:
    kind: type[Exception] = type("E" * 1_000, (Exception,), {})
    for number in range(40):
        kind = type(f"Error{number}", (kind,), {})

    names = kinds_of(kind())
    assert len(names) == KINDS_MAX
    assert names[:2] == ("Error39", f"{__name__}.Error39")
    assert max(map(len, kinds_of(type("E" * 1_000, (Exception,), {})()))) == 300


async def raised_in_a_group(*errors: BaseException) -> Attempt:
    """Run a handler whose tasks raise these, side by side."""

    async def fail(error: BaseException) -> None:
        raise error

    async def handler() -> None:
        async with asyncio.TaskGroup() as group:
            for error in errors:
                group.create_task(fail(error))

    handlers = Handlers()
    handlers.add(handler)
    return await attempted(handlers, "handler")


@pytest.mark.parametrize("said", [Yielded(), Suspend(reason="they have to confirm")])
async def test_a_task_group_may_set_its_run_aside(said: BaseException) -> None:
    attempt = await raised_in_a_group(OSError("beside it"), said)

    assert (attempt.outcome, attempt.failure) == (Outcome.SUSPENDED, None)
    assert attempt.suspension == getattr(said, "suspension", None)


async def test_a_wish_of_somebody_else_goes_before_what_the_tasks_of_a_group_say() -> None:
    assert (await raised_in_a_group(GiveUp(), Suspend(), Yielded())).suspension is None
    assert (await raised_in_a_group(GiveUp(), Suspend())).outcome is Outcome.SUSPENDED


async def test_a_task_group_may_say_what_is_to_follow() -> None:
    later = await raised_in_a_group(Snooze(until=NEW_YEAR))
    assert (later.outcome, later.until, later.failure) == (Outcome.SNOOZED, NEW_YEAR, None)

    again = await raised_in_a_group(BrokenPipeError("gone"), Retry(after=30, reason="busy"), GiveUp())
    assert again.failure is not None
    assert (again.outcome, again.after, again.failure.code) == (Outcome.FAILED, 30.0, "retry")
    assert (again.failure.error, again.failure.message) == ("Retry", "busy")
    assert "BrokenPipeError: gone" in again.failure.traceback

    over = await raised_in_a_group(ExceptionGroup("deep", [ExceptionGroup("deeper", [GiveUp("no such order")])]))
    assert over.failure is not None
    assert (over.failure.code, over.failure.message) == ("gave_up", "no such order")


async def test_a_group_goes_by_the_names_of_all_that_is_in_it() -> None:
    attempt = await raised_in_a_group(*[BrokenPipeError() for _ in range(20)], KeyError("order"))

    assert attempt.failure is not None
    assert (attempt.outcome, attempt.failure.error, attempt.failure.code) == (Outcome.FAILED, "ExceptionGroup", "error")
    assert {"ExceptionGroup", "BrokenPipeError", "OSError", "KeyError", "builtins.LookupError"} <= set(attempt.kinds)
    assert len(attempt.kinds) <= KINDS_MAX


def test_a_cancellation_that_was_asked_for_may_come_in_a_group() -> None:
    group = BaseExceptionGroup("tasks", [OSError("closed"), asyncio.CancelledError()])
    stopped, alone = ended_by(group, stopping=True), ended_by(group, stopping=False)

    assert (stopped.outcome, stopped.failure) == (Outcome.RELEASED, None)
    assert (alone.outcome, alone.kinds[0]) == (Outcome.FAILED, "BaseExceptionGroup")


def test_what_derives_from_an_ending_says_the_same() -> None:
    class NoOrder(GiveUp):
        """There is none."""

    assert (failure := ended_by(NoOrder(), stopping=False).failure) is not None
    assert failure.code == "gave_up"


def test_what_asks_for_another_try_says_so_to_every_policy_whatever_its_code_is() -> None:
    class Busy(Retry):
        code = "busy"

    class Closed(GiveUp):
        code = "closed"

    def lead_of(error: BaseException) -> str:
        return kinds_of(error)[0]

    assert [lead_of(Retry()), lead_of(Busy()), lead_of(ExceptionGroup("tasks", [OSError(), Busy()]))] == ["retry"] * 3
    assert [lead_of(Closed()), lead_of(ExceptionGroup("tasks", [Closed(), Retry()]))] == ["gave_up"] * 2
    assert lead_of(caused(Retry(), by=OSError())) == "retry"
    assert "retry" not in kinds_of(caused(OSError(), by=Retry()))


def caused(error: Exception, *, by: Exception) -> Exception:
    error.__cause__ = by
    return error


class UnprintableError(Exception):
    @property
    def __notes__(self) -> list[str]:  # type: ignore[override]
        raise SystemError("AST constructor recursion depth mismatch")


async def test_an_error_whose_traceback_cannot_be_formatted_fails_its_attempt_with_a_plain_one() -> None:
    def break_down() -> None:
        raise UnprintableError("no luck")

    handlers = Handlers()
    handlers.add(break_down, name="break_down")
    ended = await attempted(handlers, "break_down")

    assert ended.outcome is Outcome.FAILED
    assert ended.failure is not None
    assert ended.failure.traceback.startswith("Traceback (most recent call last):\n")
    assert (
        'in break_down\n    raise UnprintableError("no luck")\nUnprintableError: no luck\n' in ended.failure.traceback
    )


def test_a_snooze_of_a_handler_whose_time_is_up_leaves_the_reason_why_it_was_stopped() -> None:
    attempt = Attempt(b"r", b"t", 1, b"{}", Handlers().add(sample.pid), 0.0)  # type: ignore[arg-type]
    attempt.stop(Outcome.TIMED_OUT, Failure(error="timeout", message="too long", code="timeout"))
    attempt.fail_by(Snooze(5))

    assert attempt.failure is not None
    assert (attempt.outcome, attempt.failure.code) == (Outcome.TIMED_OUT, "timeout")


def ended_by(error: BaseException, *, stopping: bool) -> Attempt:
    attempt = Attempt(b"r", b"t", 1, b"{}", Handlers().add(sample.pid), 0.0)  # type: ignore[arg-type]
    attempt.stopping = stopping
    attempt.fail_by(error)
    return attempt


def test_a_stopped_handler_cannot_talk_itself_out_of_it() -> None:
    handlers = Handlers()
    attempt = Attempt(b"r", b"t", 1, b"{}", handlers.add(sample.pid), 0.0)  # type: ignore[arg-type]
    attempt.stop(Outcome.CANCELLED)
    attempt.fail_by(Snooze(60))

    assert attempt.outcome is Outcome.CANCELLED


@pytest.mark.parametrize("ending", [Snooze, Suspend])
@pytest.mark.parametrize("year", [1, 1899, 3000, 9999])
def test_an_instant_that_no_server_knows_is_the_handlers_error(ending: type[Snooze | Suspend], year: int) -> None:
    with pytest.raises(ValueError, match="lies outside the years 1900 to 2999"):
        ending(until=datetime(year, 1, 1, tzinfo=UTC))
