"""An app: a named set of jobs with middleware, providers and triggers."""

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, Unpack, overload

from mainspring.app.calendars import CalendarOptions, add_calendar
from mainspring.app.class_handles import (
    Async,
    AsyncWithContext,
    Plain,
    PlainWithContext,
    attach_handle,
    handle_of,
)
from mainspring.app.clients import new_client, new_sync_client
from mainspring.app.job_class import Job, options_of
from mainspring.app.job_handle import FunctionJob, JobHandle
from mainspring.app.middleware import EnqueueHooks, Middleware, overrides
from mainspring.app.options import JobOptions, WorkflowOptions, check_options
from mainspring.app.outgoing import Outgoing, OutgoingSync
from mainspring.app.triggers import Trigger, TriggerOptions, add_triggers, taken_out
from mainspring.app.workflows.chain import Chain
from mainspring.errors import ConfigError
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.handler import Handler
from mainspring.executor.handlers.registry import Handlers

if TYPE_CHECKING:
    from mainspring.app.batches import AppBatch, AppBatchSync
    from mainspring.client.async_client import AsyncClient
    from mainspring.client.client import Client
    from mainspring.client.handles import RunHandle
    from mainspring.client.sync.handles import SyncRunHandle
    from mainspring.client.transport.requests import Enqueue
    from mainspring.executor.handlers.providers import Provider

    Callback = JobHandle[..., Any] | tuple[JobHandle[..., Any], Mapping[str, Any]] | None
    """A job to run once a batch is over, maybe with some of its arguments."""

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])
J = TypeVar("J", bound=Job)


