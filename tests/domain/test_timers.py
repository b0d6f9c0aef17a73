"""Timers against a plain walk from second to second, and where clocks change."""

import sys
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainspring.domain.cron import Zoned, parse_cron
from mainspring.domain.triggers.fire_times.timers import Crons, Interval, Once, Timer, Window, Windowed, instant
from tests.words import MINUTE

BERLIN, UTC_ZONE = ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")
NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)

instants = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def walk(timer: Timer, after: datetime, count: int) -> list[str]:
    found = []
    at: datetime | None = after
    for _ in range(count):
        at = timer.next(at) if at is not None else None
        found.append(f"{at:%m-%d %H:%M}" if at else "never")
    return found


def test_several_expressions_are_one_timer() -> None:
    crons = Crons(tuple(Zoned(parse_cron(text), UTC_ZONE) for text in ("0 */6 * * *", "30 12 * * *", "0 18 * * *")))

    assert walk(crons, NOON, 3) == ["11-15 12:30", "11-15 18:00", "11-16 00:00"]
    assert crons.previous(NOON) == NOON - timedelta(hours=6)


def test_an_interval_counts_from_its_anchor_in_both_directions() -> None:
    timer = Interval(timedelta(minutes=25), NOON)

    assert walk(timer, NOON - MINUTE, 3) == ["11-15 12:00", "11-15 12:25", "11-15 12:50"]
    assert timer.previous(NOON) == NOON - timedelta(minutes=25)
    assert timer.previous(NOON + MINUTE) == NOON


def test_once_is_once() -> None:
    timer = Once(NOON)

    assert (timer.next(NOON - MINUTE), timer.next(NOON)) == (NOON, None)
    assert (timer.previous(NOON), timer.previous(NOON + MINUTE)) == (None, NOON)


def test_a_window_opens_on_its_days_and_counts_from_its_opening() -> None:
    office = Window(time(9, 15), time(10, 30), BERLIN, frozenset({0, 1, 2, 3, 4}))
    timer = Windowed(timedelta(minutes=30), office)

    assert walk(timer, NOON, 5) == ["11-16 08:15", "11-16 08:45", "11-16 09:15", "11-17 08:15", "11-17 08:45"]
    assert timer.previous(NOON) == datetime(2026, 11, 13, 9, 15, tzinfo=UTC)


def test_a_window_over_midnight_belongs_to_the_day_on_which_it_opens() -> None:
    night = Windowed(timedelta(hours=2), Window(time(23), time(4), UTC_ZONE, frozenset({6})))

    assert walk(night, NOON, 4) == ["11-15 23:00", "11-16 01:00", "11-16 03:00", "11-22 23:00"]


@pytest.mark.parametrize(
    ("day", "count"), [(date(2026, 3, 28), 10), (date(2026, 3, 29), 8), (date(2026, 10, 25), 12)], ids=str
)
def test_a_window_is_as_long_as_that_night_is(day: date, count: int) -> None:
    """It opens at 00:00 and closes at 05:00, with a clock set forward or back in between."""
    night = Windowed(timedelta(minutes=30), Window(time(0), time(5), BERLIN))
    opens = instant(day, time(0), BERLIN)
    found = []
    at = night.next(opens - MINUTE)
    while at is not None and at.astimezone(BERLIN).date() == day:
        found.append(at)
        at = night.next(at)

    assert len(found) == count
    assert {late - early for early, late in pairwise(found)} == {timedelta(minutes=30)}


def test_a_missing_wall_time_is_the_end_of_its_gap() -> None:
    assert instant(date(2026, 3, 29), time(2, 30), BERLIN) == datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert instant(date(2026, 10, 25), time(2, 30), BERLIN) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert instant(date(2026, 6, 1), time(2, 30), BERLIN) == datetime(2026, 6, 1, 0, 30, tzinfo=UTC)


TIMERS: list[Timer] = [
    Interval(timedelta(seconds=97), NOON),
    Windowed(timedelta(minutes=7), Window(time(1, 30), time(3, 10), BERLIN)),
    Windowed(timedelta(hours=5), Window(time(22), time(21), ZoneInfo("Australia/Lord_Howe"), frozenset({1, 5}))),
    Crons((Zoned(parse_cron("*/7 2 * * *"), BERLIN), Zoned(parse_cron("15 3 * * sun"), BERLIN))),
]


@settings(max_examples=60)
@given(at=instants, number=st.integers(0, len(TIMERS) - 1))
def test_next_and_previous_see_the_same_instants(at: datetime, number: int) -> None:
    timer = TIMERS[number]
    following = timer.next(at)
    assert following is not None
    assert following > at
    behind = timer.next(following)
    assert behind is not None
    assert timer.previous(behind) == following
    before = timer.previous(following)
    assert before is not None
    assert before <= at
    assert timer.next(before) == following


ZONES = ("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns", "Africa/Casablanca")
windows = st.builds(
    Window,
    st.times().map(lambda at: at.replace(microsecond=0)),
    st.times().map(lambda at: at.replace(microsecond=0)),
    st.sampled_from(ZONES).map(ZoneInfo),
    st.frozensets(st.integers(0, 6), min_size=1),
)
around_apia = st.datetimes(datetime(2011, 12, 20), datetime(2012, 1, 10), timezones=st.just(UTC))  # noqa: DTZ001


@settings(max_examples=150)
@given(window=windows, every=st.integers(1, 100_000), at=st.one_of(instants, around_apia))
def test_a_window_is_found_where_a_search_through_all_days_finds_it(window: Window, every: int, at: datetime) -> None:
    timer = Windowed(timedelta(seconds=every), window)
    today = at.astimezone(window.zone).date()
    spans = [window.on(today + timedelta(days=number)) for number in range(-11, 12)]
    behind: list[datetime] = []
    in_front: list[datetime] = []
    for opens, closes in (span for span in spans if span is not None):
        past = max((at - opens) // timer.every, -1)
        places = [opens + turn * timer.every for turn in (past, past + 1)]
        final = opens + (closes - timedelta(microseconds=1) - opens) // timer.every * timer.every
        behind += [each for each in places if at < each < closes and each >= opens]
        in_front += [each for each in (*places, places[0] - timer.every, final) if opens <= each < min(at, closes)]

    assert timer.next(at) == min(behind, default=None)
    assert timer.previous(at) == max(in_front, default=None)


def test_an_opening_is_worked_out_once_however_many_steps_it_has() -> None:
    timer = Windowed(timedelta(seconds=1), Window(time(9), time(17), BERLIN))
    at: datetime | None = datetime(2026, 11, 16, 8, tzinfo=UTC)
    for _ in range(2000):
        at = timer.next(at) if at is not None else None

    assert at == datetime(2026, 11, 16, 8, 33, 20, tzinfo=UTC)
    assert len(timer.window._known) <= 5


def calls_per_step(timer: Timer) -> float:
    """Functions called for each of a thousand instants; the first ones fill what is kept."""
    at = timer.next(datetime(2026, 11, 16, 9, tzinfo=UTC))
    called = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    for steps in (10, 1_000):
        called = 0
        sys.setprofile(count)
        for _ in range(steps):
            assert at is not None
            at = timer.next(at)
        sys.setprofile(None)
    return called / 1_000


def test_a_step_through_a_window_is_no_more_work_than_one_of_cron() -> None:
    window = Windowed(timedelta(seconds=1), Window(time(9), time(17), BERLIN))
    cron = Crons((Zoned(parse_cron("* * 9-16 * * *"), BERLIN),))

    assert calls_per_step(window) <= calls_per_step(cron)
