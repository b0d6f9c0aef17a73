"""Timers under calendars, against a plain walk through all instants."""

from bisect import bisect_left, bisect_right
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainspring.domain.calendars.policy import Calendar, Calendared, left_out
from mainspring.domain.calendars.spec import Blackout, CalendarSpec, CalendarVersion, DailyBlackout, Holidays
from mainspring.domain.cron import Fold, Zoned, parse_cron
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.fire_times.timers import DAY, TICK, Interval, Timer, instant
from mainspring.domain.triggers.spec import Roll
from tests.words import MINUTE

BERLIN, UTC_ZONE = ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")
THURSDAY = datetime(2026, 12, 24, 12, tzinfo=UTC)

TURNS = {
    "Europe/Berlin": ("2026-03-29", "2026-10-25"),
    "America/New_York": ("2026-03-08", "2026-11-01"),
    "Atlantic/Azores": ("2026-03-29", "2026-10-25"),  # midnight is missing, and comes twice
    "Australia/Lord_Howe": ("2026-04-05", "2026-10-04"),  # half an hour
    "America/Nuuk": ("2026-03-28", "2026-10-24"),  # the last hour of a day is missing
    "Pacific/Apia": ("2011-12-30",),  # a day is missing
}
DAYS_AROUND = 9


def calendar(holidays: dict[date, str] | None = None, **fields: object) -> Calendar:
    spec = CalendarSpec(name="test", **fields)  # type: ignore[arg-type]
    version = CalendarVersion(namespace="default", version=1, spec=spec, author="", at=THURSDAY)
    known = holidays or {}
    return Calendar(version, lambda year: {day: name for day, name in known.items() if day.year == year})


def cron(text: str, zone: ZoneInfo = UTC_ZONE) -> Zoned:
    return Zoned(parse_cron(text), zone)


def walk(timer: Timer, after: datetime, count: int) -> list[str]:
    found, at = [], after
    for _ in range(count):
        following = timer.next(at)
        assert following is not None
        at = following
        found.append(f"{at:%a %d %H:%M}")
    return found


class Oracle:
    """Every instant of a few weeks, each moved by itself, one step after the other."""

    def __init__(self, timer: Timer, spec: CalendarSpec, roll: Roll, zone: ZoneInfo, around: datetime) -> None:
        self._spec, self._roll, self._zone = spec, roll, zone
        self._ends: dict[datetime, datetime] = {}
        moved, at = [], timer.next(around - 16 * DAY)
        while at is not None and at < around + 16 * DAY:
            moved.append(self._moved(at))
            at = timer.next(at)
        self.instants = sorted({each for each in moved if each is not None})

    def _moved(self, at: datetime) -> datetime | None:
        local = at.astimezone(self._zone)
        if not self._counts(local.date()):
            if self._roll is Roll.SKIP:
                return None
            at = instant(self._nearest(local.date()), local.time(), self._zone)
        if not self._is_black(at):
            return at
        if self._roll is not Roll.NEXT:
            return None
        passed = []
        while at not in self._ends and (self._is_black(at) or not self._counts(at.astimezone(self._zone).date())):
            at = at.replace(second=0, microsecond=0) + MINUTE
            passed.append(at)
        self._ends |= dict.fromkeys(passed, self._ends.get(at, at))
        return self._ends.get(at, at)

    def _nearest(self, day: date) -> date:
        while (
            not self._counts(day) or instant(day, datetime.min.time(), self._zone).astimezone(self._zone).date() != day
        ):
            day += DAY if self._roll is Roll.NEXT else -DAY
        return day

    def _counts(self, day: date) -> bool:
        return day.isoformat() not in self._spec.dates and f"{day:%a}".lower() not in self._spec.weekdays

    def _is_black(self, at: datetime) -> bool:
        if any(each.since <= at < each.until for each in self._spec.blackouts):
            return True
        utc = f"{at:%H:%M}"
        return any(
            each.opens <= utc < each.closes if each.opens < each.closes else utc >= each.opens or utc < each.closes
            for each in self._spec.daily_blackouts
        )


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Timer, CalendarSpec, Roll, ZoneInfo, datetime, datetime]:
    name = draw(st.sampled_from(sorted(TURNS)))
    zone = ZoneInfo(name)
    around = datetime.fromisoformat(draw(st.sampled_from(TURNS[name]))).replace(tzinfo=UTC, hour=12)
    text = draw(st.sampled_from(["30 2 * * *", "17 */5 * * *", "59 23 * * *", "0 0 * * mon,sat", "45 0,1,2,23 * * *"]))
    timers: list[Timer] = [
        Zoned(parse_cron(text), zone, fold=draw(st.sampled_from(Fold))),
        Interval(timedelta(minutes=draw(st.sampled_from([90, 437, 1440, 4000]))), around + timedelta(minutes=7)),
    ]
    steps = st.integers(-DAYS_AROUND, DAYS_AROUND)
    days = draw(st.sets(steps, max_size=12))
    begins = draw(st.lists(st.integers(-5000, 5000), max_size=3))
    spec = CalendarSpec(
        name="drawn",
        dates={(around.date() + step * DAY).isoformat(): "" for step in days},
        weekdays=draw(st.sampled_from([(), ("sat", "sun")])),
        blackouts=tuple(
            Blackout(since=around + begin * MINUTE, until=around + (begin + draw(st.integers(1, 3000))) * MINUTE)
            for begin in begins
        ),
        daily_blackouts=draw(
            st.sampled_from(
                [(), (DailyBlackout(opens="22:00", closes="01:30"),), (DailyBlackout(opens="02:00", closes="03:00"),)]
            )
        ),
    )
    asked = around + timedelta(seconds=draw(st.integers(-5 * 86_400, 5 * 86_400)))
    return draw(st.sampled_from(timers)), spec, draw(st.sampled_from(Roll)), zone, around, asked


