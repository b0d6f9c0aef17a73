"""Values that live as long as the process, for the handlers of one app."""

from collections.abc import Callable
from typing import Any


class ProcessScope:
    """Filled in when the process starts, and only looked at while attempts run."""

    __slots__ = ("state", "values")

    def __init__(self) -> None:
        self.state: Any = None
        """The value that the app's lifespan yielded."""
        self.values: dict[Callable[..., Any], Any] = {}
        """Values of providers with scope 'process'."""

    def clear(self) -> None:
        self.state = None
        self.values = {}
