"""Methods of a job's handle on its class, typed by the parameters and the result of `run`."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, Unpack, overload

from mainspring.errors import ConfigError
from mainspring.executor.attempts.context import Context

if TYPE_CHECKING:
    from mainspring.app.job_handle import JobHandle
    from mainspring.client.handles import RunHandle
    from mainspring.client.options import RunOptions
    from mainspring.client.sync.handles import SyncRunHandle
    from mainspring.client.transport import requests

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

Awaiting = Callable[P, Coroutine[Any, Any, "RunHandle[R]"]]
Calling = Callable[P, "SyncRunHandle[R]"]

HANDLES = "_mainspring_handles"


class Choosing(Protocol[P, R]):
    def __call__(self, **chosen: "Unpack[RunOptions]") -> "JobHandle[P, R]": ...


class AsyncWithContext(Protocol[P, R_co]):
    async def run(self, ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class Async(Protocol[P, R_co]):
    async def run(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class PlainWithContext(Protocol[P, R_co]):
    def run(self, ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class Plain(Protocol[P, R_co]):
    def run(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class ClassHandle:
    """`SendMail.handle`."""

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


class ClassOptions:
    """`SendMail.options(…)`."""

    @overload
    def __get__(self, instance: object, owner: type[AsyncWithContext[P, R]]) -> "Choosing[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Async[P, R]]) -> "Choosing[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[PlainWithContext[P, R]]) -> "Choosing[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Plain[P, R]]) -> "Choosing[P, R]": ...
    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).options


class ClassCall:
    """`SendMail.call(…)`."""

    @overload
    def __get__(self, instance: object, owner: type[AsyncWithContext[P, R]]) -> "Callable[P, requests.Enqueue]": ...
    @overload
    def __get__(self, instance: object, owner: type[Async[P, R]]) -> "Callable[P, requests.Enqueue]": ...
    @overload
    def __get__(self, instance: object, owner: type[PlainWithContext[P, R]]) -> "Callable[P, requests.Enqueue]": ...
    @overload
    def __get__(self, instance: object, owner: type[Plain[P, R]]) -> "Callable[P, requests.Enqueue]": ...
    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).call


class ClassEnqueue:
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


class ClassEnqueueSync:
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


class ClassEnqueueIn:
    """`SendMail.enqueue_in(connection, …)`."""

    @overload
    def __get__(
        self, instance: object, owner: type[AsyncWithContext[P, R]]
    ) -> "Awaiting[Concatenate[object, P], R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Async[P, R]]) -> "Awaiting[Concatenate[object, P], R]": ...
    @overload
    def __get__(
        self, instance: object, owner: type[PlainWithContext[P, R]]
    ) -> "Awaiting[Concatenate[object, P], R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Plain[P, R]]) -> "Awaiting[Concatenate[object, P], R]": ...
    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).enqueue_in


class ClassEnqueueInSync:
    """`SendMail.enqueue_in_sync(connection, …)`."""

    @overload
    def __get__(
        self, instance: object, owner: type[AsyncWithContext[P, R]]
    ) -> "Calling[Concatenate[object, P], R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Async[P, R]]) -> "Calling[Concatenate[object, P], R]": ...
    @overload
    def __get__(
        self, instance: object, owner: type[PlainWithContext[P, R]]
    ) -> "Calling[Concatenate[object, P], R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Plain[P, R]]) -> "Calling[Concatenate[object, P], R]": ...
    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).enqueue_in_sync


class ClassStep:
    """`SendMail.step(…)`, inside of a workflow function."""

    @overload
    def __get__(self, instance: object, owner: type[AsyncWithContext[P, R]]) -> "Callable[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Async[P, R]]) -> "Callable[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[PlainWithContext[P, R]]) -> "Callable[P, R]": ...
    @overload
    def __get__(self, instance: object, owner: type[Plain[P, R]]) -> "Callable[P, R]": ...
    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).step


class ClassMap:
    """`SendMail.map(…)`, inside of a workflow function."""

    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).map


class ClassAsStep:
    """`SendMail.as_step(…)`, inside of a workflow function."""

    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).as_step


class ClassArgumentsOf:
    """`SendMail.arguments_of(…)`, for `ctx.call`."""

    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).arguments_of


class ClassReadResult:
    """`SendMail.read_result`, for `ctx.call`."""

    def __get__(self, instance: object, owner: Any) -> Any:
        return handle_of(owner).read_result


class ClassDefinition:
    """`SendMail.definition`: empty, since a class is no workflow."""

    def __get__(self, instance: object, owner: Any) -> bytes:
        return handle_of(owner).definition


def attach_handle(kind: type[Any], handle: "JobHandle[..., Any]") -> None:
    """Attach a handle to a job class; its base classes keep their own."""
    setattr(kind, HANDLES, (*kind.__dict__.get(HANDLES, ()), handle))


def handle_of(kind: type[Any]) -> "JobHandle[..., Any]":
    handles: tuple[JobHandle[..., Any], ...] = kind.__dict__.get(HANDLES, ())
    if not handles:
        raise ConfigError(f"{kind.__qualname__} is no job of any app: put @app.job above it, or call app.add")
    if len(handles) > 1:
        named = " and ".join(map(repr, handles))
        raise ConfigError(f"{kind.__qualname__} is {named}: use what app.add returned to say which is meant")
    return handles[0]
