"""Puts a span around the calls of handlers that are sampled; the others take the way of a process that exports nothing."""

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
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
            with span_of(under_way.get()):
                return call(*values)

        return plain

    @functools.wraps(call)
    async def awaited(*values: Any) -> Any:
        with span_of(under_way.get()):
            return await call(*values)

    return awaited


def trace_sampled(attempts: Iterable[Attempt]) -> None:
    """Give the attempts that have a span the handler that makes it; all others are called as if nothing were exported."""
    end = Tracing.share_end
    for attempt in [one for one in attempts if one.run[9:] < end or (one.extra is not None and TRACED in one.extra)]:
        # The last bytes of a run's id decide, so that all of its attempts agree.
        attempt.handler = attempt.handler.spanned or attempt.handler


@contextmanager
def span_of(attempt: Attempt) -> Iterator[None]:
    known = read_metadata(attempt.extra)
    waited = seconds_since(attempt.run, known.fire_at)
    attributes = {
        names.SYSTEM: names.SYSTEM_NAME,
        names.OPERATION: "process",
        names.OPERATION_TYPE: "process",
        names.MESSAGE: id_text(attempt.run),
        names.NAMESPACE: Tracing.namespace,
        names.JOB: attempt.handler.name,
        names.EXECUTOR: Tracing.executor,
        names.ATTEMPT: attempt.number,
        names.FENCE: attempt.number,
        names.POOL: "" if attempt.handler.pool is None else attempt.handler.pool.value,
        names.WAIT: int(waited * MILLISECONDS),
    }
    name = f"run {attempt.handler.name}"
    with run_span(name, attempt.run, attempt.number, known.traceparent, waited, attributes) as told:
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


def seconds_since(run: bytes, fire_at: datetime | None) -> float:
    """Since the run was made: its id begins with that instant. One that was prepared for a fire time counts from then on."""
    made = int.from_bytes(run[:6], "big") / MILLISECONDS
    begin = made if fire_at is None else max(made, fire_at.timestamp())
    # By this machine's clock: it only decides whether a trace is joined or linked.
    return max(0.0, CLOCK.now().timestamp() - begin)
