"""How much of the machine this process uses."""

import os
from pathlib import Path

from mainspring.clock import Clock

STATM = Path("/proc/self/statm")


class ProcessUsage:
    """Called once per beat: share of one core since the last call, and resident bytes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._page = os.sysconf("SC_PAGE_SIZE")
        self._at = clock.monotonic()
        self._spent = _spent()

    def __call__(self) -> tuple[float, int]:
        now, spent = self._clock.monotonic(), _spent()
        share = (spent - self._spent) / max(now - self._at, 0.001)
        self._at, self._spent = now, spent
        return round(share, 4), self._resident()

    def _resident(self) -> int:
        try:
            return int(STATM.read_text("ascii").split()[1]) * self._page
        except OSError:
            return 0


def _spent() -> float:
    times = os.times()
    return times.user + times.system
