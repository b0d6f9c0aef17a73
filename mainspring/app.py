"""What a user writes against: an app with its jobs."""

import functools
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Generic, ParamSpec, TypedDict, TypeVar, Unpack, overload

import msgspec

from mainspring.client.async_client import AsyncClient
from mainspring.client.client import Client
from mainspring.client.handles import RunHandle, SyncRunHandle
from mainspring.client.requests import Enqueue, new_enqueue
from mainspring.domain.job import Pool, RetryPolicy
from mainspring.errors import InvalidInputError
from mainspring.executor.handlers import Handler, Handlers
from mainspring.wire.arguments import checker

P = ParamSpec("P")
R = TypeVar("R")


class JobOptions(TypedDict, total=False):
    """What `@app.job(…)` takes; what is left out has a default."""

    name: str
    queue: str
    priority: int
    pool: Pool
    retry: RetryPolicy


class RunOptions(TypedDict, total=False):
    """What may differ from run to run."""

    queue: str
    priority: int
    due_at: datetime
    delay: float | timedelta
    key: str


class App:
    """A named set of jobs. Executors run them; anything that imports the app may enqueue them."""

    def __init__(self, name: str, *, client: AsyncClient | None = None, sync_client: Client | None = None) -> None:
        self.name = name
        self.handlers = Handlers()
        self.client = client or AsyncClient()
        self.sync_client = sync_client or Client()

    @overload
    def job(self, function: Callable[P, R], /) -> "JobHandle[P, R]": ...

    @overload
    def job(self, /, **options: Unpack[JobOptions]) -> Callable[[Callable[P, R]], "JobHandle[P, R]"]: ...

    def job(self, function: Callable[..., Any] | None = None, /, **options: Unpack[JobOptions]) -> Any:
        """Make a function a job of this app; it stays callable as it was."""
        if function is None:
            return functools.partial(self._add, **options)
        return self._add(function, **options)

    async def enqueue_many(self, calls: Iterable[Enqueue]) -> tuple[RunHandle, ...]:
        """Ask for many runs, made by `job.call(…)`."""
        return await self.client.enqueue_many(calls)

    def enqueue_many_sync(self, calls: Iterable[Enqueue]) -> tuple[SyncRunHandle, ...]:
        """`enqueue_many` for plain code."""
        return self.sync_client.enqueue_many(calls)

    def __iter__(self) -> Iterator[Handler]:
        return iter(self.handlers)

    def _add(self, function: Callable[P, R], **options: Unpack[JobOptions]) -> "JobHandle[P, R]":
        return JobHandle(self, self.handlers.add(function, **options), function)


class JobHandle(Generic[P, R]):
    """A job in the hand of the code that defines it: call it in place, or enqueue it."""

    def __init__(self, app: App, handler: Handler, function: Callable[P, R], chosen: RunOptions | None = None) -> None:
        functools.update_wrapper(self, function)
        self._app = app
        self._handler = handler
        self._function = function
        self._chosen: RunOptions = chosen or {}

    @property
    def name(self) -> str:
        return self._handler.name

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function here and now."""
        return self._function(*args, **kwargs)

    def options(self, **chosen: Unpack[RunOptions]) -> "JobHandle[P, R]":
        """The same job, with these options for the runs enqueued through it."""
        return JobHandle(self._app, self._handler, self._function, {**self._chosen, **chosen})

    def call(self, **arguments: Any) -> Enqueue:
        """A run to be enqueued with others."""
        return new_enqueue(self.name, msgspec.Raw(self._checked(arguments)), **self._chosen)

    async def enqueue(self, **arguments: Any) -> RunHandle:
        """Ask for a run; when this returns, it is durable."""
        return await self._app.client.send(self.call(**arguments))

    def enqueue_sync(self, **arguments: Any) -> SyncRunHandle:
        """`enqueue` for plain code."""
        return self._app.sync_client.send(self.call(**arguments))

    def __repr__(self) -> str:
        return f"<job {self.name!r} of {self._app.name!r}>"

    def _checked(self, arguments: dict[str, Any]) -> bytes:
        """The arguments as JSON, once the function's signature has accepted them."""
        try:
            text = msgspec.json.encode(arguments)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise InvalidInputError("input", f"cannot be written as JSON: {error}", code="bad_input") from None
        checker(self._handler.schema)(text)
        return text
