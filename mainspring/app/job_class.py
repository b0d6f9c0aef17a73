"""Jobs as classes, for those who prefer them to functions."""

from collections.abc import Callable, Coroutine, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Literal, ParamSpec, Protocol, TypeVar, overload

from mainspring.app.triggers import Length, Trigger
from mainspring.domain.job import LOSSES_MAX, OnLost, Pool, RetryPolicy
from mainspring.domain.run import PRIORITY_DEFAULT
from mainspring.errors import ConfigError
from mainspring.executor.context import Context

if TYPE_CHECKING:
    from mainspring.app.job_handle import JobHandle
    from mainspring.client.handles import RunHandle, SyncRunHandle

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

Awaiting = Callable[P, Coroutine[Any, Any, "RunHandle[R]"]]
Calling = Callable[P, "SyncRunHandle[R]"]

HANDLES = "_mainspring_handles"


class AsyncWithContext(Protocol[P, R_co]):
    async def run(self, ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class Async(Protocol[P, R_co]):
    async def run(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class PlainWithContext(Protocol[P, R_co]):
    def run(self, ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class Plain(Protocol[P, R_co]):
    def run(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class Handle:
    """`SendMail.handle`, with the parameters and the result of `SendMail.run`."""

    @overload
    def __get__(self, instance: object, owner: type[AsyncWithContext[P, R]]) -> "JobHandle[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Async[P, R]]) -> "JobHandle[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[PlainWithContext[P, R]]) -> "JobHandle[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Plain[P, R]]) -> "JobHandle[P, R]": ...
    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner)


class Enqueue:
    """`SendMail.enqueue(…)`."""

    @overload
    def __get__(self, instance: object, owner: type[AsyncWithContext[P, R]]) -> "Awaiting[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Async[P, R]]) -> "Awaiting[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[PlainWithContext[P, R]]) -> "Awaiting[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Plain[P, R]]) -> "Awaiting[P, R]": ...
    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).enqueue


class EnqueueSync:
    """`SendMail.enqueue_sync(…)`."""

    @overload
    def __get__(self, instance: object, owner: type[AsyncWithContext[P, R]]) -> "Calling[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Async[P, R]]) -> "Calling[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[PlainWithContext[P, R]]) -> "Calling[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Plain[P, R]]) -> "Calling[P, R]": ...
    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).enqueue_sync


class Job:
    """Derive from this, write `run`, plain or async, and give the class to `@app.job`.

    Each process that runs the job makes one instance. What its constructor needs is injected.
    """

    name: ClassVar[str | None] = None
    """What it is called if not by the name of the class."""
    queue: ClassVar[str] = "default"
    priority: ClassVar[int] = PRIORITY_DEFAULT
    retry: ClassVar[RetryPolicy] = RetryPolicy()
    pool: ClassVar[Pool | None] = None
    timeout: ClassVar[float | timedelta | None] = None
    deadline: ClassVar[float | timedelta | None] = None
    start_within: ClassVar[float | timedelta | None] = None
    on_lost: ClassVar[OnLost | Literal["retry", "fail", "ask"]] = OnLost.RETRY
    losses_max: ClassVar[int] = LOSSES_MAX
    cron: ClassVar[str | Sequence[str] | None] = None
    zone: ClassVar[str | None] = None
    every: ClassVar[Length | None] = None
    triggers: ClassVar[Sequence[Trigger]] = ()

    enqueue = Enqueue()
    enqueue_sync = EnqueueSync()
    handle = Handle()


def options_of(kind: type[Job]) -> dict[str, Any]:
    """What the class says about itself, as `@app.job(…)` would."""
    return {
        "name": kind.name,
        "queue": kind.queue,
        "priority": kind.priority,
        "retry": kind.retry,
        "pool": kind.pool,
        "timeout": kind.timeout,
        "deadline": kind.deadline,
        "start_within": kind.start_within,
        "on_lost": kind.on_lost,
        "losses_max": kind.losses_max,
        "cron": kind.cron,
        "zone": kind.zone,
        "every": kind.every,
        "triggers": kind.triggers,
    }


def remember(kind: type[Job], handle: "JobHandle[..., Any]") -> None:
    """Let the class be enqueued through this handle; what it derives from is a job of its own."""
    setattr(kind, HANDLES, (*kind.__dict__.get(HANDLES, ()), handle))


def handle_of(kind: type[Job]) -> "JobHandle[..., Any]":
    handles: tuple[JobHandle[..., Any], ...] = kind.__dict__.get(HANDLES, ())
    if not handles:
        raise ConfigError(f"{kind.__qualname__} is no job of any app: put @app.job above it, or call app.add")
    if len(handles) > 1:
        named = " and ".join(map(repr, handles))
        raise ConfigError(f"{kind.__qualname__} is {named}: use what app.add returned to say which is meant")
    return handles[0]
