"""One function, or one class with a `run`, that runs of a job are given to."""

import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import msgspec

from mainspring.domain.jobs.job import JobSpec, Pool, RetryPolicy
from mainspring.domain.limits.policy import Policy
from mainspring.errors import ConfigError
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.handlers.arguments import ArgumentCodec
from mainspring.executor.handlers.options import JobLimits
from mainspring.executor.handlers.results import Read
from mainspring.executor.handlers.signature import Signature

Target = Callable[..., Any]

HANDLER = "workflow"
"""The handler of a job that has steps and no code; see `domain/workflows/spec.py`."""


class Handler(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    target: Target
    """The registered function, or class of which each process makes one instance."""
    function: Callable[..., Any]
    pool: Pool
    queue: str
    priority: int
    retry: RetryPolicy
    policy: Policy
    limits: JobLimits
    signature: Signature
    arguments: ArgumentCodec
    read_result: Read
    call: Callable[..., Any]
    """The function, taking the values of `bind` by position."""
    bind: Callable[[Attempt, Journal], tuple[Any, ...]]
    """Reads an attempt's arguments; raises the decoder's errors."""
    returns: bytes = b"{}"
    """JSON schema of the result."""
    workflow: bytes = b""
    """Of a workflow: its steps."""
    has_code: bool = True
    """False of a workflow that servers run by its steps alone."""
    defaults: bytes = b"{}"
    """Of a workflow: the arguments that a caller may leave out."""
    then: "Handler | None" = None
    """The job whose run follows each run of this one."""
    spanned: "Handler | None" = None
    """The same with a span around each call, where this process exports spans."""

    @property
    def schema(self) -> bytes:
        return self.arguments.schema

    @property
    def is_async(self) -> bool:
        return is_async(self.function)

    @property
    def place(self) -> str:
        """Where it was defined, for people to find it."""
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        named = f"{self.target.__module__}.{getattr(self.target, '__qualname__', self.name)}"
        return named if code is None else f"{named} ({code.co_filename}:{code.co_firstlineno})"

    @property
    def spec(self) -> JobSpec:
        return JobSpec(
            name=self.name,
            handler=self.name if self.has_code else HANDLER,
            queue=self.queue,
            priority=self.priority,
            schema=self.schema,
            retry=self.retry,
            returns=self.returns,
            workflow=self.workflow,
            input=self.defaults,
            policy=self.policy,
            **msgspec.structs.asdict(self.limits),
        )


def is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def function_of(target: Target) -> Callable[..., Any]:
    """The function itself, or a class's `run` as it looks on an instance."""
    if not isinstance(target, type):
        _refuse_generator(target)
        return target
    run = inspect.getattr_static(target, "run", None)
    if run is None:
        raise ConfigError(
            f"{target.__qualname__} has no run method: write `def run(self, …)` or `async def run(self, …)`"
        )
    if not isinstance(run, FunctionType):
        raise ConfigError(f"{target.__qualname__}.run is not a method: write `def run(self, …)` without a decorator")
    if inspect.isabstract(target):
        raise ConfigError(f"{target.__qualname__} is abstract: only a class that has everything can be a job")
    _refuse_generator(run)
    # The class stands in for an instance, which is only made where handlers run.
    return MethodType(run, target)


def pool_for(name: str, function: Callable[..., Any], pool: Pool | None) -> Pool:
    natural = Pool.LOOP if is_async(function) else Pool.THREADS
    if pool is None or pool in (natural, Pool.PROCESSES):
        return pool or natural
    if natural is Pool.LOOP:
        raise ConfigError(f"{name}: an async function runs on the loop or in processes, not on threads")
    raise ConfigError(f"{name}: a plain function would block the loop; make it async or use threads")


def name_for(target: Target) -> str:
    name = getattr(target, "__name__", "<lambda>")
    if name == "<lambda>":
        raise ConfigError(f"{target!r} has no name of its own: give it one")
    return str(name)


def _refuse_generator(function: Callable[..., Any]) -> None:
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise ConfigError(f"{function.__qualname__} yields, but a handler returns its result: return a list instead")
