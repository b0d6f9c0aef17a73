"""The user's functions, by name."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from mainspring.domain.job import JobSpec, Pool, RetryPolicy
from mainspring.domain.run import PRIORITY_DEFAULT, check_priority
from mainspring.errors import ConfigError, ConflictError
from mainspring.executor.arguments import Arguments, read_arguments
from mainspring.executor.attempt import Attempt, Journal
from mainspring.executor.context import Context

RETRY_DEFAULT = RetryPolicy()


class Handler(msgspec.Struct, frozen=True, kw_only=True):
    """One function that runs of a job are given to."""

    name: str
    function: Callable[..., Any]
    pool: Pool
    queue: str
    priority: int
    retry: RetryPolicy
    schema: bytes
    call: Callable[..., Any]
    """The function, taking what `bind` returns by position."""
    bind: Callable[[Attempt, Journal], tuple[Any, ...]]
    """Reads an attempt's arguments; raises what the decoder raises."""

    @property
    def spec(self) -> JobSpec:
        return JobSpec(
            name=self.name,
            handler=self.name,
            queue=self.queue,
            priority=self.priority,
            schema=self.schema,
            retry=self.retry,
        )


class Handlers:
    """A registry; there is no global one."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}

    def add(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        queue: str = "default",
        pool: Pool | None = None,
        priority: int = PRIORITY_DEFAULT,
        retry: RetryPolicy = RETRY_DEFAULT,
    ) -> Handler:
        arguments = read_arguments(function)
        name = name or _name(function)
        if name in self._handlers:
            raise ConflictError("handler", name, "is registered twice")
        handler = Handler(
            name=name,
            function=function,
            pool=_pool(name, function, pool),
            queue=queue,
            priority=check_priority(priority),
            retry=retry,
            schema=arguments.schema,
            call=arguments.call,
            bind=_binder(arguments),
        )
        self._handlers[name] = handler
        return handler

    def get(self, name: str) -> Handler | None:
        return self._handlers.get(name)

    def __iter__(self) -> Iterator[Handler]:
        return iter(self._handlers.values())

    def __len__(self) -> int:
        return len(self._handlers)


def is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def _name(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", "<lambda>")
    if name == "<lambda>":
        raise ConfigError(f"{function!r} has no name of its own: give it one")
    return str(name)


def _pool(name: str, function: Callable[..., Any], pool: Pool | None) -> Pool:
    natural = Pool.LOOP if is_async(function) else Pool.THREADS
    if pool is None or pool in (natural, Pool.PROCESSES):
        return pool or natural
    if natural is Pool.LOOP:
        raise ConfigError(f"{name}: an async function runs on the loop or in processes, not on threads")
    raise ConfigError(f"{name}: a plain function would block the loop; make it async or use threads")


def _binder(arguments: Arguments) -> Callable[[Attempt, Journal], tuple[Any, ...]]:
    decode, position = arguments.decode, arguments.context
    if position is None:
        return lambda attempt, _journal: decode(attempt.input)

    def bind(attempt: Attempt, journal: Journal) -> tuple[Any, ...]:
        values = decode(attempt.input)
        return (*values[:position], Context(attempt, journal), *values[position:])

    return bind
