"""Turns of clocks, and the stretches between them, against what the zone itself says of every hour."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from mainspring.domain.cron.zoned import Stretch, stretch_at, stretch_on, stretches
from tests.words import HOUR

YEARS = [
    ("UTC", 2026),
    ("Europe/Berlin", 2026),
    ("Australia/Lord_Howe", 2026),
    ("Africa/Casablanca", 2026),
    # Two turns within a week.
    ("Africa/Freetown", 1939),
    ("America/Noronha", 2000),
    ("Asia/Gaza", 2040),
    # Turns at the end of a year in UTC or on the wall, and by a whole day.
    ("Asia/Khandyga", 2003),
    ("Asia/Khandyga", 2004),
    ("America/Managua", 1996),
    ("America/Managua", 1997),
    ("Pacific/Kiritimati", 1994),
    ("Pacific/Kiritimati", 1995),
    # By an odd number of seconds.
    ("Africa/Monrovia", 1972),
]
"""With the rules of today, and with what has been the hardest for them."""


def hours(year: int) -> list[datetime]:
    """Each hour of a year."""
    begin = datetime(year, 1, 1, tzinfo=UTC)
    return [begin + number * HOUR for number in range((datetime(year + 1, 1, 1, tzinfo=UTC) - begin) // HOUR)]


def comes_once(wall: datetime, zone: ZoneInfo) -> bool:
    return zone.utcoffset(wall) == zone.utcoffset(wall.replace(fold=1))


@pytest.mark.parametrize(("name", "year"), YEARS)
def test_every_hour_of_a_year_is_as_far_from_utc_as_its_zone_says(name: str, year: int) -> None:
    zone = ZoneInfo(name)
    wrong = [at for at in hours(year) if stretch_at(zone, at).offset != at.astimezone(zone).utcoffset()]

    assert wrong == []


@pytest.mark.parametrize(("name", "year"), YEARS)
def test_wall_times_that_are_missing_or_come_twice_are_known(name: str, year: int) -> None:
    zone = ZoneInfo(name)
    found = {wall: stretch_on(zone, wall) for wall in hours(year)}

    assert [wall for wall, each in found.items() if comes_once(wall, zone) != (each.first <= wall < each.last)] == []
    assert all(each.offset == zone.utcoffset(wall) for wall, each in found.items() if each.first <= wall)
    assert all(each.turn.begin <= wall < each.turn.end for wall, each in found.items() if wall < each.first)


def edges(stretch: Stretch) -> tuple[str, str, bool]:
    turn = stretch.turn
    return f"{turn.at:%m-%d %H:%M}", f"{turn.begin:%H:%M} to {turn.end:%H:%M}", turn.is_fold


def test_a_turn_is_found_to_the_second() -> None:
    _, summer, winter = stretches(ZoneInfo("Europe/Berlin"), 2026)
    _, exact = stretches(ZoneInfo("Africa/Monrovia"), 1972)

    assert edges(summer) == ("03-29 01:00", "02:00 to 03:00", False)
    assert edges(winter) == ("10-25 01:00", "02:00 to 03:00", True)
    assert exact.turn.at == datetime(1972, 1, 7, 0, 44, 30, tzinfo=UTC)


def test_the_first_year_and_the_last_have_stretches() -> None:
    zone = ZoneInfo("America/New_York")

    assert stretch_at(zone, datetime.min.replace(tzinfo=UTC)).offset == timedelta(hours=-4, minutes=-56, seconds=-2)
    assert stretch_at(zone, datetime.max.replace(tzinfo=UTC)).offset == timedelta(hours=-5)
