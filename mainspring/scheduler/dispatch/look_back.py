"""When dispatch looks into its lines: from the start instead of where the last claim ended, and when the next run falls due."""

import math
from datetime import datetime, timedelta

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


class NextDue:
    """The instant at which the next run falls due, as far as it is known, and how far ahead of it is claimed."""

    def __init__(self, clock: Clock, ahead: float) -> None:
        self.at: datetime | None = None
        self.blind = False
        """Whether it is not known: while there is a backlog, nobody needs to know."""
        self._clock = clock
        self._ahead = timedelta(seconds=ahead)
        self._led: datetime | None = None
        """The instant for which was claimed ahead, once."""

    def sooner(self, instant: datetime) -> bool:
        """Whether this instant comes before the one that was known; then it takes its place."""
        if self.at is not None and self.at <= instant:
            return False
        self.at = instant
        return True

    def has_come(self) -> bool:
        return self.at is not None and self.at <= self._clock.now()

    def forget(self) -> None:
        self.at = None

    def lead(self, due: datetime, *, wanted: bool) -> timedelta:
        """How long before its due time a run may take credit: not at all where other runs may want it."""
        return timedelta() if wanted or due == self._led else self._ahead

    def led(self, *, wanted: bool) -> datetime | None:
        """The instant for which is claimed ahead now; None if there is none, or it is too far."""
        due, now = self.at, self._clock.now()
        if due is None or not now < due <= now + self.lead(due, wanted=wanted):
            return None
        self._led, self.at, self.blind = due, None, True
        return due

    def wait(self, *, wanted: bool) -> float:
        """Seconds until a run is claimed for; endless if none is known."""
        if self.at is None:
            return math.inf
        return (self.at - self._clock.now() - self.lead(self.at, wanted=wanted)).total_seconds()
