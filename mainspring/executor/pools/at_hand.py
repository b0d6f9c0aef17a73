"""Attempts that a child process has at hand while it runs another."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from mainspring.domain.ids import RunId
from mainspring.executor.attempts.attempt import Attempt

AHEAD_SECONDS = 0.01
"""Work at hand, by the average of the latest attempts."""
AHEAD_MAX = 500
AHEAD_BYTES = 64 * 1024
"""Inputs at hand: as much as the pipe takes while the child does not read."""
# So no sender ever waits for a child whose handler holds the interpreter's lock.
BRIEF = 0.002
"""Average of attempts whose outcomes are left to gather."""
SILENCE = 0.01
"""Seconds without an outcome after which attempts at hand are asked back for other children."""
WEIGHT = 1 / 8
"""Weight of the latest attempt in the average."""
OVERHEAD = 0.000_01
"""Seconds of an attempt beside its handler."""


class Supply(Protocol):
    """The queue of a pool, from which slots take and to which they give back."""

    @property
    def share(self) -> int: ...

    def put_back(self, attempts: list[Attempt]) -> None: ...


Supplier = Callable[[], Supply]


class AtHand:
    """Attempts that were sent to a child and, as far as its parent knows, have not begun; in their order."""

    def __init__(self, supply: Supplier) -> None:
        self._supply = supply
        self._queue: deque[Attempt] = deque()
        self._attempts: deque[Attempt] = deque()
        self._pace = SILENCE
        """Average seconds of an attempt."""

    def __len__(self) -> int:
        return len(self._attempts)

    @property
    def is_brief(self) -> bool:
        return self._pace < BRIEF

    @property
    def stops(self) -> bool:
        """Whether one of them should not begin any more."""
        return any(attempt.stopping for attempt in self._attempts)

    def next(self, queue: deque[Attempt]) -> Attempt:
        """The attempt that the child begins next; one of the queue if it has none."""
        self._queue = queue
        return self._attempts[0] if self._attempts else queue.popleft()

    def pop(self) -> bool:
        """Let go of the next one; False if there is none."""
        if self._attempts:
            self._attempts.popleft()
            return True
        return False

    def add(self, attempts: list[Attempt]) -> None:
        self._attempts.extend(attempts)

    def learn(self, microseconds: int) -> None:
        """Take an attempt's duration into the average."""
        self._pace += (microseconds / 1_000_000 + OVERHEAD - self._pace) * WEIGHT

    def take(self) -> list[Attempt]:
        """Attempts of the queue to add: some milliseconds' work, and none where attempts take longer than that."""
        have = len(self._attempts)
        if have > AHEAD_MAX // 2:
            # Asked after each attempt, so the usual answer comes first.
            return []
        depth = min(max(int(AHEAD_SECONDS / self._pace), 1), AHEAD_MAX)
        if have > depth // 2 or self._pace > SILENCE:
            return []
        room = AHEAD_BYTES - sum(map(size_of, self._attempts))
        return list(self._fitting(min(depth - have, self._supply().share), room))

    def remove(self, named: list[RunId]) -> list[Attempt]:
        runs = set(named)
        removed = [attempt for attempt in self._attempts if attempt.run in runs]
        self._attempts = deque(attempt for attempt in self._attempts if attempt.run not in runs)
        return removed

    def clear(self) -> list[Attempt]:
        removed, self._attempts = list(self._attempts), deque()
        return removed

    def _fitting(self, count: int, room: int) -> Iterator[Attempt]:
        queue = self._queue
        for _ in range(count):
            try:
                attempt = queue.popleft()
            except IndexError:
                return
            room -= size_of(attempt)
            if room < 0 or attempt.stopping:
                queue.appendleft(attempt)
                return
            yield attempt


def size_of(attempt: Attempt) -> int:
    return len(attempt.input) + len(attempt.extra or b"")
