"""The handler's context."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, ParamSpec, TypeVar, cast, overload

import msgspec

from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.breakers.spec import label_of
from mainspring.domain.ids import id_text
from mainspring.domain.metadata import RunMetadata, read_metadata
from mainspring.errors import InvalidInputError
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.attempts.effects import Effect
from mainspring.executor.attempts.exceptions import cancellation
from mainspring.executor.attempts.settle_in import settle_in, settle_in_sync
from mainspring.executor.attempts.signals import BreakerOpen
from mainspring.executor.attempts.steps import AttemptCheckpoints
from mainspring.executor.attempts.waits import (
    Awaited,
    CallableJob,
    call_step,
    event_step,
    gather,
    gather_sync,
    read_call,
    read_event,
    read_nothing,
    sleep_step,
)
from mainspring.executor.breakers.call import BreakerCall
from mainspring.executor.handlers.scope import ProcessScope
from mainspring.executor.link.logs import attempt_logger

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Length = str | float | timedelta

NO_SCOPE = ProcessScope()
EXTENSION_MAX = 7 * 86_400.0
"""Seconds that an attempt may ask for at once."""


class Slice(msgspec.Struct, frozen=True):
    """One of the equal parts of a run."""

    index: int
    """Counted from 0."""
    total: int


WHOLE = Slice(0, 1)


class Context:
    """One attempt from the inside. Safe to use from any thread."""

    __slots__ = ("_attempt", "_checkpoints", "_journal", "_logger", "_scope")

    def __init__(self, attempt: Attempt, journal: Journal, scope: ProcessScope = NO_SCOPE) -> None:
        self._attempt = attempt
        self._journal = journal
        self._scope = scope
        self._logger: logging.Logger | None = None
        self._checkpoints: AttemptCheckpoints | None = None

    @property
    def run(self) -> str:
        return id_text(self._attempt.run)

    @property
    def job(self) -> str:
        return self._attempt.handler.name

    @property
    def attempt(self) -> int:
        """The number of this attempt, from 1."""
        return self._attempt.number

    @property
    def fence(self) -> int:
        """Grows with every claim of this run; a downstream that keeps the highest can refuse older attempts."""
        return self._attempt.number

    @property
    def idempotency_key(self) -> str:
        """The same for every attempt of this run; pass it on so that a repeat has no second effect."""
        return id_text(self._attempt.run)

    @property
    def labels(self) -> dict[str, str]:
        return dict(self._metadata.labels)

    @property
    def tags(self) -> tuple[str, ...]:
        return self._metadata.tags

    @property
    def trigger(self) -> str:
        """The trigger that created this run; empty if a caller enqueued it."""
        return self._metadata.trigger

    @property
    def fire_at(self) -> datetime | None:
        """The scheduled fire time of this run, whenever it starts; None if it was not created for one."""
        return self._metadata.fire_at

    @property
    def backfill(self) -> str:
        """The id of the backfill that created this run; empty if none did."""
        return self._metadata.backfill

    @property
    def slice(self) -> Slice:
        """The part of a sliced or broadcast run that this is; of any other run, the only one."""
        about = self._metadata
        return Slice(about.item or 0, about.items) if about.items else WHOLE

    @property
    def deadline(self) -> datetime | None:
        """The time at which the run is stopped and fails; None: unlimited."""
        return self._metadata.deadline

    @property
    def should_stop(self) -> bool:
        """Whether to end soon: the run was cancelled, its deadline came, or the executor drains or lost its lease.

        Also while the breaker of its job is open, if the job says `stop_when_open`; not in process pools.
        """
        return self._attempt.stopping or self._journal.stopper(self._attempt) is not None

    @property
    def suspending(self) -> bool:
        """Whether an operator suspends the run: the next checkpoint or step yields instead of returning."""
        return self._attempt.suspending

    def raise_if_stopping(self) -> None:
        """Raise CancelledError if the attempt should stop; handlers on threads cannot be interrupted otherwise.

        If it should stop because of a breaker, that is BreakerOpen, which parks the run.
        """
        if self._attempt.stopping:
            raise cancellation()
        if (refusal := self._journal.stopper(self._attempt)) is not None:
            raise BreakerOpen(refusal.breaker, refusal.reason, wait=refusal.wait, epoch=refusal.told)

    @property
    def state(self) -> Any:
        """The value that the app's lifespan yielded in this process; None without one."""
        return self._scope.state

    @property
    def logger(self) -> logging.Logger:
        """Writes to the run's log, at every level."""
        if self._logger is None:
            self._logger = attempt_logger(self._attempt, self._journal)
        return self._logger

    @property
    def _metadata(self) -> RunMetadata:
        return read_metadata(self._attempt.extra)

    def extend_timeout(self, seconds: float) -> None:
        """Add `seconds` to this attempt's timeout; the run's deadline stays."""
        if not 0 < seconds <= EXTENSION_MAX:
            raise InvalidInputError("seconds", f"{seconds} is outside 0 to {EXTENSION_MAX:.0f}", code="bad_timeout")
        self._journal.extend(self._attempt, float(seconds))

    def checkpoint(self, state: object) -> None:
        """Save the progress of this run, as JSON of at most 64 KiB, for the next attempt or a resumed run.

        It returns at once, in plain and in async handlers. The latest checkpoint wins, and it is durable before a failure or
        a suspension of this attempt. If the executor dies, the last one that reached the server counts. If an operator
        suspends the run, the handler yields here.
        """
        self._progress_so_far.checkpoint(state)

    async def checkpointed(self) -> Any:
        """The state that the attempts before kept last; None if there is none."""
        return await self._progress_so_far.checkpointed()

    def checkpointed_sync(self) -> Any:
        """The same in a plain handler."""
        return self._progress_so_far.checkpointed_sync()

    @overload
    async def step(self, name: str, function: Callable[P, Awaitable[R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...

    @overload
    async def step(self, name: str, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R: ...

    async def step(self, name: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call the function, plain or async, and save its result: later attempts get the result without a call.

        The result is durable before this returns. A function that is cut off may be called again, so an effect inside of a
        step is exactly-once only if the function makes it so. If an operator suspends the run, the handler yields here.
        """
        return await self._progress_so_far.step(name, function, args, kwargs)

    def step_sync(self, name: str, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """The same in a plain handler."""
        return cast("R", self._progress_so_far.step_sync(name, function, args, kwargs))

    def call(self, name: str, job: CallableJob[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Awaited[R]:
        """Run a job or a workflow, once under this name, and wait for its result without a slot.

        `await ctx.call("pack", pack, 7)`: the attempt ends here, and the handler is called again from its beginning when the
        result is there. Raises RunFailedError if the run failed. In a plain handler: `ctx.call(…).wait_sync()`.
        """
        spec = call_step(job.name, job.arguments_of(*args, **kwargs))
        return Awaited(self._progress_so_far, name, spec, read_call(job.read_result))

    def sleep(self, name: str, length: str | float | timedelta, /) -> Awaited[None]:
        """Wait for a length of time, such as "3d", without a slot: `await ctx.sleep("rest", "3d")`."""
        return Awaited(self._progress_so_far, name, sleep_step(length), read_nothing)

    @overload
    def event(
        self, name: str, type: str, /, *, data: type[T], match: Mapping[str, Any] = ..., timeout: Length | None = ...
    ) -> Awaited[T | None]: ...

    @overload
    def event(
        self, name: str, type: str, /, *, match: Mapping[str, Any] = ..., timeout: Length | None = ...
    ) -> Awaited[Any]: ...

    def event(
        self,
        name: str,
        type: str,  # noqa: A002 the word of events
        /,
        *,
        data: Any = None,
        match: Mapping[str, Any] | None = None,
        timeout: Length | None = None,
    ) -> Awaited[Any]:
        """Wait for an event of this type whose data match, without a slot; None if it has not come in time.

        It has to be published after the wait began: begin the wait together with the call that leads to it, by `gather`.
        """
        return Awaited(self._progress_so_far, name, event_step(type, dict(match or {}), timeout), read_event(data))

    async def gather(self, *waits: Awaited[Any]) -> list[Any]:
        """Wait for several at once: `await ctx.gather(ctx.call("a", a), ctx.call("b", b))`."""
        return await gather(self._progress_so_far, waits)

    def gather_sync(self, *waits: Awaited[Any]) -> list[Any]:
        """The same in a plain handler."""
        return gather_sync(self._progress_so_far, waits)

    def effect(self, name: str) -> Effect:
        """An entry in the run's effect ledger: `async with ctx.effect("mail") as mail:`, or `with` in a plain handler."""
        return Effect(self._progress_so_far, name, f"{self.idempotency_key}:{name}")

    def breaker(self, name: str, *, key: str = "", wait: float = 0.0) -> BreakerCall:
        """Guard a call by a breaker: `async with ctx.breaker("sms-gateway"):`, or `with` in a plain handler.

        How the block ends, and how long it takes, is counted for the whole cluster. While the breaker is open, BreakerOpen is
        raised instead, after up to `wait` seconds in place; uncaught, it parks the run. With a `key`, there is a breaker for
        each of its values.
        """
        return BreakerCall(self._attempt, self._journal, name, key, wait)

    def breaker_state(self, name: str, *, key: str = "") -> BreakerState:
        """The state of a breaker, as far as this executor knows."""
        return self._journal.breaker_state(self._attempt, label_of(name, key))

    async def settle_in(self, connection: object, result: object = None) -> None:
        """Settle the run as succeeded in your own PostgreSQL transaction: with its commit, and only then.

        Raises LeaseLostError if this attempt no longer owns the run. Commit, then return; the return value is dropped.
        """
        await self._progress_so_far.set_apart()
        await settle_in(self._attempt, connection, result)

    def settle_in_sync(self, connection: object, result: object = None) -> None:
        """The same in a plain handler."""
        self._progress_so_far.set_apart_sync()
        settle_in_sync(self._attempt, connection, result)

    @property
    def _progress_so_far(self) -> AttemptCheckpoints:
        if self._checkpoints is None:
            self._checkpoints = AttemptCheckpoints(self._attempt, self._journal)
        return self._checkpoints

    def progress(self, fraction: float, note: str = "") -> None:
        """Report the progress of this attempt, from 0 to 1; only the latest counts."""
        self._journal.progress(self._attempt, min(1.0, max(0.0, float(fraction))), note)
