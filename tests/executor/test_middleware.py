"""What goes around attempts: its order, what it sees, and whose failure is whose."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any

import pytest

from mainspring import Context, Inject
from mainspring.errors import ConfigError
from mainspring.executor.handlers.registry import Handlers
from tests.executor.trial import failure, result

tenant: ContextVar[str] = ContextVar("tenant", default="nobody")


def tracing(name: str, trace: list[str]) -> Callable[..., Any]:
    def around(ctx: Context, arguments: Mapping[str, Any]) -> Iterator[None]:
        trace.append(f"{name} in: {ctx.job} {dict(arguments)}")
        yield
        trace.append(f"{name} out")

    return around


async def test_the_first_is_outermost_and_all_see_context_and_arguments() -> None:
    trace: list[str] = []

    def made() -> Iterator[str]:
        trace.append("made")
        yield "x"
        trace.append("unmade")

    def handler(number: int, db: Annotated[str, Inject(made)], ctx: Context, **rest: Any) -> int:
        trace.append("handler")
        return number

    handlers = Handlers()
    handlers.use(tracing("first", trace))
    handlers.add(handler)
    handlers.use(tracing("second", trace))

    assert await result(handlers, "handler", number=1, more="m") == 1
    assert trace == [
        "first in: handler {'number': 1, 'more': 'm'}",
        "second in: handler {'number': 1, 'more': 'm'}",
        "made",
        "handler",
        "unmade",
        "second out",
        "first out",
    ]


async def test_what_does_not_await_suits_async_handlers_as_well() -> None:
    trace: list[str] = []

    async def around_async(ctx: Context, arguments: Mapping[str, Any]) -> AsyncIterator[None]:
        trace.append("async in")
        yield
        trace.append("async out")

    @contextmanager
    def decorated(ctx: Context, arguments: Mapping[str, Any]) -> Iterator[None]:
        token = tenant.set("someone")
        yield
        tenant.reset(token)

    async def handler() -> str:
        return tenant.get()

    handlers = Handlers()
    handlers.add(handler)
    for around in (tracing("plain", trace), around_async, decorated):
        handlers.use(around)

    assert await result(handlers, "handler") == "someone"
    assert trace == ["plain in: handler {}", "async in", "async out", "plain out"]


async def test_it_sees_the_handler_s_error_and_may_raise_another() -> None:
    def around(ctx: Context, arguments: Mapping[str, Any]) -> Iterator[None]:
        try:
            yield
        except KeyError as error:
            raise LookupError(f"translated {error}") from error

    def handler() -> None:
        raise KeyError("k")

    handlers = Handlers()
    handlers.add(handler)
    handlers.use(around)
    error, message, traceback = await failure(handlers, "handler")

    assert (error, message) == ("LookupError", "translated 'k'")
    assert 'raise KeyError("k")' in traceback
    assert "in around" in traceback


async def test_its_own_error_is_the_attempt_s_failure_and_the_handler_is_not_called() -> None:
    called: list[str] = []

    def around(ctx: Context, arguments: Mapping[str, Any]) -> Iterator[None]:
        if ctx.job == "handler":
            raise PermissionError("not on Sundays")
        yield

    async def handler() -> None:
        called.append("handler")

    handlers = Handlers()
    handlers.add(handler)
    handlers.use(around)
    error, message, traceback = await failure(handlers, "handler")

    assert (error, message, called) == ("PermissionError", "not on Sundays", [])
    assert 'raise PermissionError("not on Sundays")' in traceback


async def test_bad_arguments_are_refused_before_anything_goes_around() -> None:
    trace: list[str] = []

    def handler(number: int) -> None: ...

    handlers = Handlers()
    handlers.add(handler)
    handlers.use(tracing("around", trace))
    error, message, _ = await failure(handlers, "handler", number="x")

    assert (error, message) == ("bad_arguments", "input.number: Expected `int`, got `str`")
    assert trace == []


async def async_around(ctx: Context, arguments: Mapping[str, Any]) -> AsyncIterator[None]:
    yield


def plain_handler() -> None: ...


def test_async_around_a_plain_handler_is_refused_whichever_comes_first() -> None:
    before, after = Handlers(), Handlers()
    before.use(async_around)
    after.add(plain_handler)

    with pytest.raises(ConfigError, match="async_around is async, but plain_handler is a plain function"):
        before.add(plain_handler)
    with pytest.raises(ConfigError, match="async_around is async, but plain_handler is a plain function"):
        after.use(async_around)


def test_around_has_to_yield() -> None:
    def around(ctx: Context, arguments: Mapping[str, Any]) -> None: ...

    with pytest.raises(ConfigError, match="around has to yield once"):
        Handlers().use(around)
