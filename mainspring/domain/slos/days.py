"""The good and the bad of an SLO by days, and the worst of them. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta

import msgspec

WORST = 5
"""How many days are shown."""
DAY = timedelta(days=1)


class SloDay(msgspec.Struct, frozen=True):
    """A day, in UTC."""

    day: date
    good: int = 0
    bad: int = 0


def worst_of(days: Iterable[SloDay]) -> tuple[SloDay, ...]:
    """The days with most that was bad, the worst first and of equal ones the latest; days without any are left out."""
    ordered = sorted((one for one in days if one.bad), key=lambda one: (one.bad, one.day), reverse=True)
    return tuple(ordered[:WORST])


def by_day(events: Iterable[tuple[datetime, int, int]]) -> Iterator[SloDay]:
    """From instants, each with what was good and bad then."""
    counts: Mapping[date, list[int]] = defaultdict(lambda: [0, 0])
    for at, good, bad in events:
        known = counts[at.astimezone(UTC).date()]
        known[0] += good
        known[1] += bad
    return (SloDay(day, *known) for day, known in counts.items())


def spans_of_days(since: datetime, until: datetime) -> Iterator[tuple[datetime, datetime]]:
    """The days from an instant to another, the first and the last cut off there."""
    begin = since
    while begin < until:
        midnight = datetime.combine(begin.astimezone(UTC).date() + DAY, time(), UTC)
        yield begin, min(midnight, until)
        begin = midnight
