"""Checks of a calendar's definition; each refusal names the field."""

import re
from collections.abc import Sized
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from mainspring.domain.calendars.spec import Blackout, CalendarSpec, DailyBlackout, Holidays
from mainspring.domain.calendars.working_days import Calendar, first_counted
from mainspring.domain.calendars.zone_days import WEEKDAYS
from mainspring.domain.calendars.zones import zone_of
from mainspring.domain.names import check_text
from mainspring.domain.triggers.fire_times.build_timer import CLOCK
from mainspring.domain.triggers.fire_times.timers import DAY
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError

NAME_MAX = 200
DESCRIPTION_MAX = 2_000
DATES_MAX = 10_000
BLACKOUTS_MAX = 1_000
DAILY_MAX = 50
HOLIDAYS_MAX = 20

DAY_EACH = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
DAY_ONE = re.compile(r"(19|2[0-9])[0-9]{2}-" + DAY_EACH.pattern)
LINE = re.compile(r"[^\x00-\x1f\x7f]*")
DOTS = frozenset({".", ".."})
LEAP_YEAR = "2000-"


def check_calendar(spec: CalendarSpec) -> None:
    """Raises InvalidInputError. Whether it leaves anything is not asked here: that takes its holidays."""
    check_name(spec.name)
    if len(spec.description) > DESCRIPTION_MAX or "\x00" in spec.description:
        raise refused("description", f"needs at most {DESCRIPTION_MAX} characters, none of them NUL")
    if spec.zone:
        zone_of(spec.zone, "zone")
    check_weekdays(spec.weekdays, "weekdays")
    check_count(spec.holidays, "holidays", HOLIDAYS_MAX)
    check_count(spec.dates, "dates", DATES_MAX)
    check_count(spec.counted, "counted", DATES_MAX)
    check_count(spec.blackouts, "blackouts", BLACKOUTS_MAX)
    check_count(spec.daily_blackouts, "daily_blackouts", DAILY_MAX)
    check_parts(spec)


def check_parts(spec: CalendarSpec) -> None:
    for index, holidays in enumerate(spec.holidays):
        check_holidays(holidays, f"holidays[{index}]")
    for day, name in spec.dates.items():
        check_day(day, "dates", each_year=True)
        check_line(name, f"dates.{day}")
    for index, day in enumerate(spec.counted):
        check_day(day, f"counted[{index}]", each_year=False)
    for index, blackout in enumerate(spec.blackouts):
        check_blackout(blackout, f"blackouts[{index}]")
    for index, daily in enumerate(spec.daily_blackouts):
        check_daily(daily, f"daily_blackouts[{index}]")


def check_leaves_something(calendar: Calendar, now: datetime) -> None:
    """A calendar under which nothing could ever start is a mistake."""
    zone = calendar.zone or ZoneInfo("UTC")
    today = now.astimezone(zone).date()
    if first_counted(calendar, today, zone, step=DAY) is None:
        raise refused("weekdays", "and the other days that do not count leave none within 400 days")
    if calendar.free_from(now, zone) is None:
        raise refused("daily_blackouts", "and the days that do not count leave no time at which anything could start")


def check_name(name: str) -> None:
    check_text(name, "name", most=NAME_MAX, code="bad_calendar")
    if name in DOTS or "/" in name:
        raise refused("name", f"{name!r} cannot be part of an address")


def check_holidays(holidays: Holidays, field: str) -> None:
    if bool(holidays.country) == bool(holidays.market):
        raise refused(field, "needs a country or a market, one of the two")
    if holidays.subdivision and not holidays.country:
        raise refused(f"{field}.subdivision", "needs a country")


def check_day(day: str, field: str, *, each_year: bool) -> None:
    whole = LEAP_YEAR + day if each_year and DAY_EACH.fullmatch(day) else day
    try:
        if DAY_ONE.fullmatch(whole):
            date.fromisoformat(whole)
            return
    except ValueError:
        pass
    form = "such as 2026-12-24, or 12-24 for each year" if each_year else "such as 2026-12-24"
    raise refused(field, f"{day[:50]!r} is not a day {form}")


def check_blackout(blackout: Blackout, field: str) -> None:
    for name, at in (("since", blackout.since), ("until", blackout.until)):
        if at.tzinfo is None:
            raise refused(f"{field}.{name}", "needs a UTC offset, such as 2030-01-01T09:00:00Z")
        check_years(at, f"{field}.{name}", code="bad_calendar")
    if blackout.until.astimezone(UTC) <= blackout.since.astimezone(UTC):
        raise refused(f"{field}.until", "is not after since")
    check_line(blackout.name, f"{field}.name")


def check_daily(daily: DailyBlackout, field: str) -> None:
    for name, text in (("opens", daily.opens), ("closes", daily.closes)):
        if not CLOCK.fullmatch(text):
            raise refused(f"{field}.{name}", f"{text[:50]!r} is not a time of day such as 09:00 or 09:00:30")
    zone_of(daily.zone, f"{field}.zone")
    check_weekdays(daily.weekdays, f"{field}.weekdays")
    check_line(daily.name, f"{field}.name")


def check_weekdays(names: tuple[str, ...], field: str) -> None:
    for index, name in enumerate(names):
        if name not in WEEKDAYS:
            raise refused(f"{field}[{index}]", f"{name[:50]!r} is not one of {', '.join(WEEKDAYS)}")
    if len(set(names)) < len(names):
        raise refused(field, "has one of them twice")


def check_line(text: str, field: str) -> None:
    if len(text) > NAME_MAX or not LINE.fullmatch(text):
        raise refused(field, f"needs at most {NAME_MAX} characters, and no control characters")


def check_count(parts: Sized, field: str, most: int) -> None:
    if len(parts) > most:
        raise refused(field, f"has more than {most}")


def refused(field: str, reason: str) -> InvalidInputError:
    return InvalidInputError(field, reason, code="bad_calendar")
