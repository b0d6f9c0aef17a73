"""When dispatch looks into its lines from the start, instead of where the last claim ended."""

from mainspring.clock import Clock

SPARING = 20
"""Looks from the start take at most one part in so many of the time ..."""
LOOK_BACK_MAX = 0.8
"""... but so many seconds after one the next poll looks again: what a dead executor had is put back behind the marks."""
LOOK_USUAL = 0.005
"""Seconds that a look from the start may well take."""


class LookBack:
    """The next poll, and the next look from the start."""

    def __init__(self, clock: Clock) -> None:
        self.poll_at = 0.0
        self.at = 0.0
        self._cost = 0.0
        self._clock = clock

    def now(self) -> None:
        """Look into every line at once, from its start."""
        self.poll_at = self.at = 0.0

    def looked(self, began: float) -> None:
        """A look from the start is slow while what was there before cannot be cleaned up: then it is rarer.

        That lasts, and so shows by one look after the other; a single slow one may have any reason.
        """
        now = self._clock.monotonic()
        self._cost = min(now - began, 2 * self._cost + LOOK_USUAL)
        self.at = now + min(LOOK_BACK_MAX, SPARING * self._cost)
