"""What keeps the cluster going, as one look finds it: leases, duties that one server does for all, and days of history."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

import msgspec

AGES = 10
"""Equal parts of a lease by which sessions are counted."""


class HistoryDay(msgspec.Struct, frozen=True):
    """One day of history with tables of its own."""

    day: date
    size: int | None = None
    """Bytes of its tables with their indexes; None: the database cannot say without reading them all."""
    rows: int | None = None
    """Runs, as the database estimated when it last looked at the table; None: it has not yet."""

    def drops_on(self, retention_days: int) -> date:
        """The first day on which all of it is older than what is kept."""
        return self.day + timedelta(days=retention_days + 1)


class HeldDuty(msgspec.Struct, frozen=True):
    """A duty that one server does for all of them."""

    duty: str
    server: str
    """Its name; empty: it is gone, and another one takes over when the lease ends."""
    until: datetime


class LeaseAges(msgspec.Struct, frozen=True):
    """How long ago executors' sessions were renewed."""

    lasts: float
    """Seconds of a whole lease."""
    ages: tuple[int, ...]
    """Sessions by tenths of a lease since they were renewed, and as the last those whose lease has ended."""
    oldest: float | None
    """Seconds since the renewal that is the longest ago; None: there are no sessions."""


class ClusterUsage(msgspec.Struct, frozen=True, kw_only=True):
    days: tuple[HistoryDay, ...]
    duties: tuple[HeldDuty, ...]
    leases: tuple[datetime, ...]
    """When the leases of the living sessions end."""


def ages_of(leases: Sequence[datetime], now: datetime, lasts: float) -> LeaseAges:
    """Ages of leases that all last as long, from when they end."""
    ages = [max(0.0, lasts - (until - now).total_seconds()) for until in leases]
    counts = [0] * (AGES + 1)
    for age in ages:
        counts[min(int(age / lasts * AGES), AGES)] += 1
    return LeaseAges(lasts, tuple(counts), max(ages, default=None))
