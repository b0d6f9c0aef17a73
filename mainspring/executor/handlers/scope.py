"""What a process keeps for the handlers of one app, from its start to its end."""

from collections.abc import Callable
from typing import Any


class ProcessScope:
    """Filled in when the process starts, and only looked at while attempts run."""

    __slots__ = ("state", "values")

    def __init__(self) -> None:
        self.state: Any = None
        """What the app's lifespan yielded."""
        self.values: dict[Callable[..., Any], Any] = {}
        """What providers with scope 'process' made."""

    def clear(self) -> None:
        self.state = None
        self.values = {}
