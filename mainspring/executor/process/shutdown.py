"""The end of an executor's process: how long its parts may take, and the last resort if the user's code does not let go."""

import math
import os
import threading

from mainspring.clock import Clock

EXIT_MAX, EXIT_MIN = 2.0, 0.5
"""Seconds from the last frame to the end of the process, whatever the user's code does and however short the grace is."""
LIFESPAN_MAX, LIFESPAN_MIN = 10.0, 2.0
"""Seconds that lifespans have to end, on top of it."""


class Shutdown:
    """The exit watchdog, begun by the link's thread and called off by the main one."""

    def __init__(self, clock: Clock, *, has_lifespans: bool, may_exit: bool) -> None:
        self._clock = clock
        self._has_lifespans = has_lifespans
        self._may_exit = may_exit
        self._by = math.inf
        self._last_resort: threading.Timer | None = None

    def begin(self, code: int, by: float) -> None:
        """Nothing is in hand any more: exit with this code by that time at the latest."""
        self._by = by
        self._exit_within(math.inf, code)

    def finish(self, code: int) -> None:
        """All frames are sent: only the process has to end."""
        self._exit_within(EXIT_MAX + LIFESPAN_MAX * self._has_lifespans, code)

    def lifespans_within(self) -> float:
        """Seconds that lifespans have from now."""
        return self._within(LIFESPAN_MAX, LIFESPAN_MIN)

    def is_over(self) -> None:
        """The process ends by itself."""
        if self._last_resort is not None:
            self._last_resort.cancel()

    def _exit_within(self, most: float, code: int) -> None:
        # A handler that blocks the loop would keep a process alive that has handed everything back.
        if not self._may_exit:
            return
        self.is_over()
        seconds = self._within(most, EXIT_MIN + LIFESPAN_MIN * self._has_lifespans)
        self._last_resort = threading.Timer(seconds, os._exit, (code,))
        self._last_resort.daemon = True
        self._last_resort.start()

    def _within(self, most: float, least: float) -> float:
        return max(min(most, self._by - self._clock.monotonic()), least)
