"""Cron on the wall: fields, days, next and previous, against a plain search and against cronsim."""

import itertools
from calendar import monthrange
from datetime import UTC, datetime

import pytest
from cronsim import CronSim
from hypothesis import given, settings
from hypothesis import strategies as st

from mainspring.domain.cron import Expression, parse_cron
from mainspring.domain.cron.expression import Dates
from mainspring.errors import InvalidInputError

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def first(text: str, count: int = 3, *, after: datetime = NOON, seed: str = "") -> list[str]:
    expression = parse_cron(text, seed=seed)
    found = []
    at: datetime | None = after
    for _ in range(count):
        assert at is not None
        at = expression.next(at)
        found.append(f"{at:%m-%d %H:%M:%S}" if at else "never")
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("*/20 * * * *", ["11-15 12:20:00", "11-15 12:40:00", "11-15 13:00:00"]),
        ("*/20 * * * * *", ["11-15 12:00:20", "11-15 12:00:40", "11-15 12:01:00"]),
        ("30 9 * * mon-fri", ["11-16 09:30:00", "11-17 09:30:00", "11-18 09:30:00"]),
        ("0 0 * * sat,7", ["11-21 00:00:00", "11-22 00:00:00", "11-28 00:00:00"]),
        ("0 0 * * fri-sun", ["11-20 00:00:00", "11-21 00:00:00", "11-22 00:00:00"]),
        ("5/25 0 1 jan *", ["01-01 00:05:00", "01-01 00:30:00", "01-01 00:55:00"]),
        ("0 0 L * *", ["11-30 00:00:00", "12-31 00:00:00", "01-31 00:00:00"]),
        ("0 0 L-2 * *", ["11-28 00:00:00", "12-29 00:00:00", "01-29 00:00:00"]),
        ("0 0 L-29 * *", ["12-02 00:00:00", "01-02 00:00:00", "03-02 00:00:00"]),
        ("0 0 L-3W * *", ["11-27 00:00:00", "12-28 00:00:00", "01-28 00:00:00"]),
        ("*/90 */25 */32 * *", ["12-01 00:00:00", "01-01 00:00:00", "02-01 00:00:00"]),
        ("0 0 L,*/40 * fri", ["11-20 00:00:00", "11-27 00:00:00", "11-30 00:00:00"]),
        ("0 0 13 * fri#1,*/2", ["11-17 00:00:00", "11-19 00:00:00", "11-21 00:00:00"]),
        ("0 0 LW * *", ["11-30 00:00:00", "12-31 00:00:00", "01-29 00:00:00"]),
        ("0 0 15W * *", ["11-16 00:00:00", "12-15 00:00:00", "01-15 00:00:00"]),
        ("0 0 1W * *", ["12-01 00:00:00", "01-01 00:00:00", "02-01 00:00:00"]),
        ("0 0 * * fri#2", ["12-11 00:00:00", "01-08 00:00:00", "02-12 00:00:00"]),
        ("0 0 * * 5L", ["11-27 00:00:00", "12-25 00:00:00", "01-29 00:00:00"]),
        ("0 0 13 * 5", ["11-20 00:00:00", "11-27 00:00:00", "12-04 00:00:00"]),
        ("0 0 */2 * 1", ["11-23 00:00:00", "12-07 00:00:00", "12-21 00:00:00"]),
        ("0 0 ? * 1", ["11-16 00:00:00", "11-23 00:00:00", "11-30 00:00:00"]),
        ("@monthly", ["12-01 00:00:00", "01-01 00:00:00", "02-01 00:00:00"]),
        ("@Hourly", ["11-15 13:00:00", "11-15 14:00:00", "11-15 15:00:00"]),
    ],
)
def test_what_an_expression_names(text: str, found: list[str]) -> None:
    assert first(text) == found


def test_a_leap_day_on_a_weekday_is_found_beyond_a_century() -> None:
    leap_sunday = parse_cron("0 0 29 2 */7")

    assert leap_sunday.next(datetime(2088, 3, 1, tzinfo=UTC)) == datetime(2128, 2, 29, tzinfo=UTC)
    assert leap_sunday.previous(datetime(2128, 2, 29, tzinfo=UTC)) == datetime(2088, 2, 29, tzinfo=UTC)


@pytest.mark.parametrize("text", ["0 0 13,L * *", "0 0 15W 2,3 *", "0 0 * 2 mon#5", "0 0 29 * friL"])
def test_every_month_of_four_centuries_has_the_days_of_its_own(text: str) -> None:
    dates = parse_cron(text).dates
    months = [(year, month) for year in range(1900, 2300) for month in range(1, 13)]
    wrong = [each for each in months if dates.of(*each) != days_by_the_calendar(dates, *each)]

    assert wrong == []


