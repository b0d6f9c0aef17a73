"""Puts a span around the calls of handlers that are sampled; the others take the way of a process that exports nothing."""

import functools
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from mainspring.clock import SystemClock
from mainspring.domain.ids import id_text
from mainspring.domain.metadata import NOTHING, encode_metadata, read_metadata
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.current import under_way
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.exceptions import decisive, is_cancellation
from mainspring.executor.attempts.signals import BreakerOpen, Snooze, Suspend, Yielded
from mainspring.telemetry import names
from mainspring.telemetry.run_spans import RunSpan
from mainspring.telemetry.switch import Tracing

if TYPE_CHECKING:
    from mainspring.wire.messages import Start

Call = Callable[..., Any]
MILLISECONDS = 1_000
TRACED = b'"traceparent"'
"""Stands in the metadata of a run that belongs to a trace; a label of that name only costs a look."""
CLOCK = SystemClock()
SUCCEEDED = Outcome.SUCCEEDED.label
GOES_ON = {Outcome.SUSPENDED, Outcome.SNOOZED, Outcome.PARKED}


def traced(call: Call, *, is_async: bool) -> Call:
    """The same call inside of the span of its attempt, on whichever thread or process it runs."""
    if not is_async:

        @functools.wraps(call)
        def plain(*values: Any) -> Any:
            with AttemptSpan(under_way.get()):
                return call(*values)

        return plain

    @functools.wraps(call)
    async def awaited(*values: Any) -> Any:
        with AttemptSpan(under_way.get()):
            return await call(*values)

    return awaited


def trace_sampled(attempts: Iterable[Attempt], start: "Start | None" = None) -> None:
    """Give the attempts that have a span the handler that makes it; all others are called as if nothing were exported."""
    end = Tracing.share_end
    # The last bytes of a run's id decide, so that all of its attempts agree.
    taken = [one for one in attempts if one.run[9:] < end or (one.extra is not None and TRACED in one.extra)]
    for attempt in taken:
        attempt.handler = attempt.handler.spanned or attempt.handler
    if taken and start is not None and start.queues:
        note_queues(taken, start)


def note_queues(attempts: Iterable[Attempt], start: "Start") -> None:
    """Write the queue into the metadata, which go along into a child process."""
    names = dict(zip(start.runs, start.handlers, strict=True))
    for attempt in attempts:
        known = msgspec.structs.replace(read_metadata(attempt.extra), queue=start.queues[names[attempt.run]])
        attempt.extra = encode_metadata(known)


class AttemptSpan:
    """The span of an attempt, around the block that calls its handler."""

    __slots__ = ("_attempt", "_span")

    def __init__(self, attempt: Attempt) -> None:
        self._attempt, handler = attempt, attempt.handler
        known = NOTHING if attempt.extra is None else read_metadata(attempt.extra)
        waited = seconds_since(attempt.run, known.fire_at)
        attributes = {
            names.SYSTEM: names.SYSTEM_NAME,
            names.OPERATION: "process",
            names.OPERATION_TYPE: "process",
            names.MESSAGE: id_text(attempt.run),
            names.NAMESPACE: Tracing.namespace,
            names.JOB: handler.name,
            names.EXECUTOR: Tracing.executor,
            names.ATTEMPT: attempt.number,
            names.FENCE: attempt.number,
            names.POOL: "" if handler.pool is None else handler.pool.value,
            names.WAIT: int(waited * MILLISECONDS),
        }
        told = ((names.DESTINATION, known.queue), (names.KEY, known.key))
        attributes |= {name: value for name, value in told if value}
        name = f"run {handler.name}"
        self._span = RunSpan(name, attempt.run, attempt.number, known.traceparent, waited, attributes)

    def __enter__(self) -> None:
        self._span.begin()

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            self._span.end(SUCCEEDED)
            return
        outcome = outcome_of(self._attempt, error)
        # A run that sleeps, waits or gives its slot back has not failed.
        failed = outcome not in GOES_ON
        self._span.end(outcome.label, error if failed else None, failed=failed and isinstance(error, Exception))


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
