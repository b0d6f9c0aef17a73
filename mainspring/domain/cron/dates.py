"""Which dates an expression names, over all years.

A month is of one of 28 shapes, by the weekday it begins on and its length, and a year of one of 14 kinds, by the weekday it
begins on and whether it is a leap year. What an expression names in each is worked out once; from then on, a date is looked up.
"""

from calendar import isleap, monthrange
from functools import cached_property, lru_cache

import msgspec

from mainspring.domain.cron.days import Days
from mainspring.domain.cron.fields import Field, highest, lowest
from mainspring.domain.years import YEAR_MAX, YEAR_MIN

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
