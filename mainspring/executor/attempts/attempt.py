"""An attempt as the executor holds it: from its start until its outcome is in the outbox."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import NOT_COMMITTED, Outcome
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.current import under_way
from mainspring.domain.runs.run import CODE_MAX, ERROR_MAX, MESSAGE_MAX, RESULT_MAX, Failure, Suspension
from mainspring.executor.attempts.exceptions import (
    cancellation,
    code_of,
    decisive,
    is_cancellation,
    kinds_of,
    message_of,
    trace_of,
)
from mainspring.executor.attempts.signals import BreakerOpen, Ending, Snooze, Suspend, Yielded
from mainspring.executor.handlers.models import plain
from mainspring.wire.arguments import refusal

if TYPE_CHECKING:
    import asyncio

    from mainspring.domain.breakers.breaker import BreakerState
    from mainspring.executor.breakers.guard import Admission
    from mainspring.executor.breakers.guards import Admitted, CallEnd


class Journal(Protocol):
    """Receives an attempt's log lines, progress, time extensions and checkpoints; called from any thread."""

    def log(self, attempt: "Attempt", level: int, message: str) -> None: ...

    def progress(self, attempt: "Attempt", fraction: float, note: str) -> None: ...

    def extend(self, attempt: "Attempt", seconds: float) -> None: ...

    def save(
        self,
        attempt: "Attempt",
        kind: MemoryKind,
        name: str,
        value: bytes | None,
        done: Callable[[bool], None] | None,
    ) -> None:
        """Save one entry; `done` is called once with whether it is durable."""

    def load(
        self, attempt: "Attempt", loaded: Callable[[Mapping[tuple[MemoryKind, str], bytes | None] | None], None]
    ) -> None:
        """Call back with the run's checkpoints; with None if the attempt no longer owns the run."""

    def admit(self, attempt: "Attempt", breaker: str) -> "Admission | None":
        """A breaker's answer to a call; None: it has to be waited for."""

    def await_admission(self, attempt: "Attempt", breaker: str, wait: float, admitted: "Admitted") -> None:
        """Call back with the answer; one that is refused for now is refused after `wait` seconds."""

    def called(self, attempt: "Attempt", end: "CallEnd") -> None:
        """Count a call that has ended."""

    def breaker_state(self, attempt: "Attempt", breaker: str) -> "BreakerState": ...

    def stopper(self, attempt: "Attempt") -> "Admission | None":
        """The refusal of the open breaker for which its job wants attempts stopped; None: nothing of that kind."""


class Callee(Protocol):
    """The part of a handler that pools call."""

    @property
    def name(self) -> str: ...

    @property
    def pool(self) -> Pool | None: ...

    @property
    def call(self) -> Callable[..., Any]: ...

    @property
    def bind(self) -> Callable[["Attempt", Journal], tuple[Any, ...]]: ...

    @property
    def spanned(self) -> "Callee | None":
        """The same with a span around each call, where this process exports spans."""


