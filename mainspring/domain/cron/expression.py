"""A cron expression on the wall: which labels of a clock and a calendar it names.

A wall time is written as a datetime in UTC that stands for the label alone; `zoned.py` says which instant that is.

A month is of one of 28 shapes, by the weekday it begins on and its length, and a year of one of 14 kinds, by the weekday it
begins on and whether it is a leap year. The days that an expression names in each are computed once; then a date is looked up.
"""

from calendar import isleap, monthrange
from datetime import UTC, datetime
from functools import cached_property, lru_cache

import msgspec

from mainspring.domain.cron.days import Days, parse_days
from mainspring.domain.cron.fields import HOUR, MINUTE, MONTH, SECOND, TEXT_MAX, Field, parse_field
from mainspring.domain.years import YEAR_MAX, YEAR_MIN
from mainspring.errors import InvalidInputError

YEARS_SEARCHED = 41
"""Between two 29ths of February that fall on one weekday lie at most 40 years."""
CYCLE = 400
"""Years after which the calendar is the same again, to the weekday."""
SHORTEST, LENGTHS = 28, 4
KEPT_MAX = 4096
"""Dates whose tables are kept; expressions that differ in their times of day only share one."""


class Dates(msgspec.Struct, frozen=True, dict=True):
    """Days of months of years."""

    days: Days
    month: Field

    @cached_property
    def by_shape(self) -> tuple[int, ...]:
        """The days that match in a month of each shape, as bits 1 to 31."""
        return tuple(self.days.in_month(shape // LENGTHS, SHORTEST + shape % LENGTHS) for shape in range(7 * LENGTHS))

    @cached_property
    def by_kind(self) -> tuple[int, ...]:
        """The months that have such a day in a year of each kind, as bits 1 to 12."""
        wanted = [month for month in range(1, 13) if self.month.mask >> month & 1]
        return tuple(sum(1 << month for month in wanted if self.by_shape[shapes[month]]) for shapes in SHAPES)

    def of(self, year: int, month: int) -> int:
        """The days of one month, as bits 1 to 31."""
        return self.by_shape[SHAPES[KINDS[year % CYCLE]][month]] if self.month.mask >> month & 1 else 0

    def after(self, year: int, month: int, day: int) -> tuple[int, int, int] | None:
        """The first date behind that one."""
        if rest := self.of(year, month) >> (day + 1):
            return year, month, day + 1 + lowest(rest)
        kind = KINDS[year % CYCLE]
        if rest := self.by_kind[kind] >> (month + 1):
            return self._first(year, kind, month + 1 + lowest(rest))
        for later in range(year + 1, min(year + YEARS_SEARCHED, YEAR_MAX + 1)):
            kind = KINDS[later % CYCLE]
            if months := self.by_kind[kind]:
                return self._first(later, kind, lowest(months))
        return None

    def before(self, year: int, month: int, day: int) -> tuple[int, int, int] | None:
        """The last date in front of that one."""
        if rest := self.of(year, month) & (1 << day) - 1:
            return year, month, highest(rest)
        kind = KINDS[year % CYCLE]
        if rest := self.by_kind[kind] & (1 << month) - 1:
            return self._last(year, kind, highest(rest))
        for earlier in range(year - 1, max(year - YEARS_SEARCHED, YEAR_MIN - 1), -1):
            kind = KINDS[earlier % CYCLE]
            if months := self.by_kind[kind]:
                return self._last(earlier, kind, highest(months))
        return None

    def _first(self, year: int, kind: int, month: int) -> tuple[int, int, int]:
        return year, month, lowest(self.by_shape[SHAPES[kind][month]])

    def _last(self, year: int, kind: int, month: int) -> tuple[int, int, int]:
        return year, month, highest(self.by_shape[SHAPES[kind][month]])


@lru_cache(maxsize=KEPT_MAX)
def dates_of(days: Days, month: Field) -> Dates:
    """The same object for the same dates, so that a million expressions have few tables."""
    return Dates(days, month)


def kind_of(year: int) -> int:
    weekday, _ = monthrange(year, 1)
    return 2 * weekday + isleap(year)


def shapes_of(year: int) -> bytes:
    """The shape of each month; months count from 1."""
    months = [monthrange(year, month) for month in range(1, 13)]
    return bytes([0, *((weekday + 1) % 7 * LENGTHS + length - SHORTEST for weekday, length in months)])


def kinds() -> tuple[bytes, tuple[bytes, ...]]:
    """The kind of each year of a cycle, and the months of each kind."""
    years = range(CYCLE, 2 * CYCLE)
    examples = {kind_of(year): year for year in years}
    return bytes(map(kind_of, years)), tuple(shapes_of(examples[kind]) for kind in sorted(examples))


KINDS, SHAPES = kinds()


ALIASES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}


class Expression(msgspec.Struct, frozen=True):
    """Five or six fields as sets of bits."""

    text: str
    second: Field
    minute: Field
    hour: Field
    dates: Dates

    @property
    def elapsed(self) -> bool:
        """Debian's rule: with a star for minute or hour it counts elapsed time, else it names times of day."""
        return self.minute.star or self.hour.star

    def next(self, after: datetime, *, inclusive: bool = False) -> datetime | None:
        """The first matching wall time behind that one."""
        year, month, day = after.year, after.month, after.day
        if self.dates.of(year, month) >> day & 1:
            # A second that has begun is over; the search stops at 60 by itself.
            second = after.second if inclusive and not after.microsecond else after.second + 1
            found = self._time_from(after.hour, after.minute, second)
            if found is not None:
                return datetime(year, month, day, *found, tzinfo=UTC)
        date = self.dates.after(year, month, day)
        return None if date is None else datetime(*date, *self._first_time(), tzinfo=UTC)

    def previous(self, before: datetime, *, inclusive: bool = False) -> datetime | None:
        """The last matching wall time in front of that one."""
        year, month, day = before.year, before.month, before.day
        if self.dates.of(year, month) >> day & 1:
            second = before.second if inclusive or before.microsecond else before.second - 1
            found = self._time_until(before.hour, before.minute, second)
            if found is not None:
                return datetime(year, month, day, *found, tzinfo=UTC)
        date = self.dates.before(year, month, day)
        return None if date is None else datetime(*date, *self._last_time(), tzinfo=UTC)

    def _time_from(self, hour: int, minute: int, second: int) -> tuple[int, int, int] | None:
        if self.hour.mask >> hour & 1:
            minutes = self.minute.mask
            if minutes >> minute & 1 and (rest := self.second.mask >> second):
                return hour, minute, second + lowest(rest)
            if rest := minutes >> (minute + 1):
                return hour, minute + 1 + lowest(rest), lowest(self.second.mask)
        if rest := self.hour.mask >> (hour + 1):
            return hour + 1 + lowest(rest), lowest(self.minute.mask), lowest(self.second.mask)
        return None

    def _time_until(self, hour: int, minute: int, second: int) -> tuple[int, int, int] | None:
        if self.hour.mask >> hour & 1:
            minutes = self.minute.mask
            if minutes >> minute & 1 and (rest := self.second.mask & (1 << (second + 1)) - 1):
                return hour, minute, highest(rest)
            if rest := minutes & (1 << minute) - 1:
                return hour, highest(rest), highest(self.second.mask)
        if rest := self.hour.mask & (1 << hour) - 1:
            return highest(rest), highest(self.minute.mask), highest(self.second.mask)
        return None

    def _first_time(self) -> tuple[int, int, int]:
        return lowest(self.hour.mask), lowest(self.minute.mask), lowest(self.second.mask)

    def _last_time(self) -> tuple[int, int, int]:
        return highest(self.hour.mask), highest(self.minute.mask), highest(self.second.mask)


def parse_cron(text: str, *, seed: str = "") -> Expression:
    """Read an expression; `seed`, such as the trigger's name, decides the value of `H`."""
    if len(text) > TEXT_MAX:
        raise malformed(f"is longer than {TEXT_MAX} characters")
    named = ALIASES.get(text.strip().lower(), text).lower()
    parts = named.split()
    if named.startswith("@"):
        raise malformed(f"{text!r} is not one of {', '.join(ALIASES)}")
    if len(parts) not in (5, 6):
        words = "minute hour day month weekday, with a second in front if wanted"
        raise malformed(f"has {len(parts)} fields; it takes five ({words}) or six")
    second, minute, hour, day, month, weekday = parts if len(parts) == 6 else ("0", *parts)
    return Expression(
        text=text.strip(),
        second=parse_field(second, SECOND, seed),
        minute=parse_field(minute, MINUTE, seed),
        hour=parse_field(hour, HOUR, seed),
        dates=parse_dates(day, month, weekday, seed),
    )


def parse_dates(day: str, month: str, weekday: str, seed: str) -> Dates:
    """A day that no year has is a mistake."""
    days = parse_days(day, weekday, seed)
    dates = dates_of(days, parse_field(month, MONTH, seed))
    if not any(dates.by_kind):
        raise malformed("names no day that ever comes, such as a 30th of February")
    return dates


def malformed(reason: str) -> InvalidInputError:
    return InvalidInputError("cron", reason, code="bad_cron")


def lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def highest(mask: int) -> int:
    return mask.bit_length() - 1
