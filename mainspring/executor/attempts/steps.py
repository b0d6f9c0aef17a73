"""The handler's side of checkpoints, steps and effects.

Values go through JSON also the first time, so that a handler sees the same value from a step that just ran and from a saved
one. A first attempt loads nothing; a later one loads once, when it first needs a checkpoint.
"""

import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Never, NoReturn, TypeVar, get_type_hints

import msgspec

from mainspring.domain.runs.checkpoints import (
    MEMORIES_MAX,
    MemoryKind,
    check_memory_name,
    check_value,
    refuse_more,
    refuse_repeat,
)
from mainspring.errors import ConfigError, InvalidInputError
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.attempts.attempt import encode as encode_json
from mainspring.executor.attempts.exceptions import cancellation
from mainspring.executor.attempts.signals import Yielded
from mainspring.executor.handlers import models
from mainspring.executor.link.checkpoints import Done, Key, Known, Loaded
from mainspring.telemetry.spans import step_span

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")
CHECKPOINT: Key = (MemoryKind.CHECKPOINT, "")
UNSAID = (Any, object, NoReturn, Never)


class AttemptCheckpoints:
    """One attempt's view of its run's checkpoints; plain methods work on any thread, async ones on the handler's loop."""

    __slots__ = ("_added", "_attempt", "_journal", "_known", "_used")

    def __init__(self, attempt: Attempt, journal: Journal) -> None:
        self._attempt = attempt
        self._journal = journal
        self._known: Known | None = {} if attempt.number == 1 else None
        self._used: set[Key] = set()
        self._added: set[Key] = set()
        """Keys that no earlier attempt has begun."""

    # Checkpoints

    def checkpoint(self, state: object) -> None:
        """Save without waiting; the attempt's outcome waits for it."""
        # If the executor dies first, the checkpoint before this one counts.
        raw = encode(MemoryKind.CHECKPOINT, state)
        self._journal.save(self._attempt, *CHECKPOINT, raw, None)
        self.yield_if_asked()

    async def checkpointed(self) -> Any:
        return decoded((await self.known()).get(CHECKPOINT))

    def checkpointed_sync(self) -> Any:
        return decoded(self.known_sync().get(CHECKPOINT))

    # Steps

    async def step(self, name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        key = self.enter(MemoryKind.STEP, name)
        read = reader(function)
        raw = self.find(key, await self.known())
        with step_span("step", name, remembered=raw is not None):
            if raw is None:
                value = function(*args, **kwargs)
                raw = encode(MemoryKind.STEP, await value if inspect.isawaitable(value) else value)
                await self.keep(key, raw)
                self.yield_if_asked()
        return read(raw)

    def step_sync(self, name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        key = self.enter(MemoryKind.STEP, name)
        read = reader(function)
        raw = self.find(key, self.known_sync())
        with step_span("step", name, remembered=raw is not None):
            if raw is None:
                raw = encode(MemoryKind.STEP, function(*args, **kwargs))
                self.keep_sync(key, raw)
                self.yield_if_asked()
        return read(raw)

    # Shared by both

    def enter(self, kind: MemoryKind, name: str) -> Key:
        """Begin a named step or effect, or yield before it; raises InvalidInputError."""
        key = (kind, check_memory_name(kind, name))
        if key in self._used:
            raise refuse_repeat(kind, name)
        self._used.add(key)
        self.yield_if_asked()
        return key

    def find(self, key: Key, known: Known) -> bytes | None:
        """The saved value, if any; raises InvalidInputError if the run may not have another entry."""
        if key not in known:
            self._added.add(key)
            if len(known) - (CHECKPOINT in known) + len(self._added) > MEMORIES_MAX:
                raise refuse_more(key[0])
        return known.get(key)

    def yield_if_asked(self) -> None:
        if self._attempt.suspending:
            raise Yielded

    async def known(self) -> Known:
        if self._known is None:
            self._known = found(await ask(self._load_known))
        return self._known

    def known_sync(self) -> Known:
        if self._known is None:
            self._known = found(ask_sync(self._load_known))
        return self._known

    async def set_apart(self) -> None:
        """Load the run's checkpoints, which takes it out of its bundle."""
        # A slow transaction must not hold up runs that were claimed together with this one.
        if self._known is None:
            self._known = await ask(self._load_known)

    def set_apart_sync(self) -> None:
        if self._known is None:
            self._known = ask_sync(self._load_known)

    async def keep(self, key: Key, raw: bytes | None) -> None:
        """Return once it is durable."""
        stop_unless(durable=await ask(self._keeping(key, raw)))

    def keep_sync(self, key: Key, raw: bytes | None) -> None:
        stop_unless(durable=ask_sync(self._keeping(key, raw)))

    def _load_known(self, loaded: Loaded) -> None:
        self._journal.load(self._attempt, loaded)

    def _keeping(self, key: Key, raw: bytes | None) -> Callable[[Done], None]:
        def keep(done: Done) -> None:
            self._journal.save(self._attempt, *key, raw, done)

        return keep


def found(known: Known | None) -> Known:
    stop_unless(durable=known is not None)
    return known or {}


def stop_unless(*, durable: bool) -> None:
    """Raise CancelledError if the attempt no longer owns its run."""
    if not durable:
        raise cancellation()


async def ask(put: Callable[[Callable[[T], None]], None]) -> T:
    """Wait on a loop for an answer that comes from any thread."""
    # Imported where attempts run, and not in processes that only enqueue.
    import asyncio  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[T] = loop.create_future()

    def answer(value: T) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, waiting, value)

    put(answer)
    return await waiting


def settle(waiting: "asyncio.Future[T]", value: T) -> None:
    """Set the result unless the waiter was cancelled meanwhile."""
    if not waiting.done():
        waiting.set_result(value)


def ask_sync(put: Callable[[Callable[[T], None]], None]) -> T:
    """Wait in a thread of one's own."""
    if is_on_loop():
        raise ConfigError(
            "an async handler must not wait like this: await the form without `_sync`, or use `async with`"
        )
    from queue import SimpleQueue  # noqa: PLC0415 as above

    answers: SimpleQueue[T] = SimpleQueue()
    put(answers.put)
    return answers.get()


def is_on_loop() -> bool:
    loops = sys.modules.get("asyncio.events")
    return loops is not None and loops._get_running_loop() is not None  # noqa: SLF001 the documented door raises


def encode(kind: MemoryKind, value: object) -> bytes:
    """Raises InvalidInputError."""
    try:
        raw = encode_json(value)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise unfit(kind, f"cannot be written as JSON: {error}") from None
    return check_value(kind, raw)


def decoded(raw: bytes | None) -> Any:
    return None if raw is None else msgspec.json.decode(raw)


def reader(function: Callable[..., Any]) -> Callable[[bytes], Any]:
    """A reader from JSON to the function's annotated return type; plain JSON values without one."""
    kind = promised(function)
    if kind in UNSAID:
        return msgspec.json.decode

    def read(raw: bytes) -> Any:
        try:
            if models.is_model(kind):
                return models.adapter_of(kind).validate_json(raw)
            return msgspec.json.decode(raw, type=kind)
        except (TypeError, ValueError) as error:
            raise unfit(MemoryKind.STEP, f"is not what {function} promises: {error}") from None

    return read


def promised(function: Callable[..., Any]) -> Any:
    try:
        return get_type_hints(inspect.unwrap(function)).get("return", Any)
    except (NameError, TypeError, AttributeError):
        return Any


def unfit(kind: MemoryKind, reason: str) -> InvalidInputError:
    return InvalidInputError(kind.label, reason, code=f"bad_{kind.label}")
