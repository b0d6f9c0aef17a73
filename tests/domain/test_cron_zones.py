"""Cron where clocks change: every zone's turns, against a search through all minutes."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import product
from zoneinfo import ZoneInfo

import pytest

from mainspring.domain.cron import Expression, Fold, Gap, Zoned, parse_cron
from tests.words import DAY, MINUTE

TURNS = [
    ("America/New_York", datetime(2026, 3, 8, tzinfo=UTC)),
    ("America/New_York", datetime(2026, 11, 1, tzinfo=UTC)),
    ("Europe/Berlin", datetime(2026, 3, 29, tzinfo=UTC)),
    ("Europe/Berlin", datetime(2026, 10, 25, tzinfo=UTC)),
    ("Australia/Lord_Howe", datetime(2026, 4, 4, tzinfo=UTC)),
    ("Australia/Lord_Howe", datetime(2026, 10, 3, tzinfo=UTC)),
    ("Antarctica/Troll", datetime(2026, 3, 29, tzinfo=UTC)),
    ("Antarctica/Troll", datetime(2026, 10, 25, tzinfo=UTC)),
    ("America/Sao_Paulo", datetime(2017, 10, 15, tzinfo=UTC)),
    ("America/Sao_Paulo", datetime(2018, 2, 17, tzinfo=UTC)),
    ("Asia/Beirut", datetime(2026, 3, 28, tzinfo=UTC)),
    ("Pacific/Apia", datetime(2011, 12, 30, tzinfo=UTC)),
    ("Pacific/Kwajalein", datetime(1993, 8, 21, tzinfo=UTC)),
    ("Africa/Casablanca", datetime(2026, 2, 15, tzinfo=UTC)),
    ("Asia/Kathmandu", datetime(2026, 3, 8, tzinfo=UTC)),
]
EXPRESSIONS = (
    "30 2 * * *",
    "30 1 * * *",
    "0 0 * * *",
    "0 1-3 * * *",
    "15,45 0-4 * * *",
    "0-59 1,2 * * *",
    "*/15 * * * *",
    "0 * * * *",
    "*/30 1-2 * * *",
    "0 12 * * sun",
)


def naive_matches(expression: Expression, wall: datetime) -> bool:
    return bool(
        expression.minute.mask >> wall.minute & 1
        and expression.hour.mask >> wall.hour & 1
        and expression.dates.of(wall.year, wall.month) >> wall.day & 1
    )


def wall_of(at: datetime, zone: ZoneInfo) -> datetime:
    return at.astimezone(zone).replace(tzinfo=UTC, fold=0)


@cache
def walled(zone: ZoneInfo, start: datetime, end: datetime) -> dict[datetime, list[datetime]]:
    """Every minute around that range by what the wall says."""
    comings: dict[datetime, list[datetime]] = {}
    for minute in (start - 2 * DAY + n * MINUTE for n in range(int((end - start + 4 * DAY) / MINUTE))):
        comings.setdefault(wall_of(minute, zone), []).append(minute)
    return comings


@cache
def named(text: str, zone: ZoneInfo, start: datetime, end: datetime) -> list[datetime]:
    """What of all the minutes between the first and the last on the wall an expression names, missing ones too."""
    comings, expression = walled(zone, start, end), parse_cron(text)
    first, last = min(comings), max(comings)
    minutes = (first + n * MINUTE for n in range(int((last - first) / MINUTE)))
    return [wall for wall in minutes if naive_matches(expression, wall)]


def searched(zoned: Zoned, start: datetime, end: datetime) -> list[datetime]:
    """All fires between two instants, found by looking at every minute."""
    comings = walled(zoned.zone, start, end)
    walls = named(zoned.expression.text, zoned.zone, start, end)
    if zoned.expression.elapsed:
        found = {at for wall in walls for at in comings.get(wall, [])}
    else:
        found = set(by_policy(zoned, walls, comings))
    return sorted(at for at in found if start < at < end)


def by_policy(zoned: Zoned, walls: list[datetime], comings: dict[datetime, list[datetime]]) -> Iterator[datetime]:
    for wall in walls:
        times = comings.get(wall, [])
        if not times and zoned.gap is Gap.NEXT_VALID:
            yield min(at for later, all_of in comings.items() if later > wall for at in all_of)
        elif times:
            yield from {Fold.FIRST: times[:1], Fold.SECOND: times[-1:], Fold.BOTH: times}[zoned.fold]


@pytest.mark.parametrize(
    ("name", "day"), TURNS, ids=lambda value: f"{value:%Y%m%d}" if isinstance(value, datetime) else value
)
@pytest.mark.parametrize(("gap", "fold"), list(product(Gap, Fold)))
def test_every_fire_around_a_turn_is_found_forwards_and_backwards(
    name: str, day: datetime, gap: Gap, fold: Fold
) -> None:
    zone = ZoneInfo(name)
    start, end = day - DAY, day + 2 * DAY
    for text in EXPRESSIONS:
        zoned = Zoned(parse_cron(text), zone, gap, fold)
        expected = searched(zoned, start, end)
        assert forwards(zoned, start, end) == expected, text
        assert backwards(zoned, start, end) == expected, text


def forwards(zoned: Zoned, start: datetime, end: datetime) -> list[datetime]:
    found: list[datetime] = []
    at = zoned.next(start)
    while at is not None and at < end:
        found.append(at)
        at = zoned.next(at)
    return found


def backwards(zoned: Zoned, start: datetime, end: datetime) -> list[datetime]:
    found: list[datetime] = []
    at = zoned.previous(end)
    while at is not None and at > start:
        found.append(at)
        at = zoned.previous(at)
    return found[::-1]


@pytest.mark.parametrize(
    ("text", "after", "previous", "next_one"),
    [
        # Far away, with other turns between.
        ("0 0 * 2 mon#5", "2026-11-16T00:00", "2016-02-28T23:00", "2044-02-28T23:00"),
        ("59 59 23 29 2 *", "2026-11-16T00:00", "2024-02-29T22:59:59", "2028-02-29T22:59:59"),
        ("0 12 * 6-8 *", "2026-11-16T00:00", "2026-08-31T10:00", "2027-06-01T10:00"),
        # Just before the clock is set forward: 02:30 is missing.
        ("30 2 * 3 sun", "2026-03-29T00:59:59", "2026-03-22T01:30", "2026-03-29T01:00"),
        ("*/5 * * * *", "2026-03-29T00:59:59", "2026-03-29T00:55", "2026-03-29T01:00"),
        ("0 */2 * * *", "2026-03-29T00:59:59", "2026-03-28T23:00", "2026-03-29T02:00"),
        # While it is set back: 02:30 is here for the first time.
        ("30 2 * 10 sun", "2026-10-25T00:30", "2026-10-18T00:30", "2027-10-03T00:30"),
        ("17 * * * *", "2026-10-25T00:30", "2026-10-25T00:17", "2026-10-25T01:17"),
        ("0 0 1 * *", "2026-10-25T00:30", "2026-09-30T22:00", "2026-10-31T23:00"),
    ],
)
def test_what_is_hardest_to_find(text: str, after: str, previous: str, next_one: str) -> None:
    berlin = Zoned(parse_cron(text), ZoneInfo("Europe/Berlin"))
    at = datetime.fromisoformat(f"{after}+00:00")

    assert berlin.previous(at) == datetime.fromisoformat(f"{previous}+00:00")
    assert berlin.next(at) == datetime.fromisoformat(f"{next_one}+00:00")


def test_an_instant_may_be_given_in_any_zone() -> None:
    daily = Zoned(parse_cron("0 3 * * *"), ZoneInfo("Europe/Berlin"))
    at = datetime(2026, 11, 15, 2, tzinfo=UTC)
    elsewhere = at.astimezone(ZoneInfo("Asia/Tokyo"))

    assert daily.next(elsewhere) == daily.next(at) == at + DAY
    assert daily.previous(elsewhere) == daily.previous(at) == at - DAY


def test_the_latest_up_to_an_instant_includes_it() -> None:
    daily = Zoned(parse_cron("0 3 * * *"), ZoneInfo("Europe/Berlin"))
    at = datetime(2026, 11, 15, 2, tzinfo=UTC)

    assert daily.latest(at) == at
    assert daily.previous(at) == at - DAY
    assert daily.latest(at - timedelta(microseconds=1)) == at - DAY


def test_ten_years_back_is_one_step() -> None:
    every_second = Zoned(parse_cron("* * * * * *"), ZoneInfo("Europe/Berlin"))
    at = datetime(2026, 11, 15, 2, 0, 0, 500, tzinfo=UTC)

    assert every_second.latest(at) == at.replace(microsecond=0)
