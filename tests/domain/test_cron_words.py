"""Expressions in words, and the words held against the instants."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mainspring.domain.cron import Expression, parse_cron
from mainspring.domain.cron.describe import describe
from mainspring.errors import InvalidInputError
from tests.domain.words_reader import Words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("30 9 * * mon-fri", "at 09:30 on weekdays"),
        ("@daily", "at 00:00 every day"),
        ("@hourly", "every hour"),
        ("0 */2 * * *", "every 2 hours"),
        ("* * * * *", "every minute"),
        ("*/5 * * * *", "every 5 minutes"),
        ("10-20 * * * *", "at minutes 10 to 20 of every hour"),
        ("15,45 9-17 * * *", "at minutes 15 and 45 from 09:00 to 17:59"),
        ("*/6 1-3 * * *", "every 6 minutes from 01:00 to 03:59"),
        ("*/59 * * * *", "at minutes 0 and 59 of every hour"),
        ("*/40 1-4 * * *", "at minutes 0 and 40 from 01:00 to 04:59"),
        ("*/7 * * * *", "at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour"),
        ("*/25 * * * * *", "at seconds 0, 25 and 50 of every minute"),
        ("5 * 3 * * *", "at second 5 of every minute from 03:00 to 03:59"),
        ("*/30 */40 * * * *", "every 30 seconds of minutes 0 and 40 of every hour"),
        ("*/15 */5 * * *", "every 15 minutes of the hours 0, 5, 10, 15 and 20"),
        ("*/15 */6 * * *", "every 15 minutes of every 6th hour"),
        ("*/10 * * * * *", "every 10 seconds"),
        ("*/15 3 * * * *", "every 15 seconds of minute 3 of every hour"),
        ("30 8,12 * * sat,sun", "at 08:30 and 12:30 on weekends"),
        ("5 10 5 * * *", "at 05:10:05 every day"),
        ("0 12 1,15 * *", "at 12:00 on days 1 and 15 of the month"),
        ("0 0 1-5,9 * *", "at 00:00 on days 1 to 5 and 9 of the month"),
        ("0 0 L * *", "at 00:00 on the last day of the month"),
        ("0 0 L-2 * *", "at 00:00 on the 3rd last day of the month"),
        ("0 0 15W * *", "at 00:00 on the weekday nearest to day 15 of the month"),
        ("0 0 * * fri#2", "at 00:00 on the 2nd Friday"),
        ("5 4 * * 5L", "at 04:05 on the last Friday"),
        ("0 0 13 * 5", "at 00:00 on day 13 of the month and on Friday"),
        ("0 0 */10 * *", "at 00:00 on days 1, 11, 21 and 31 of the month"),
        ("0 0 */10 * 1", "at 00:00 on days 1, 11, 21 and 31 of the month if it is Monday"),
        ("0 0 1 1,7 *", "at 00:00 on day 1 of the month in January and July"),
        ("0 9 1-31 * 1-5", "at 09:00 every day"),
        ("0 9 13 * 0-6", "at 09:00 every day"),
        ("0 9 * * *,fri#1", "at 09:00 every day"),
        ("0 9 *,L * mon", "at 09:00 on Monday"),
        ("0 0 L-3W * *", "at 00:00 on the weekday nearest to the 4th last day of the month"),
    ],
)
def test_an_expression_is_told_in_words(text: str, words: str) -> None:
    assert describe(parse_cron(text)) == words


def field(low: int, high: int, *special: str) -> st.SearchStrategy[str]:
    value = st.integers(low, high)
    span = st.tuples(value, value).map(lambda pair: f"{min(pair)}-{max(pair)}")
    step = st.integers(1, high + 2)
    stepped = st.tuples(st.one_of(span, st.just("*")), step).map(lambda pair: f"{pair[0]}/{pair[1]}")
    plain = st.one_of(st.just("*"), value.map(str), span, stepped, st.just(f"{low}-{high}"))
    item = st.one_of(plain, st.sampled_from(special)) if special else plain
    return st.one_of(item, st.lists(item, min_size=1, max_size=3).map(",".join))


DAY_FIELDS = field(1, 31, "L", "LW", "L-1", "L-29", "L-30", "15W", "1W", "31W", "L-3W", "L-29W")
WEEKDAY_FIELDS = field(0, 6, "fri#1", "mon#5", "sunL", "1-5", "0,6", "?")
TIME_FIELDS = st.tuples(st.one_of(st.just("0"), field(0, 59)), field(0, 59), field(0, 23))
EXPRESSIONS = st.tuples(TIME_FIELDS, DAY_FIELDS, field(1, 12), WEEKDAY_FIELDS).map(
    lambda parts: " ".join([*parts[0], *parts[1:]])
)
SECONDS = (0, 1, 7, 10, 15, 30, 59)


@settings(max_examples=150)
@given(EXPRESSIONS, st.integers(1900, 2400))
@example("0 0 9 1-31 * 1-5", 2026)
@example("0 0 0 L-29 * *", 2026)
@example("0 0 0 L * fri#1,*/2", 2026)
@example("0 0 0 L-3W * *", 2026)
@example("0 */90 */25 */32 */13 */7", 2026)
def test_the_words_claim_the_instants_that_are_named_and_no_others(text: str, year: int) -> None:
    expression = parsed(text)
    if expression is None:
        return
    words = Words(describe(expression))
    clock = [(hour, minute, second) for hour in range(24) for minute in range(60) for second in SECONDS]
    days = [date(year, 1, 1) + timedelta(days=number) for number in range(365)]

    assert [each for each in clock if words.has_time(*each) != names_time(expression, *each)] == []
    assert [day for day in days if words.has_date(day) != names_date(expression, day)] == []


def parsed(text: str) -> Expression | None:
    """None: no day of it ever comes."""
    try:
        return parse_cron(text)
    except InvalidInputError as error:
        if "names no day that ever comes" not in error.reason:
            raise
        return None


def names_time(expression: Expression, hour: int, minute: int, second: int) -> bool:
    masks = (expression.hour.mask >> hour, expression.minute.mask >> minute, expression.second.mask >> second)
    return all(mask & 1 for mask in masks)


def names_date(expression: Expression, day: date) -> bool:
    """Whether an instant of that day is named, as firing finds it."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    found = expression.next(midnight, inclusive=True)
    return found is not None and found.date() == day
