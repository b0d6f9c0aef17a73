"""An attempt as the executor holds it: from its start until its outcome is in the outbox."""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from mainspring.domain.attempt import Outcome
from mainspring.domain.ids import RunId, Token
from mainspring.domain.job import Pool
from mainspring.domain.run import Failure
from mainspring.executor.models import plain
from mainspring.wire.arguments import refusal

if TYPE_CHECKING:
    import asyncio

OWN = "mainspring.executor."
TRACEBACK_MAX = 16 * 1024
MESSAGE_MAX = 4 * 1024
RESULT_MAX = 1024 * 1024


class Journal(Protocol):
    """Where an attempt's lines and progress go; called from any thread."""

    def log(self, attempt: "Attempt", level: int, message: str) -> None: ...

    def progress(self, attempt: "Attempt", fraction: float, note: str) -> None: ...


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

    def begin(self, now: float) -> None:
        self.started = now
        self.wait = int((now - self.arrived) * 1_000)

    def close(self, now: float) -> None:
        self.duration = int((now - self.started) * 1_000_000)
        self.task = None

    def succeed(self, value: object) -> None:
        if value is None:
            return
        try:
            self.result = _encode(value)
        except (TypeError, ValueError, RecursionError, OverflowError) as error:
            self.fail("bad_result", f"the result cannot be written as JSON: {error}")
            return
        if len(self.result) > RESULT_MAX:
            self.fail("result_too_large", f"the result has {len(self.result)} bytes, over the limit of {RESULT_MAX}")
            self.result = b"null"

    def fail(self, error: str, message: str, trace: str = "") -> None:
        self.outcome = Outcome.FAILED
        self.failure = Failure(error=error, message=clip(message, MESSAGE_MAX), traceback=trace)

    def refuse(self, error: Exception) -> None:
        """End before the handler begins: it cannot take this input."""
        self.fail("bad_arguments", str(refusal(error)))

    def fail_by(self, error: BaseException) -> None:
        """End as the handler's error says; an interruption that was asked for is no failure."""
        if self.stopping and is_cancellation(error):
            self.release()
            return
        self.fail(type(error).__name__, _message(error), _trace(error))
        if self.stopping and self.stops_as is not Outcome.RELEASED:
            # What a handler makes of being stopped is its own affair.
            self.outcome = self.stops_as

    def lose(self, error: str, message: str) -> None:
        self.outcome = Outcome.LOST
        self.failure = Failure(error=error, message=message)

    def stop(self, outcome: Outcome) -> None:
        """Ask it to end, as that unless it comes to an end of its own first."""
        self.stops_as = outcome
        self.stopping = True

    def release(self) -> None:
        """End because it was stopped, or was not to start at all."""
        self.outcome = self.stops_as
        if self.outcome is Outcome.TIMED_OUT:
            self.failure = LATE


LATE = Failure(error="deadline_passed", message="the attempt was stopped: the deadline of its run had come")

current: ContextVar[Attempt] = ContextVar("mainspring_attempt")

_encode = msgspec.json.Encoder(enc_hook=plain).encode


def clip(text: str, size: int) -> str:
    """Shorten a text to that many bytes, and say so."""
    if len(text) * 4 <= size or len(raw := text.encode("utf-8", "replace")) <= size:
        return text
    return raw[: size - 4].decode("utf-8", "ignore") + " …"


def cancellation() -> BaseException:
    # Imported where attempts run, and not by whoever only enqueues.
    from asyncio import CancelledError  # noqa: PLC0415

    return CancelledError()


def is_cancellation(error: BaseException) -> bool:
    return isinstance(error, type(cancellation()))


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as worse:  # noqa: BLE001 the error's own __str__ is the handler's code too
        return f"(its message cannot be shown: {type(worse).__name__})"


def _trace(error: BaseException) -> str:
    """The traceback from the handler down; our own frames above it are left out, the end matters most."""
    below = error.__traceback__
    while below is not None and below.tb_frame.f_globals.get("__name__", "").startswith(OWN):
        below = below.tb_next
    import traceback  # noqa: PLC0415 as above

    text = "".join(traceback.format_exception(type(error), error, below, limit=-50))
    raw = text.encode("utf-8", "replace")
    if len(raw) <= TRACEBACK_MAX:
        return text
    return "… " + raw[4 - TRACEBACK_MAX :].decode("utf-8", "ignore")
