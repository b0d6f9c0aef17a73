"""A token bucket as one number: the instant at which it is full again (GCRA).

Nothing is counted and nothing expires. `gap` is the time between two starts in the long run, `burst` how many may come
together; all times are microseconds since 1970.
"""

import re

import msgspec

from mainspring.domain.lengths import UNITS

RATE = re.compile(r"(\d{1,9})/(\d{0,6})([smhd])")
RATE_MAX = 1_000_000
"""Starts a second."""
BURST_MAX = 1_000_000
TOGETHER = 50
"""Without a burst of its own, a rate lets so many parts of a second's starts come together."""


class Bucket(msgspec.Struct, frozen=True):
    """The rule of a rate."""

    gap: int
    burst: int

    def tokens(self, full_at: int, now: int) -> int:
        """How many may start now."""
        return self.burst - max(0, -(-(full_at - now) // self.gap))

    def taken(self, full_at: int, now: int, count: int) -> int:
        """When the bucket is full again once so many have started."""
        return max(full_at, now) + count * self.gap

    def opens_at(self, full_at: int) -> int:
        """When the next one may start."""
        return full_at - (self.burst - 1) * self.gap


def parse_rate(text: str) -> tuple[int, int] | None:
    """How many, in how many seconds; None if it is no rate."""
    found = RATE.fullmatch(text)
    if found is None:
        return None
    count, many, unit = int(found[1]), int(found[2] or 1), found[3]
    return (count, many * UNITS[unit]) if count and many else None


def bucket_of(text: str, burst: int | None) -> Bucket:
    """The rule of a rate that has been checked."""
    parsed = parse_rate(text)
    assert parsed is not None
    count, seconds = parsed
    usual = max(1, count // (seconds * TOGETHER))
    return Bucket(max(1, seconds * 1_000_000 // count), usual if burst is None else burst)
