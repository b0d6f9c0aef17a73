"""How a user's function is entered: it returns a value, awaits one, or does something before and after a `yield`.

Providers, lifespans and what goes around an attempt are all written in these forms.
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
    """A function with its form; generators are context managers from here on."""

    form: Form
    make: Callable[..., Any]

    def enter(self, made: Any, stack: ExitStack | AsyncExitStack) -> Any:
        """The value of what `make` returned, in plain code."""
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
    """Where the code is: an object that is called has it in its class."""
    if inspect.isroutine(function) or isinstance(function, type | functools.partial):
        return function
    return type(function).__call__