def days_by_the_calendar(dates: Dates, year: int, month: int) -> int:
    monday_first, length = monthrange(year, month)
    return dates.days.in_month((monday_first + 1) % 7, length) if dates.month.mask >> month & 1 else 0


def test_expressions_that_differ_in_their_times_share_their_dates() -> None:
    assert parse_cron("0 9 * * mon-fri").dates is parse_cron("H H * * 1-5", seed="report").dates


def test_time_has_a_first_second_and_a_last() -> None:
    every_second = parse_cron("* * * * * *")

    assert every_second.next(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)) is None
    assert every_second.previous(datetime(1, 1, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("61 * * * *", "minute: 61 is outside 0 to 59"),
        ("* 24 * * *", "hour: 24 is outside 0 to 23"),
        ("* * 0 * *", "day of month: 0 is outside 1 to 31"),
        ("* * * 13 *", "month: 13 is outside 1 to 12"),
        ("* * * foo *", "month: 'foo' is not a number from 1 to 12, or jan to dec"),
        ("* * * * 8", "day of week: 8 is outside 0 to 7"),
        ("* * * * fri#6", "day of week: a month has no 6th"),
        ("* * 32W * *", "day of month: 32 is outside 1 to 31"),
        ("* * L-31 * *", "day of month: no month has a day 31 before its last"),
        ("*/0 * * * *", "minute: the step '0' is not a number from 1"),
        ("* * L-31W * *", "day of month: no month has a day 31 before its last"),
        ("5-2 * * * *", "minute: the range runs backwards; write 5-59,0-2"),
        ("1,,2 * * * *", "minute: '' is not a number"),
        ("? * * * *", "minute: ? is for days only"),
        ("60 * * * * *", "second: 60 is outside 0 to 59"),
        ("* * * *", "has 4 fields"),
        ("", "has 0 fields"),
        ("@reboot", "'@reboot' is not one of @yearly"),
        ("0 0 30 2 *", "names no day that ever comes"),
        ("0 0 31 4,6,9,11 *", "names no day that ever comes"),
        ("* " * 300, "is longer than 500 characters"),
        ("\u0661 * * * *", "minute: '\u0661' is not a number"),
    ],
)
def test_a_mistake_is_named_with_its_field(text: str, words: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_cron(text)

    assert refused.value.code == "bad_cron"
    assert words in str(refused.value)


def test_hashed_fields_spread_over_seeds_and_never_change() -> None:
    minutes = [parse_cron("H * * * *", seed=f"trigger {n}").minute.mask.bit_length() - 1 for n in range(2000)]

    assert parse_cron("H H(9-17) * * *", seed="a") == parse_cron("H H(9-17) * * *", seed="a")
    assert set(minutes) == set(range(60))
    assert max(minutes.count(minute) for minute in range(60)) < 70
    assert first("H H * * *", 1, seed="report") == ["11-16 07:31:00"]


def test_a_hashed_step_keeps_its_distance() -> None:
    for seed in "abcdef":
        mask = parse_cron("H/15 * * * *", seed=seed).minute.mask
        minutes = [minute for minute in range(60) if mask >> minute & 1]
        assert [later - earlier for earlier, later in itertools.pairwise(minutes)] == [15, 15, 15]


def field(low: int, high: int) -> st.SearchStrategy[str]:
    values = st.integers(low, high)
    single = values.map(str)
    span = st.tuples(st.integers(low, high - 1), values).map(lambda pair: f"{pair[0]}-{max(pair[0] + 1, pair[1])}")
    step = st.integers(1, max(2, high // 2))
    item = st.one_of(single, span, st.tuples(span, step).map(lambda pair: f"{pair[0]}/{pair[1]}"))
    listed = st.lists(item, min_size=1, max_size=3).map(",".join)
    return st.one_of(st.just("*"), step.map(lambda n: f"*/{n}"), listed)


EXPRESSIONS = st.tuples(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)).map(" ".join)
INSTANTS = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001


def parsed(text: str) -> Expression | None:
    try:
        return parse_cron(text)
    except InvalidInputError:
        return None


@settings(max_examples=300)
@given(EXPRESSIONS, INSTANTS)
def test_it_agrees_with_cronsim(text: str, at: datetime) -> None:
    expression = parsed(text)
    if expression is None:
        return
    theirs = CronSim(text, at)
    mine: datetime | None = at
    for _ in range(5):
        assert mine is not None
        mine = expression.next(mine)
        assert mine == next(theirs), text


@settings(max_examples=300)
@given(EXPRESSIONS, INSTANTS)
def test_previous_undoes_next(text: str, at: datetime) -> None:
    expression = parsed(text)
    if expression is None:
        return
    after = expression.next(at)
    assert after is not None
    before = expression.previous(after)
    assert before is not None
    assert before <= at < after
    assert expression.next(before) == after
    assert expression.next(after, inclusive=True) == after == expression.previous(after, inclusive=True)
