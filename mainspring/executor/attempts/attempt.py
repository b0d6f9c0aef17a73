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
from mainspring.executor.attempts.signals import Ending, Snooze, Suspend, Yielded
from mainspring.executor.handlers.models import plain
from mainspring.wire.arguments import refusal

if TYPE_CHECKING:
    import asyncio


class Journal(Protocol):
    """Where an attempt's lines, progress, wishes for time and memories go; called from any thread."""

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
        """Have something remembered, and be called back once that is durable, or cannot be any more."""

    def load(
        self, attempt: "Attempt", told: Callable[[Mapping[tuple[MemoryKind, str], bytes | None] | None], None]
    ) -> None:
        """Be called back with what the run remembers; with None if the attempt does not own it any more."""


class Callee(Protocol):
    """What running an attempt needs to know of its handler."""

    @property
    def name(self) -> str: ...

    @property
    def pool(self) -> Pool | None: ...

    @property
    def call(self) -> Callable[..., Any]: ...

    @property
    def bind(self) -> Callable[["Attempt", Journal], tuple[Any, ...]]: ...


class Attempt(msgspec.Struct, gc=False):
    """One per run in hand, so it is small; a pool writes the outcome into it and reports it exactly once."""

    run: RunId
    token: Token
    number: int
    input: bytes
    handler: Callee
    arrived: float
    extra: bytes | None = None
    """JSON: the labels, tags and deadline of its run."""
    deadline: float | None = None
    """When it is stopped at the latest, by the monotonic clock."""
    started: float = 0.0
    stopping: bool = False
    """Said to the handler as `should_stop`; an attempt that has not started yet does not start any more."""
    stops_as: Outcome = Outcome.RELEASED
    """What it ends as if it is stopped."""
    stopped_for: Failure | None = None
    """What is said of it then."""
    given_up: bool = False
    """Nothing could stop it: reported without it, and its slot is free again. Nobody waits for its end."""
    outcome: Outcome = Outcome.SUCCEEDED
    result: bytes = b"null"
    failure: Failure | None = None
    wait: int = 0
    duration: int = 0
    task: "asyncio.Task[None] | None" = None
    lines: Iterator[int] = msgspec.field(default_factory=count)
    """Numbers of log lines; counts atomically, whichever threads a handler uses."""
    timeout: float = 0.0
    """Seconds from its start after which it is stopped; 0: it has all the time it takes."""
    kinds: tuple[str, ...] = ()
    """The names of the error that ended it."""
    after: float | None = None
    """Seconds that its handler wants to pass before the next one."""
    until: datetime | None = None
    suspending: bool = False
    """Somebody wants its run set aside: the handler yields at its next checkpoint or step."""
    suspension: Suspension | None = None
    """What its handler said when it set its run aside itself."""
    settled_in: bool = False
    """Its handler settles the run in a transaction of its own."""

    interrupted: bool = False
    """It is to end now: a wait in it for another run does not go on."""
    waits_for: str = ""
    """The job whose run it waits for in its slot, if it does."""
    on_wait: Callable[["Attempt", str], None] | None = None
    """Loaded about that too."""

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
        """End before the handler begins: it cannot take this input."""
        self.fail("bad_arguments", str(refusal(error)))

    def fail_by(self, error: BaseException) -> None:
        """End as the handler's error says; an interruption that was asked for is no failure."""
        if self.stopping and is_cancellation(error):
            self.release()
            if self.failure is not None:
                # Where the handler stood is what whoever wonders about it wants to know.
                self.failure = msgspec.structs.replace(self.failure, traceback=trace_of(error))
            return
        said = decisive(error)
        if isinstance(said, Yielded | Suspend):
            self.outcome = Outcome.SUSPENDED
            self.suspension = said.suspension if isinstance(said, Suspend) else None
            return
        self.fail(type(said).__name__, message_of(said), trace_of(error), code=code_of(said))
        self.kinds = kinds_of(error)
        if isinstance(said, Ending):
            self.after, self.until = said.after, said.until
        if isinstance(said, Snooze):
            self.outcome, self.failure = Outcome.SNOOZED, None
        if self.stopping and self.stops_as is not Outcome.RELEASED:
            # What a handler makes of being stopped is its own affair.
            self.outcome = self.stops_as
            if self.failure is None:
                self.failure = self.stopped_for
            elif self.stopped_for is not None:
                self.failure = msgspec.structs.replace(self.failure, code=self.stopped_for.code)

    def lose(self, code: str, message: str) -> None:
        self.outcome = Outcome.LOST
        self.failure = Failure(error=code, message=message, code=code)

    def heed_interruption(self) -> None:
        """Raise CancelledError if it is interrupted."""
        if self.interrupted:
            raise cancellation()

    def note_wait(self, job: str) -> None:
        self.waits_for = job
        if self.on_wait is not None:
            self.on_wait(self, job)

    def stop(self, outcome: Outcome, failure: Failure | None = None) -> None:
        """Ask it to end, as that unless it comes to an end of its own first."""
        self.stops_as = outcome
        self.stopped_for = failure
        self.stopping = True

    def due(self, now: float) -> float:
        """When it is to be stopped, as far as can be told now: one that has not begun has its whole time before it."""
        limit = (self.started or now) + self.timeout if self.timeout else math.inf
        return limit if self.deadline is None else min(limit, self.deadline)

    def overdue(self, now: float) -> Failure:
        """What is said of it if it is stopped now because it is late."""
        if self.deadline is not None and self.deadline <= now:
            return LATE
        message = f"the attempt was stopped: it took longer than {self.timeout:g} s"
        return Failure(error="timeout", message=message, code="timeout")

    def extend(self, seconds: float) -> None:
        """Give it so much more time, if there is a limit at all."""
        if self.timeout:
            self.timeout += seconds

    def release(self) -> None:
        """End because it was stopped, or was not to start at all."""
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
    """Shorten a text to that many bytes, and say so; what no UTF-8 can say, as names of files may have, becomes `?`."""
    if text.isascii() and len(text) <= size:
        return text
    raw = text.encode("utf-8", "replace")
    if len(raw) <= size:
        return raw.decode()
    return raw[: size - 4].decode("utf-8", "ignore") + " …"