class Decorator(Protocol):
    """The decorator that `@app.job(…)` returns."""

    # A class is also a function that makes instances; the first line that fits is meant.
    @overload
    def __call__(self, target: type[J], /) -> type[J]: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(
        self, target: Callable[Concatenate[Context, P], Coroutine[Any, Any, R]], /
    ) -> FunctionJob[P, R, Concatenate[Context, P], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(
        self, target: Callable[P, Coroutine[Any, Any, R]], /
    ) -> FunctionJob[P, R, P, Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(
        self, target: Callable[Concatenate[Context, P], R], /
    ) -> FunctionJob[P, R, Concatenate[Context, P], R]: ...
    @overload
    def __call__(self, target: Callable[P, R], /) -> FunctionJob[P, R, P, R]: ...


class App:
    """A named set of jobs. Executors run them; anything that imports the app may enqueue them."""

    def __init__(self, name: str, *, client: "AsyncClient | None" = None, sync_client: "Client | None" = None) -> None:
        self.name = name
        self.handlers = Handlers()
        self._hooks = EnqueueHooks()
        if client is not None:
            self.client = client
        if sync_client is not None:
            self.sync_client = sync_client

    @cached_property
    def client(self) -> "AsyncClient":
        """Unless another was given: one that finds its server as the command line does."""
        return new_client()

    @cached_property
    def sync_client(self) -> "Client":
        return new_sync_client()

    @overload
    def job(self, target: type[J], /) -> type[J]: ...  # type: ignore[overload-overlap]
    @overload
    def job(
        self, target: Callable[Concatenate[Context, P], Coroutine[Any, Any, R]], /
    ) -> FunctionJob[P, R, Concatenate[Context, P], Coroutine[Any, Any, R]]: ...
    @overload
    def job(self, target: Callable[P, Coroutine[Any, Any, R]], /) -> FunctionJob[P, R, P, Coroutine[Any, Any, R]]: ...
    @overload
    def job(self, target: Callable[Concatenate[Context, P], R], /) -> FunctionJob[P, R, Concatenate[Context, P], R]: ...
    @overload
    def job(self, target: Callable[P, R], /) -> FunctionJob[P, R, P, R]: ...
    @overload
    def job(self, /, **options: Unpack[JobOptions]) -> Decorator: ...
    def job(self, target: Any = None, /, **options: Any) -> Any:
        """Register a function or a class as a job of this app; calling it directly works as before."""
        if target is None:
            return partial(self.job, **options)
        if isinstance(target, type):
            self.add(target, **options)
            return target
        function = target.function if isinstance(target, FunctionJob) else target
        return FunctionJob(self, self._add(function, options), function)

    @overload
    def add(self, kind: type[AsyncWithContext[P, R]], /, **options: Unpack[JobOptions]) -> JobHandle[P, R]: ...
    @overload
    def add(self, kind: type[Async[P, R]], /, **options: Unpack[JobOptions]) -> JobHandle[P, R]: ...
    @overload
    def add(self, kind: type[PlainWithContext[P, R]], /, **options: Unpack[JobOptions]) -> JobHandle[P, R]: ...
    @overload
    def add(self, kind: type[Plain[P, R]], /, **options: Unpack[JobOptions]) -> JobHandle[P, R]: ...
    def add(self, kind: type[Any], /, **options: Any) -> JobHandle[..., Any]:
        """Make a class a job of this app, where there is no decorating it."""
        if not isinstance(kind, type) or not issubclass(kind, Job):
            raise ConfigError(
                f"{getattr(kind, '__qualname__', kind)}: a job is a function, or a class derived from Job"
            )
        handle: JobHandle[..., Any] = JobHandle(self, self._add(kind, {**options_of(kind), **options}))
        attach_handle(kind, handle)
        return handle

    @overload
    def workflow(self, target: Chain[P, R], /, **options: Unpack[WorkflowOptions]) -> JobHandle[P, R]: ...
    @overload
    def workflow(self, target: Callable[P, R], /, **options: Unpack[WorkflowOptions]) -> JobHandle[P, R]: ...
    @overload
    def workflow(self, /, **options: Unpack[WorkflowOptions]) -> Callable[[Callable[P, R]], JobHandle[P, R]]: ...
    def workflow(self, target: Any = None, /, **options: Any) -> Any:
        """Make a job of steps: from a function, called once with placeholders, or from a chain `first >> second`."""
        if target is None:
            return partial(self.workflow, **options)
        from mainspring.app.workflows.define import workflow_of  # noqa: PLC0415 most apps have no workflows

        check_options(target, options, WorkflowOptions)
        triggers = taken_out(options)
        handler = self.handlers.add_workflow(workflow_of(target, options))
        add_triggers(self.handlers, handler, triggers)
        return JobHandle(self, handler)

    def trigger(self, job: "JobHandle[..., Any] | type[Job] | str", /, **options: Unpack[TriggerOptions]) -> None:
        """Have a job of this app, or one that only the servers know by that name, start by itself."""
        name = job if isinstance(job, str) else handle_of(job).name if isinstance(job, type) else job.name
        add_triggers(self.handlers, self.handlers.get(name) or name, [Trigger(**options)])

    def calendar(self, name: str, /, **options: Unpack[CalendarOptions]) -> str:
        """Declare the calendar of that name, and return the name, for the `calendar` of triggers."""
        add_calendar(self.handlers, name, options)
        return name

    def _add(self, target: Any, options: dict[str, Any]) -> Handler:
        check_options(target, options)
        triggers, then = taken_out(options), options.pop("then", None)
        handler = self.handlers.add(target, **options)
        if then is not None:
            from mainspring.app.workflows.define import then_of  # noqa: PLC0415

            handler = self.handlers.follow(then_of(self.handlers, handler, then))
        add_triggers(self.handlers, handler, triggers)
        return handler

    def use(self, middleware: Middleware) -> None:
        """Add middleware for every run that is enqueued through the app, and for every attempt."""
        self._hooks.add(middleware)
        if overrides(middleware, "around"):
            self.handlers.use(middleware.around)

    def lifespan(self, function: F) -> F:
        """Enter this in every process that runs the app's jobs; its yielded value is `ctx.state`."""
        self.handlers.live(function)
        return function

    def override(self, provider: "Provider", stand_in: "Provider") -> AbstractContextManager[None]:
        """Replace a provider for the length of a `with`; for tests."""
        return self.handlers.override(provider, stand_in)

    async def enqueue_many(self, calls: "Iterable[Enqueue]") -> "tuple[RunHandle[Any], ...]":
        """Ask for many runs, made by `job.call(…)`."""
        return await Outgoing(self.client, self._hooks, self.handlers).many(calls)

    def enqueue_many_sync(self, calls: "Iterable[Enqueue]") -> "tuple[SyncRunHandle[Any], ...]":
        """`enqueue_many` for plain code."""
        return OutgoingSync(self.sync_client, self._hooks, self.handlers).many(calls)

    async def batch(
        self,
        name: str,
        runs: "Iterable[Enqueue] | None" = None,
        *,
        on_success: "Callback" = None,
        on_failure: "Callback" = None,
        finally_: "Callback" = None,
    ) -> "AppBatch":
        """Begin a batch: a named set of runs, made by `job.call(…)`, that is counted and waited for as one.

        With runs it is closed; without, code adds some until it closes the batch. A callback is a job, or a job with some of
        its arguments: `(report, {"month": 11})`. Its parameter `batch`, if it has one, takes a `BatchEnd`.

        Raises ConflictError for a name that is taken, InvalidInputError for a callback that cannot run.
        """
        from mainspring.app.batches import AppBatch, callbacks  # noqa: PLC0415 few use it, all would load it

        given = callbacks(on_success=on_success, on_failure=on_failure, finally_=finally_)
        made = AppBatch(self.client, await self.client.batches.create(name, **given), self._hooks)
        if runs is not None:
            async with made:
                await made.add(runs)
        return made

    def batch_sync(
        self,
        name: str,
        runs: "Iterable[Enqueue] | None" = None,
        *,
        on_success: "Callback" = None,
        on_failure: "Callback" = None,
        finally_: "Callback" = None,
    ) -> "AppBatchSync":
        """`batch` for plain code."""
        from mainspring.app.batches import AppBatchSync, callbacks  # noqa: PLC0415

        given = callbacks(on_success=on_success, on_failure=on_failure, finally_=finally_)
        made = AppBatchSync(self.sync_client, self.sync_client.batches.create(name, **given), self._hooks)
        if runs is not None:
            with made:
                made.add(runs)
        return made

    async def enqueue_many_in(self, connection: object, calls: "Iterable[Enqueue]") -> "tuple[RunHandle[Any], ...]":
        """Enqueue many runs in the transaction of a PostgreSQL connection, by one statement; see `JobHandle.enqueue_in`."""
        return await self._in(connection).many(calls)

    def enqueue_many_in_sync(self, connection: object, calls: "Iterable[Enqueue]") -> "tuple[SyncRunHandle[Any], ...]":
        """`enqueue_many_in` for plain code."""
        return self._in_sync(connection).many(calls)

    async def send_in(self, connection: object, call: "Enqueue") -> "RunHandle[Any]":
        """Enqueue one run, made by `job.call(…)`, in the transaction of a PostgreSQL connection."""
        return await self._in(connection).one(call)

    def send_in_sync(self, connection: object, call: "Enqueue") -> "SyncRunHandle[Any]":
        """`send_in` for plain code."""
        return self._in_sync(connection).one(call)

    def _in(self, connection: object) -> Outgoing:
        from mainspring.client.transactional import InTransaction  # noqa: PLC0415 few use it, all would load it

        return Outgoing(InTransaction(self.client, connection), self._hooks, self.handlers)

    def _in_sync(self, connection: object) -> OutgoingSync:
        from mainspring.client.transactional import InTransactionSync  # noqa: PLC0415

        return OutgoingSync(InTransactionSync(self.sync_client, connection), self._hooks, self.handlers)

    async def send(self, call: "Enqueue") -> "RunHandle[Any]":
        """Ask for one run, made by `job.call(…)`."""
        return await Outgoing(self.client, self._hooks, self.handlers).one(call)

    def send_sync(self, call: "Enqueue") -> "SyncRunHandle[Any]":
        """`send` for plain code."""
        return OutgoingSync(self.sync_client, self._hooks, self.handlers).one(call)

    def __iter__(self) -> Iterator[Handler]:
        return iter(self.handlers)
