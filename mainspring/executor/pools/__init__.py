"""What supplies slots: an event loop, threads, child processes."""

from typing import Protocol

from mainspring.domain.session import PoolSize
from mainspring.executor.attempt import Attempt


class Slots(Protocol):
    """A pool as the runner sees it.

    Every attempt that was started is reported exactly once, whatever becomes of it, with its outcome written into it.
    """

    @property
    def size(self) -> PoolSize: ...

    @property
    def running(self) -> int: ...

    @property
    def waiting(self) -> int: ...

    def start(self, attempts: list[Attempt]) -> None:
        """Run these as slots allow, in this order."""

    def withdraw(self) -> None:
        """Report as released what is marked as stopping and has not begun."""

    def abandon(self, attempts: list[Attempt]) -> None:
        """Interrupt these as hard as the pool can; they are marked as stopping already."""

    def close(self) -> None:
        """Let go of everything that is not running."""