@given(scenes())
@settings(max_examples=80)
def test_it_names_what_a_walk_through_all_instants_finds(
    scene: tuple[Timer, CalendarSpec, Roll, ZoneInfo, datetime, datetime],
) -> None:
    timer, spec, roll, zone, around, asked = scene
    version = CalendarVersion(namespace="default", version=1, spec=spec, author="", at=around)
    calendared = Calendared(timer, Calendar(version), roll, zone)
    expected = Oracle(timer, spec, roll, zone, around).instants

    at = asked
    for _ in range(4):
        behind, front = bisect_right(expected, at), bisect_left(expected, at) - 1
        if front < 0 or behind == len(expected):
            return  # what comes there lies outside what was walked through
        assert calendared.next(at) == expected[behind]
        assert calendared.previous(at) == expected[front]
        at = expected[behind]


def test_an_instant_on_a_day_that_does_not_count_is_left_out() -> None:
    timer = Calendared(
        cron("0 9 * * *"), calendar(weekdays=("sat", "sun"), dates={"12-25": "Christmas"}), Roll.SKIP, BERLIN
    )

    assert walk(timer, THURSDAY, 3) == ["Mon 28 09:00", "Tue 29 09:00", "Wed 30 09:00"]
    assert timer.previous(datetime(2026, 12, 28, 9, tzinfo=UTC)) == datetime(2026, 12, 24, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("roll", "expected"),
    [(Roll.NEXT, ["Mon 28 09:00", "Mon 28 10:00"]), (Roll.PREVIOUS, ["Thu 24 10:00", "Mon 28 09:00"])],
)
def test_instants_that_move_to_one_day_come_once_each_time_of_it(roll: Roll, expected: list[str]) -> None:
    around_christmas = cron("0 10 25 12 *"), cron("0 9 26-28 12 *")
    found = calendar(weekdays=("sat", "sun"), dates={"12-25": ""})
    first, second = (Calendared(each, found, roll, UTC_ZONE) for each in around_christmas)

    after = datetime(2026, 12, 24, 9, 30, tzinfo=UTC)
    assert sorted(walk(first, after, 1) + walk(second, after, 1), key=lambda text: text[4:]) == expected


def test_days_are_those_of_the_zone_and_the_calendar_may_have_one_of_its_own() -> None:
    hourly, skip = cron("0 * * * *"), calendar(dates={"2026-12-25": ""})

    assert walk(Calendared(hourly, skip, Roll.SKIP, BERLIN), THURSDAY.replace(hour=22), 1) == ["Fri 25 23:00"]
    tokyo = calendar(dates={"2026-12-25": ""}, zone="Asia/Tokyo")
    assert walk(Calendared(hourly, tokyo, Roll.SKIP, BERLIN), THURSDAY.replace(hour=14), 1) == ["Fri 25 15:00"]


def test_a_time_that_moves_to_where_it_comes_twice_comes_with_the_first() -> None:
    saturday = calendar(dates={"2026-10-24": ""})
    timer = Calendared(cron("45 2 24 10 *", BERLIN), saturday, Roll.NEXT, BERLIN)
    first, between = datetime(2026, 10, 25, 0, 45, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC)

    assert timer.next(first - TICK) == first
    assert timer.next(between) == datetime(2027, 10, 24, 0, 45, tzinfo=UTC)
    assert timer.previous(between) == first


