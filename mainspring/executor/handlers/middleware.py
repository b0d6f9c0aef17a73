"""Middleware around the attempts of an app's handlers: read once, and refused where it cannot work."""

from collections.abc import Callable
from typing import Any

from mainspring.errors import ConfigError
from mainspring.executor.handlers.call_style import CallStyle, call_style_of
from mainspring.executor.handlers.handler import Handler
from mainspring.executor.handlers.signature import name_of


def read_around(around: Callable[..., Any]) -> CallStyle:
    """Reads a generator that takes the context and the arguments by name, and yields once around the attempt."""
    found = call_style_of(around)
    if not found.form.is_around:
        raise ConfigError(f"{name_of(around)} has to yield once, where the attempt is to run")
    return found


def refuse_unawaited(handler: Handler, around: CallStyle) -> None:
    """Raises ConfigError for async middleware on a plain handler, which cannot await."""
    if around.form.is_async and not handler.is_async:
        raise ConfigError(
            f"{name_of(around.make)} is async, but {handler.name} is a plain function that nothing could await it for: "
            "write it without async, which suits async handlers as well"
        )
