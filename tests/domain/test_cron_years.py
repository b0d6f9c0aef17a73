"""Fifty years of every zone: each turn of each clock, and the quarters between them.

The oracle knows nothing of cron: it asks the zone which instants a wall time is, for every day around a turn.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from mainspring.domain.cron import Fold, Gap, Zoned, parse_cron
from tests.words import DAY, SECOND

BEGIN, END = datetime(1990, 1, 1, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC)
WEEK = timedelta(days=7)
NAMES = ("right", "posix", "localtime", "Factory")
DAILY = {time(0): parse_cron("0 0 * * *"), time(2, 30): parse_cron("30 2 * * *")}
QUARTERLY = "30 2 1 1,4,7,10 *"


@lru_cache(maxsize=1)
def zones() -> list[ZoneInfo]:
    """Every zone, but of those that have had one clock all the time only one."""
    alike: dict[tuple[timedelta | None, ...], ZoneInfo] = {}
    for name in sorted(available_timezones()):
        if not name.startswith(NAMES):
            zone = ZoneInfo(name)
            months = (datetime(year, month, 15, tzinfo=zone) for year in range(1990, 2040) for month in range(1, 13))
            alike.setdefault(tuple(each.utcoffset() for each in months), zone)
    return list(alike.values())


def turns(zone: ZoneInfo) -> Iterator[datetime]:
    """The instants at which the zone's clock was set, or will be; two within a week are seen as one."""
    at, before = BEGIN, BEGIN.astimezone(zone).utcoffset()
    while at < END:
        after = (at + WEEK).astimezone(zone).utcoffset()
        if after != before:
            yield found(zone, at, at + WEEK)
        at, before = at + WEEK, after


def found(zone: ZoneInfo, early: datetime, late: datetime) -> datetime:
    """The turn between two instants, by halving."""
    offset = early.astimezone(zone).utcoffset()
    while late - early > SECOND:
        middle = early + (late - early) // 2 // SECOND * SECOND
        early, late = (middle, late) if middle.astimezone(zone).utcoffset() == offset else (early, middle)
    return late


def comings(zone: ZoneInfo, wall: datetime) -> list[datetime]:
    """The instants at which the zone's clock shows a time; none if it never does."""
    tries = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(at for at in tries if at.astimezone(zone).replace(tzinfo=None, fold=0) == wall)


def expected(zone: ZoneInfo, clock: time, days: list[date], turn: datetime) -> set[datetime]:
    """The first coming of the time on each day; the end of the gap where it has none."""
    instants = (comings(zone, datetime.combine(day, clock)) for day in days)
    return {each[0] if each else turn for each in instants}


def walked(zoned: Zoned, since: datetime, until: datetime) -> list[datetime]:
    instants: list[datetime] = []
    at = zoned.next(since)
    while at is not None and at < until:
        instants.append(at)
        at = zoned.next(at)
    return instants


def test_every_turn_of_every_zone_in_fifty_years() -> None:
    seen = 0
    for zone in zones():
        for turn in turns(zone):
            seen += 1
            middle = turn.astimezone(zone).date()
            days = [middle + number * DAY for number in (-2, -1, 0, 1, 2)]
            since, until = turn - DAY, turn + DAY
            for clock, expression in DAILY.items():
                wanted = sorted(at for at in expected(zone, clock, days, turn) if since < at < until)
                zoned = Zoned(expression, zone, Gap.NEXT_VALID, Fold.FIRST)
                assert walked(zoned, since, until) == wanted, (zone, clock, turn)
    assert seen > 3000


def test_fifty_years_of_quarters_in_every_zone() -> None:
    expression = parse_cron(QUARTERLY)
    walls = [
        datetime.combine(date(year, month, 1), time(2, 30)) for year in range(1990, 2040) for month in (1, 4, 7, 10)
    ]
    for zone in zones():
        instants = walked(Zoned(expression, zone), BEGIN - 2 * DAY, END - 2 * DAY)
        wanted = [each[0] for wall in walls if (each := comings(zone, wall))]
        assert set(wanted) <= set(instants), zone
        assert len(instants) == len(walls), zone
