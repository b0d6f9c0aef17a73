"""Isolated handlers: child processes, each driven by a thread that waits for it.

Stopping an attempt ends its child, because the handler was interrupted at any point and may have started processes. The next
child is started at once.
"""

from collections.abc import Callable

from mainspring.clock import Clock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.ids import RunId
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.link.lease import Lease
from mainspring.executor.pools.child_slot import ChildSlot
from mainspring.executor.pools.threads import IDLE_MAX, ThreadPool


class ProcessPool:
    """Slots in child processes. A thread owns each child, so both come, idle and go together."""

    def __init__(
        self,
        size: PoolSize,
        *,
        app: str,
        clock: Clock,
        journal: Journal,
        lease: Lease,
        ended: Callable[[Attempt], None],
        freed: Callable[[], None] = lambda: None,
        idle_max: float = IDLE_MAX,
    ) -> None:
        self.size = size
        self._app = app
        self._clock = clock
        self._journal = journal
        self._lease = lease
        self._held: dict[RunId, ChildSlot] = {}
        """Slots by the attempts that their children run or have at hand."""
        self._slots: set[ChildSlot] = set()
        self._threads = ThreadPool(size, slot=self._slot, ended=ended, freed=freed, idle_max=idle_max)

    @property
    def running(self) -> int:
        return sum(slot.busy for slot in tuple(self._slots))

    @property
    def waiting(self) -> int:
        return self._threads.waiting + sum(slot.waiting for slot in tuple(self._slots))

    def resize(self, size: PoolSize) -> None:
        self.size = size
        self._threads.resize(size)

    def start(self, attempts: list[Attempt]) -> None:
        self._threads.start(attempts)

    @property
    def lost(self) -> int:
        return self._threads.lost

    @property
    def strays(self) -> int:
        return self._threads.strays

    def withdraw(self) -> None:
        self._threads.withdraw()
        for slot in tuple(self._slots):
            slot.stop()

    def interrupt(self, attempts: list[Attempt]) -> None:
        self._threads.withdraw()
        for attempt, slot in self._slots_of(attempts):
            slot.interrupt(attempt)

    def suspend(self, attempts: list[Attempt]) -> None:
        self._threads.withdraw()
        for attempt, slot in self._slots_of(attempts):
            slot.suspend(attempt)

    def abandon(self, attempts: list[Attempt]) -> None:
        for attempt in attempts:
            # For one that its child is just about to begin.
            attempt.interrupted = True
        self._threads.withdraw()
        for attempt, slot in self._slots_of(attempts):
            slot.kill(attempt)

    def give_up(self, attempts: list[Attempt]) -> None:
        """Kill them, and do not even wait for that: a process may be stuck in the system itself."""
        self._threads.give_up(attempts)
        self.abandon(attempts)

    def close(self) -> None:
        self._threads.close()

    def join(self, seconds: float) -> None:
        """Wait until the children of a closed pool are gone: they may have things to put in order."""
        until = self._clock.monotonic() + seconds
        for slot in tuple(self._slots):
            slot.closed.wait(max(until - self._clock.monotonic(), 0.0))

    def _slot(self) -> ChildSlot:
        slot = ChildSlot(self._app, self._clock, self._journal, self._lease, self._held, lambda: self._threads)
        self._slots.difference_update([each for each in tuple(self._slots) if each.closed.is_set()])
        self._slots.add(slot)
        return slot

    def _slots_of(self, attempts: list[Attempt]) -> list[tuple[Attempt, ChildSlot]]:
        held = self._held
        return [(attempt, slot) for attempt in attempts if (slot := held.get(attempt.run)) is not None]
