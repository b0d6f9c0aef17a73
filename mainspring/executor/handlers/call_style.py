"""Call styles of user functions: plain, async, or a generator that yields once.

Providers, lifespans and middleware are all written in these forms.
"""

import functools
import inspect
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from enum import Enum
from typing import Any

import msgspec


class Form(Enum):
    VALUE = "value"
    COROUTINE = "coroutine"
    AROUND = "around"
    AROUND_ASYNC = "around async"

    @property
    def is_async(self) -> bool:
        return self in (Form.COROUTINE, Form.AROUND_ASYNC)

    @property
    def is_around(self) -> bool:
        return self in (Form.AROUND, Form.AROUND_ASYNC)


class CallStyle(msgspec.Struct, frozen=True):
    """A function and the form in which it is called; generators are turned into context managers."""

    form: Form
    make: Callable[..., Any]

    def enter(self, made: Any, stack: ExitStack | AsyncExitStack) -> Any:
        """The value of an object that `make` returned, in plain code."""
        return stack.enter_context(made) if self.form is Form.AROUND else made

    async def enter_async(self, made: Any, stack: AsyncExitStack) -> Any:
        match self.form:
            case Form.COROUTINE:
                return await made
            case Form.AROUND_ASYNC:
                return await stack.enter_async_context(made)
            case _:
                return self.enter(made, stack)


def call_style_of(function: Callable[..., Any]) -> CallStyle:
    written, inner = _callable(function), _callable(inspect.unwrap(function))
    if inspect.isgeneratorfunction(written):
        return CallStyle(Form.AROUND, contextmanager(function))
    if inspect.isasyncgenfunction(written):
        return CallStyle(Form.AROUND_ASYNC, asynccontextmanager(function))
    if inspect.iscoroutinefunction(written):
        return CallStyle(Form.COROUTINE, function)
    # Decorated with @contextmanager already, which leaves the generator inside.
    if inspect.isgeneratorfunction(inner):
        return CallStyle(Form.AROUND, function)
    if inspect.isasyncgenfunction(inner):
        return CallStyle(Form.AROUND_ASYNC, function)
    return CallStyle(Form.VALUE, function)


def _callable(function: Callable[..., Any]) -> Any:
    """The function that holds the code; for a callable object, its class's `__call__`."""
    if inspect.isroutine(function) or isinstance(function, type | functools.partial):
        return function
    return type(function).__call__
