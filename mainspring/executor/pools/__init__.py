"""Pools that supply slots: an event loop, threads, child processes."""

from typing import Protocol

from mainspring.domain.cluster.session import PoolSize
from mainspring.executor.attempts.attempt import Attempt


class Slots(Protocol):
    """A pool as the runner sees it.

    Every attempt that was started is reported exactly once, with its outcome written into it; only an attempt that was given
    up may end without a report.
    """

    @property
    def size(self) -> PoolSize: ...

    @property
    def running(self) -> int: ...

    @property
    def waiting(self) -> int: ...

    @property
    def lost(self) -> int:
        """Slots that attempts which were given up still occupy, and that nothing replaces."""

    @property
    def strays(self) -> int:
        """Threads that go on with attempts which were given up."""

    def resize(self, size: PoolSize) -> None:
        """Have this size from now on; attempts that run beyond it end by themselves, and nothing follows them."""

    def start(self, attempts: list[Attempt]) -> None:
        """Run these as slots allow, in this order."""

    def withdraw(self) -> None:
        """Report attempts that are stopping and have not begun as released."""

    def interrupt(self, attempts: list[Attempt]) -> None:
        """Stop these in a way that lets their handlers clean up; they are marked as stopping already."""

    def suspend(self, attempts: list[Attempt]) -> None:
        """Have these yield where they can be taken up again; those that have not begun are marked as stopping."""

    def abandon(self, attempts: list[Attempt]) -> None:
        """Stop these as hard as the pool can; they are marked as stopping already."""

    def give_up(self, attempts: list[Attempt]) -> None:
        """Stop counting on these, which are marked as given up: others take their slots."""

    def close(self) -> None:
        """Let go of everything that is not running."""
