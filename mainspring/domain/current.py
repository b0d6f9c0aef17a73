"""Which attempt the code that is running belongs to, where it belongs to one."""

from contextvars import ContextVar
from typing import Any

from mainspring.domain.ids import RunId

under_way: ContextVar[Any] = ContextVar("mainspring_attempt")
"""Set to the attempt by whatever pool runs a handler: what the handler asks for is known by it to be its own."""


def current_run() -> RunId | None:
    """The run whose handler is running here."""
    attempt = under_way.get(None)
    return None if attempt is None else attempt.run
