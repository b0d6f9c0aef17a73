"""Puts a span around each call of a handler; composed into handlers only where spans are exported."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mainspring.clock import SystemClock
from mainspring.domain.ids import id_text
from mainspring.domain.metadata import read_metadata
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.current import under_way
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.exceptions import decisive, is_cancellation
from mainspring.executor.attempts.signals import BreakerOpen, Snooze, Suspend, Yielded
from mainspring.telemetry import names
from mainspring.telemetry.spans import run_span
from mainspring.telemetry.switch import Tracing

Call = Callable[..., Any]
MILLISECONDS = 1_000
TRACED = b'"traceparent"'
"""Stands in the metadata of a run that belongs to a trace; a label of that name only costs a look."""
CLOCK = SystemClock()


def traced(call: Call, *, is_async: bool) -> Call:
    """The same call inside of the span of its attempt, on whichever thread or process it runs."""
    if not is_async:

        @functools.wraps(call)
        def plain(*values: Any) -> Any:
            attempt = under_way.get()
            if is_left_out(attempt):
                return call(*values)
            with span_of(attempt):
                return call(*values)

        return plain

    async def spanned(attempt: Attempt, values: tuple[Any, ...]) -> Any:
        with span_of(attempt):
            return await call(*values)

    @functools.wraps(call)
    def awaited(*values: Any) -> Any:
        attempt = under_way.get()
        # The handler's own coroutine, without one of ours around it.
        return call(*values) if is_left_out(attempt) else spanned(attempt, values)

    return awaited


def is_left_out(attempt: Attempt) -> bool:
    """Whether the attempt belongs to no trace, and begins none: by its run's id, so that all of its attempts agree."""
    if attempt.extra is not None and TRACED in attempt.extra:
        return False
    return attempt.run[9:] >= Tracing.share_end


@contextmanager
def span_of(attempt: Attempt) -> Iterator[None]:
    waited = seconds_since(attempt.run)
    attributes = {
        names.SYSTEM: names.SYSTEM_NAME,
        names.OPERATION: "process",
        names.OPERATION_TYPE: "process",
        names.MESSAGE: id_text(attempt.run),
        names.JOB: attempt.handler.name,
        names.ATTEMPT: attempt.number,
        names.FENCE: attempt.number,
        names.POOL: "" if attempt.handler.pool is None else attempt.handler.pool.value,
        names.WAIT: int(waited * MILLISECONDS),
    }
    origin = read_metadata(attempt.extra).traceparent
    with run_span(f"run {attempt.handler.name}", origin, waited, attributes) as told:
        try:
            yield
        except BaseException as error:
            told(names.OUTCOME, outcome_of(attempt, error).label)
            raise
        told(names.OUTCOME, Outcome.SUCCEEDED.label)


def outcome_of(attempt: Attempt, error: BaseException) -> Outcome:
    """The outcome that the attempt will have with this error."""
    if attempt.stopping and is_cancellation(error):
        return attempt.stops_as
    match decisive(error):
        case Yielded() | Suspend():
            return Outcome.SUSPENDED
        case Snooze():
            return Outcome.SNOOZED
        case BreakerOpen():
            return Outcome.PARKED
    return Outcome.FAILED


def seconds_since(run: bytes) -> float:
    """Since the run was made: its id begins with that instant."""
    # By this machine's clock: it only decides whether a trace is joined or linked.
    return max(0.0, CLOCK.now().timestamp() - int.from_bytes(run[:6], "big") / MILLISECONDS)