class Attempt(msgspec.Struct, gc=False):
    """An attempt in hand; its pool writes the outcome into it and reports it exactly once."""

    # There may be 100,000 of these: hence a struct without collector.

    run: RunId
    token: Token
    number: int
    input: bytes
    handler: Callee
    arrived: float
    extra: bytes | None = None
    """JSON: the labels, tags and deadline of its run."""
    deadline: float | None = None
    """Latest time at which it is stopped, by the monotonic clock."""
    on_wait: Callable[["Attempt", str], None] | None = None
    """Called with each change of `waits_for`."""
    started: float = 0.0
    stopping: bool = False
    """Shown to the handler as `should_stop`; an attempt that has not begun is not begun any more."""
    stops_as: Outcome = Outcome.RELEASED
    """Its outcome if it is stopped."""
    stopped_for: Failure | None = None
    """Its failure if it is stopped."""
    given_up: bool = False
    """Nothing could stop it: its outcome was reported without it, and its slot is free."""
    # Its end is ignored.
    outcome: Outcome = Outcome.SUCCEEDED
    result: bytes = b"null"
    failure: Failure | None = None
    wait: int = 0
    duration: int = 0
    task: "asyncio.Task[None] | None" = None
    lines: Iterator[int] = msgspec.field(default_factory=count)
    """Numbers of log lines; counts atomically, whichever threads a handler uses."""
    timeout: float = 0.0
    """Seconds from its start after which it is stopped; 0: unlimited."""
    kinds: tuple[str, ...] = ()
    """Names of the error that ended it."""
    after: float | None = None
    """Seconds before the next attempt, if its handler named any."""
    until: datetime | None = None
    suspending: bool = False
    """An operator suspends its run: the handler yields at its next checkpoint or step."""
    job: str = ""
    """Its job, if that has a breaker."""
    suspension: Suspension | None = None
    """Reason and time, if its handler suspended the run."""
    settled_in: bool = False
    """Its handler settles the run in its own transaction."""

    interrupted: bool = False
    """It must end now: a wait in it for another run is cut short."""
    breaker: str = ""
    """The breaker that parks its run."""
    epoch: int = 0
    """Of that breaker, as servers know it."""
    waits_for: str = ""
    """Job of the run that it waits for in its slot; empty if it waits for none."""

    def begin(self, now: float) -> None:
        self.started = now
        self.wait = int((now - self.arrived) * 1_000)

    def close(self, now: float) -> None:
        self.duration = int((now - self.started) * 1_000_000)
        self.task = None

    def succeed(self, value: object) -> None:
        if self.settled_in:
            # If it was committed, there is nothing left that this could be said of.
            self.fail(NOT_COMMITTED, "the handler settled its run in a transaction that was not committed")
            return
        if value is None:
            return
        try:
            self.result = encode(value)
        except (TypeError, ValueError, RecursionError, OverflowError) as error:
            self.fail("bad_result", f"the result cannot be written as JSON: {error}")
            return
        if len(self.result) > RESULT_MAX:
            self.fail("result_too_large", f"the result has {len(self.result)} bytes, over the limit of {RESULT_MAX}")
            self.result = b"null"

    def fail(self, error: str, message: str, trace: str = "", *, code: str = "") -> None:
        self.outcome = Outcome.FAILED
        self.failure = Failure(
            error=clip(error, ERROR_MAX),
            message=clip(message, MESSAGE_MAX),
            traceback=trace,
            code=clip(code or error, CODE_MAX),
        )

    def refuse(self, error: Exception) -> None:
        """Fail before the handler begins, because it cannot take this input."""
        self.fail("bad_arguments", str(refusal(error)))

    def fail_by(self, error: BaseException) -> None:
        """Write the outcome of a handler that raised; a requested interruption is no failure."""
        if self.stopping and is_cancellation(error):
            self.release()
            if self.failure is not None:
                # The operator who wonders about it wants to know where the handler stood.
                self.failure = msgspec.structs.replace(self.failure, traceback=trace_of(error))
            return
        said = decisive(error)
        if isinstance(said, Yielded | Suspend):
            self.outcome = Outcome.SUSPENDED
            self.suspension = said.suspension
            return
        self.fail(type(said).__name__, message_of(said), trace_of(error), code=code_of(said))
        self.kinds = kinds_of(error)
        if isinstance(said, Ending):
            self.after, self.until = said.after, said.until
        if isinstance(said, Snooze):
            self.outcome, self.failure = Outcome.SNOOZED, None
        if isinstance(said, BreakerOpen):
            self.outcome, self.failure = Outcome.PARKED, None
            self.breaker, self.epoch = said.breaker, said.epoch
        if self.stopping and self.stops_as is not Outcome.RELEASED:
            # What a handler makes of being stopped is its own affair.
            self.outcome, self.breaker = self.stops_as, ""
            if self.failure is None:
                self.failure = self.stopped_for
            elif self.stopped_for is not None:
                self.failure = msgspec.structs.replace(self.failure, code=self.stopped_for.code)

    def lose(self, code: str, message: str) -> None:
        self.outcome = Outcome.LOST
        self.failure = Failure(error=code, message=message, code=code)

    def heed_interruption(self) -> None:
        """Raises CancelledError if it is interrupted."""
        if self.interrupted:
            raise cancellation()

    def note_wait(self, job: str) -> None:
        self.waits_for = job
        if self.on_wait is not None:
            self.on_wait(self, job)

    def stop(self, outcome: Outcome, failure: Failure | None = None) -> None:
        """Ask it to end with this outcome, unless it ends by itself first."""
        self.stops_as = outcome
        self.stopped_for = failure
        self.stopping = True

    def due(self, now: float) -> float:
        """The time at which it is to be stopped, as known now."""
        # An attempt that has not begun still has its whole timeout.
        limit = (self.started or now) + self.timeout if self.timeout else math.inf
        return limit if self.deadline is None else min(limit, self.deadline)

    def overdue(self, now: float) -> Failure:
        """Its failure if it is stopped now because it is late."""
        if self.deadline is not None and self.deadline <= now:
            return LATE
        message = f"the attempt was stopped: it took longer than {self.timeout:g} s"
        return Failure(error="timeout", message=message, code="timeout")

    def extend(self, seconds: float) -> None:
        """Add `seconds` to its timeout, if it has one."""
        if self.timeout:
            self.timeout += seconds

    def release(self) -> None:
        """Write the outcome of an attempt that was stopped or never begun."""
        self.outcome = self.stops_as
        self.failure = self.stopped_for


LATE = Failure(
    error="deadline_passed",
    message="the attempt was stopped: the deadline of its run had come",
    code="deadline_passed",
)

current: ContextVar[Attempt] = under_way

encode = msgspec.json.Encoder(enc_hook=plain).encode


def clip(text: str, size: int) -> str:
    """Shorten a text to `size` bytes, with an ellipsis."""
    # Lone surrogates, as names of files may have them, become `?`.
    if text.isascii() and len(text) <= size:
        return text
    raw = text.encode("utf-8", "replace")
    if len(raw) <= size:
        return raw.decode()
    return raw[: size - 4].decode("utf-8", "ignore") + " …"