def test_a_blackout_leaves_out_or_puts_off() -> None:
    freeze = Blackout(since=THURSDAY, until=THURSDAY + timedelta(hours=3))
    found = calendar(blackouts=(freeze,), daily_blackouts=(DailyBlackout(opens="15:00", closes="16:30"),))

    assert walk(Calendared(cron("0 * * * *"), found, Roll.SKIP, UTC_ZONE), THURSDAY - TICK, 1) == ["Thu 24 17:00"]
    put_off = Calendared(cron("0 * * * *"), found, Roll.NEXT, UTC_ZONE)
    assert walk(put_off, THURSDAY - TICK, 2) == ["Thu 24 16:30", "Thu 24 17:00"]


def test_a_blackout_that_ends_on_a_day_that_does_not_count_puts_off_to_the_next_that_does() -> None:
    found = calendar(weekdays=("sat", "sun"), blackouts=(Blackout(since=THURSDAY, until=THURSDAY + 2 * DAY),))

    assert walk(Calendared(cron("0 13 * * *"), found, Roll.NEXT, UTC_ZONE), THURSDAY, 2) == [
        "Mon 28 00:00",
        "Mon 28 13:00",
    ]


def test_days_that_are_counted_count_whatever_else_is_said() -> None:
    found = calendar({date(2026, 12, 26): "Boxing Day"}, weekdays=("sat",), counted=("2026-12-26",))

    assert found.counts(date(2026, 12, 26))
    assert not found.counts(date(2026, 12, 19))


def test_a_day_says_why_it_does_not_count() -> None:
    christmas = date(2026, 12, 25)
    found = calendar(
        {christmas: "Christmas Day"}, weekdays=("sun",), dates={"12-24": "Christmas Eve", "2026-12-31": ""}
    )

    days = found.left_out_days(2026)
    assert [days[christmas], days[date(2026, 12, 24)], days[date(2026, 12, 31)], days[date(2026, 12, 27)]] == [
        "Christmas Day",
        "Christmas Eve",
        "own date",
        "sun",
    ]
    assert len(days) == 52 + 3
    assert all(before < after for before, after in pairwise(days))


def test_the_29th_of_february_of_each_year_is_one_of_leap_years() -> None:
    found = calendar(dates={"02-29": "leap day"})

    assert list(found.left_out_days(2028)) == [date(2028, 2, 29)]
    assert not found.left_out_days(2027)


@pytest.mark.parametrize("roll", Roll)
def test_a_calendar_without_a_day_that_counts_ends_the_search(roll: Roll) -> None:
    never = Calendared(
        cron("* * * * * *"), calendar(weekdays=("mon", "tue", "wed", "thu", "fri", "sat", "sun")), roll, BERLIN
    )

    assert never.next(THURSDAY) is None
    assert never.previous(THURSDAY) is None


def test_an_instant_that_never_counts_ends_the_search() -> None:
    sundays = Calendared(cron("0 9 * * sun"), calendar(weekdays=("sun",)), Roll.SKIP, BERLIN)

    assert sundays.next(THURSDAY) is None


def test_what_is_left_out_is_a_span() -> None:
    hourly, found = cron("0 * * * *"), calendar(weekdays=("sat", "sun"))
    monday = THURSDAY + 4 * DAY

    span = left_out(hourly, found, Roll.SKIP, UTC_ZONE, THURSDAY, monday)
    saturday = datetime(2026, 12, 26, tzinfo=UTC)
    assert span == Span(saturday, datetime(2026, 12, 27, 23, tzinfo=UTC), SkipReason.CALENDAR)
    assert left_out(hourly, found, Roll.NEXT, UTC_ZONE, THURSDAY, monday) is None
    assert left_out(hourly, found, Roll.SKIP, UTC_ZONE, THURSDAY, THURSDAY + DAY) is None


def test_what_moves_back_is_left_out_in_blackouts_alone() -> None:
    freeze = Blackout(since=THURSDAY - DAY, until=THURSDAY + timedelta(hours=1))
    found = calendar(weekdays=("fri",), blackouts=(freeze,))

    span = left_out(cron("0 12 * * *"), found, Roll.PREVIOUS, UTC_ZONE, THURSDAY - 2 * DAY, THURSDAY + 3 * DAY)
    assert span == Span(THURSDAY - DAY, THURSDAY, SkipReason.CALENDAR)


def test_holidays_are_asked_for_a_year_at_a_time_when_they_are_needed() -> None:
    asked: list[int] = []
    spec = CalendarSpec(name="test", holidays=(Holidays(country="DE"),))
    version = CalendarVersion(namespace="default", version=1, spec=spec, author="", at=THURSDAY)

    def holidays(year: int) -> dict[date, str]:
        asked.append(year)
        return {date(year, 12, 25): "Christmas"}

    timer = Calendared(cron("0 9 25 12 *"), Calendar(version, holidays), Roll.NEXT, UTC_ZONE)
    assert timer.next(THURSDAY) == datetime(2026, 12, 26, 9, tzinfo=UTC)
    assert asked == [2026]
