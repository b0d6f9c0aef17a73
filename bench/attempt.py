"""One system's failure must not stop the others."""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def attempt(action: Callable[[], Result]) -> Result | Exception:
    """The action's result, or whatever exception it raised."""
    try:
        return action()
    except Exception as error:  # noqa: BLE001 - a peer may fail in any way, and the table says how
        return error
