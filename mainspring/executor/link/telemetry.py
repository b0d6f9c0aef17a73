"""Lines and progress on their way to the server: bounded in rate, number and length, never in the way of the rest."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.log import LINE_MAX, LogEntry, Progress
from mainspring.executor.attempts.attempt import Attempt, clip
from mainspring.executor.breakers.guard import Admission
from mainspring.executor.breakers.guards import Admitted, CallEnd, Guards
from mainspring.executor.link.checkpoints import CheckpointQueue, Done, Loaded
from mainspring.wire.base import Message
from mainspring.wire.messages import Logs, Reports

LINES_PER_SECOND = 2_000
LINES_KEPT = 2_000
BATCH_BYTES = 256 * 1024
ENTRY_BYTES = 64
"""Approximate bytes of an entry besides its text."""
PERIOD = 0.1
"""Seconds between two frames of telemetry."""
WARNING = 30


class Telemetry:
    """A bounded buffer. `log` and `progress` may be called from any thread, all else from the runner's loop."""

    def __init__(
        self, clock: Clock, wake: Callable[[], None], *, rate: int = LINES_PER_SECOND, kept: int = LINES_KEPT
    ) -> None:
        self._clock = clock
        self._wake = wake
        self._rate = rate
        self._kept = kept
        self.checkpoints = CheckpointQueue(wake)
        """Not telemetry, but sent by handlers through the same journal."""
        self.guards = Guards(clock, wake)
        """Not telemetry either."""
        self.in_use = False
        """Whether a handler has logged or reported anything yet: until then there is nothing to ask here."""
        self._lines: deque[LogEntry] = deque()
        self._progress: dict[bytes, Progress] = {}
        self._dropped: dict[bytes, tuple[Attempt, Iterator[int]]] = {}
        self._allowed = float(rate)
        self._counted_at = clock.monotonic()
        self._next_at = 0.0

    def log(self, attempt: Attempt, level: int, message: str) -> None:
        self.in_use = True
        if not self._admits():
            next(self._dropped.setdefault(attempt.run, (attempt, count(1)))[1])
            next(attempt.lines)
            return
        entry = self._entry(attempt, level, clip(message, LINE_MAX))
        quiet = self.empty
        self._lines.append(entry)
        if quiet:
            self._wake()

    def progress(self, attempt: Attempt, fraction: float, note: str) -> None:
        self.in_use = True
        quiet = self.empty
        self._progress[attempt.run] = Progress(attempt.run, attempt.token, fraction, clip(note, LINE_MAX))
        if quiet:
            self._wake()

    def save(
        self,
        attempt: Attempt,
        kind: MemoryKind,
        name: str,
        value: bytes | None,
        done: Done | None,
    ) -> None:
        self.checkpoints.save(attempt, kind, name, value, done)

    def load(self, attempt: Attempt, loaded: Loaded) -> None:
        self.checkpoints.load(attempt, loaded)

    def admit(self, _attempt: Attempt, breaker: str) -> Admission | None:
        return self.guards.admit(breaker)

    def await_admission(self, _attempt: Attempt, breaker: str, wait: float, admitted: Admitted) -> None:
        self.guards.await_admission(breaker, wait, admitted)

    def called(self, _attempt: Attempt, end: CallEnd) -> None:
        self.guards.note(end)

    def breaker_state(self, _attempt: Attempt, breaker: str) -> BreakerState:
        return self.guards.state(breaker)

    def stopper(self, attempt: Attempt) -> Admission | None:
        return self.guards.stopper(attempt.job) if attempt.job and self.guards.heeded else None

    def extend(self, attempt: Attempt, seconds: float) -> None:
        attempt.extend(seconds)

    @property
    def empty(self) -> bool:
        return not (self._lines or self._progress or self._dropped)

    def due_in(self) -> float | None:
        """Seconds until the next frame may be sent; None when nothing is pending."""
        return None if self.empty else max(self._next_at - self._clock.monotonic(), 0.0)

    def take(self) -> list[Message]:
        """The messages that may be sent now, at most one frame's worth."""
        if self.due_in() != 0.0:
            return []
        self._next_at = self._clock.monotonic() + PERIOD
        return self.take_frame()

    def take_frame(self) -> list[Message]:
        """One frame's worth, without regard to time."""
        messages: list[Message] = []
        if entries := self._take_lines():
            messages.append(Logs(entries))
        if reports := self._take_progress():
            messages.append(Reports(reports))
        return messages

    def _admits(self) -> bool:
        now = self._clock.monotonic()
        self._allowed = min(self._allowed + (now - self._counted_at) * self._rate, float(self._rate))
        self._counted_at = now
        if self._allowed < 1.0 or len(self._lines) >= self._kept:
            return False
        self._allowed -= 1.0
        return True

    def _entry(self, attempt: Attempt, level: int, message: str) -> LogEntry:
        at = int(self._clock.now().timestamp() * 1_000_000)
        return LogEntry(attempt.run, attempt.token, next(attempt.lines), at, level, message)

    def _take_lines(self) -> list[LogEntry]:
        entries: list[LogEntry] = []
        size = 0
        while size < BATCH_BYTES and (self._lines or self._dropped):
            entry = self._lines.popleft() if self._lines else self._confess()
            size += len(entry.message) + ENTRY_BYTES
            entries.append(entry)
        return entries

    def _confess(self) -> LogEntry:
        """The line that stands for those of one attempt that were dropped, once the others are out."""
        _, (attempt, dropped) = self._dropped.popitem()
        return self._entry(attempt, WARNING, f"… {next(dropped) - 1} lines dropped")

    def _take_progress(self) -> list[Progress]:
        reports: list[Progress] = []
        size = 0
        while size < BATCH_BYTES and self._progress:
            _, report = self._progress.popitem()
            size += len(report.note) + ENTRY_BYTES
            reports.append(report)
        return reports
