"""A job in the hand of the code that defines it."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, Unpack, cast, overload

import msgspec

from mainspring.app.clients import new_call
from mainspring.app.workflows.chain import Chain
from mainspring.app.workflows.steps import AsStep, RuleName, StepOptions, Stepping, add_map, add_step
from mainspring.errors import InvalidInputError
from mainspring.executor.handlers.handler import Handler
from mainspring.wire.arguments import check_size, refusal

if TYPE_CHECKING:
    from mainspring.app.app import App
    from mainspring.client.handles import RunHandle
    from mainspring.client.options import RunOptions
    from mainspring.client.sync.handles import SyncRunHandle
    from mainspring.client.transport.requests import Enqueue

P = ParamSpec("P")
"""The caller's parameters: those of the handler without the context, if that comes first."""
R = TypeVar("R")
"""The result's type, once awaited."""
C = ParamSpec("C")
V = TypeVar("V")
A = TypeVar("A")
B = TypeVar("B")
Q = ParamSpec("Q")


class JobHandle(Generic[P, R]):
    """Enqueues a job; its parameters and its result are those of the function or of `run`."""

    def __init__(self, app: "App", handler: Handler, chosen: "RunOptions | None" = None) -> None:
        self._app = app
        self._handler = handler
        self._chosen: RunOptions = chosen or {}

    @property
    def name(self) -> str:
        return self._handler.name

    @property
    def definition(self) -> bytes:
        """Of a workflow: its steps, as they are stored; empty of any other job."""
        return self._handler.workflow

    def options(self, **chosen: "Unpack[RunOptions]") -> "JobHandle[P, R]":
        """The same job, with these options for the runs enqueued through it."""
        return JobHandle(self._app, self._handler, {**self._chosen, **chosen})

    def call(self, *args: P.args, **kwargs: P.kwargs) -> "Enqueue":
        """A run to be enqueued with others; raises InvalidInputError if the job cannot take these arguments."""
        return new_call(self.name, msgspec.Raw(checked(self._handler, args, kwargs)), **self._chosen)

    def arguments_of(self, *args: P.args, **kwargs: P.kwargs) -> bytes:
        """The arguments as JSON, for `ctx.call`; raises InvalidInputError if the job cannot take these."""
        if self._chosen:
            reason = "a run that a handler waits for takes its options from its job and its run"
            raise InvalidInputError("options", reason, code="bad_options")
        return checked(self._handler, args, kwargs)

    @property
    def read_result(self) -> "Callable[[Any], R]":
        """From the JSON value of a result to its type."""
        return self._handler.read_result

    async def enqueue(self, *args: P.args, **kwargs: P.kwargs) -> "RunHandle[R]":
        """Ask for a run; when this returns, it is durable."""
        return await self._app.send(self.call(*args, **kwargs))

    def enqueue_sync(self, *args: P.args, **kwargs: P.kwargs) -> "SyncRunHandle[R]":
        """`enqueue` for plain code."""
        return self._app.send_sync(self.call(*args, **kwargs))

    async def enqueue_in(self, connection: object, /, *args: P.args, **kwargs: P.kwargs) -> "RunHandle[R]":
        """Enqueue in the transaction of a PostgreSQL connection: the run exists exactly if that commits.

        The connection is one of asyncpg, psycopg 3 or SQLAlchemy, to the database that the servers use.
        """
        return await self._app.send_in(connection, self.call(*args, **kwargs))

    def enqueue_in_sync(self, connection: object, /, *args: P.args, **kwargs: P.kwargs) -> "SyncRunHandle[R]":
        """`enqueue_in` for plain code: a connection of psycopg 3, SQLAlchemy or Django."""
        return self._app.send_in_sync(connection, self.call(*args, **kwargs))

    def step(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Inside of a workflow function: record a step that runs this job; returns its result's placeholder."""
        return cast("R", add_step(self._handler, StepOptions(), args, kwargs))

    def map(self: "Stepping[A, Q, R]", items: "Iterable[A]", /, *args: Q.args, **kwargs: Q.kwargs) -> list[R]:
        """Inside of a workflow function: record a step that runs this job once for each element."""
        mine = cast("JobHandle[..., R]", self)
        return cast("list[R]", add_map(mine._handler, StepOptions(), items, args, kwargs))  # noqa: SLF001 its own

    def as_step(
        self,
        *,
        name: str = "",
        after: object = (),
        rule: "RuleName | bool" = "all_succeeded",
        when: bool = True,
        at_once: int | None = None,
        failures_max: float = 0,
        may_fail: bool = False,
        undo: "JobHandle[Concatenate[R, ...], Any] | None" = None,
    ) -> "AsStep[P, R]":
        """The job with these options as a step; call the result as the job is called, or its `map`."""
        options = StepOptions(
            name=name,
            after=after,
            rule=rule,
            when=when,
            at_once=at_once,
            failures_max=failures_max,
            may_fail=may_fail,
            undo=undo,
        )
        return AsStep(self._handler, options)

    @overload
    def __rshift__(self, then: "JobHandle[[], B]") -> "Chain[P, B]": ...
    @overload
    def __rshift__(self, then: "JobHandle[Concatenate[R, ...], B]") -> "Chain[P, B]": ...
    def __rshift__(self, then: Any) -> Any:
        """A chain: the other job runs after this one, with its result or with nothing."""
        return Chain((self._handler, then._handler))

    def __repr__(self) -> str:
        return f"<job {self.name!r} of {self._app.name!r}>"


class FunctionJob(JobHandle[P, R], Generic[P, R, C, V]):
    """A job that is still the function it was: call it in place, or enqueue it."""

    def __init__(self, app: "App", handler: Handler, function: Callable[C, V]) -> None:
        functools.update_wrapper(self, function)
        super().__init__(app, handler)
        self.function = function

    def __call__(self, *args: C.args, **kwargs: C.kwargs) -> V:
        """Run the function here and now."""
        return self.function(*args, **kwargs)


def checked(handler: Handler, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
    """The arguments as JSON, once the handler's own types have accepted them."""
    named = by_name(handler, args, kwargs)
    try:
        text = handler.arguments.encode(named)
    except msgspec.ValidationError as error:
        raise refusal(error) from None
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("input", f"cannot be written as JSON: {error}", code="bad_input") from None
    check_size(text)
    try:
        handler.arguments.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise refusal(error) from None
    return text


def by_name(handler: Handler, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The passed arguments by parameter name."""
    signature = handler.signature
    if foreign := kwargs.keys() & signature.filled:
        raise bad_call(f"{min(foreign)!r} is filled in by the executor: leave it out")
    places = [p.name for p in signature.arguments if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if len(args) > len(places):
        raise bad_call(f"{handler.name} takes {len(places)} arguments by position, and {len(args)} were passed")
    if both := kwargs.keys() & set(places[: len(args)]):
        raise bad_call(f"{min(both)!r} was passed twice, by position and by name")
    return {**dict(zip(places, args, strict=False)), **kwargs}


def bad_call(reason: str) -> InvalidInputError:
    return InvalidInputError("input", reason, code="bad_arguments")
