"""Which attempt the code that is running belongs to, where it belongs to one."""

from contextvars import ContextVar
from typing import Any

from mainspring.domain.ids import RunId

under_way: ContextVar[Any] = ContextVar("mainspring_attempt")
"""Set to the attempt by whatever pool runs a handler: what the handler asks for is known by it to be its own."""


def heed_interruption() -> None:
    """Raise CancelledError if the attempt that waits here is interrupted: nothing else wakes a thread."""
    attempt = under_way.get(None)
    if attempt is not None:
        attempt.heed_interruption()


def is_in_attempt() -> bool:
    """Whether the code that is running belongs to an attempt."""
    return under_way.get(None) is not None


def has_to_look() -> bool:
    """Whether the code that is running belongs to an attempt that learns of its interruption only by looking."""
    attempt = under_way.get(None)
    return attempt is not None and attempt.task is None


def note_wait(job: str) -> None:
    """Say for a run of which job the attempt waits, in its slot; empty: it goes on."""
    attempt = under_way.get(None)
    if attempt is not None:
        attempt.note_wait(job)


def current_run() -> RunId | None:
    """The run whose handler is running here."""
    attempt = under_way.get(None)
    return None if attempt is None else attempt.run
