"""A cron expression on the wall: which labels of a clock and a calendar it names.

A wall time is written as a datetime in UTC that stands for the label alone; `zoned.py` says which instant that is.
"""

from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.domain.cron.days import Days, parse_days
from mainspring.domain.cron.fields import HOUR, MINUTE, MONTH, SECOND, TEXT_MAX, Field, parse_field
from mainspring.errors import InvalidInputError

ALIASES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
YEAR_MIN, YEAR_MAX = 1, 9999
YEARS_SEARCHED = 41
"""Between two 29ths of February that fall on one weekday lie at most 40 years."""
SECOND_STEP = timedelta(seconds=1)


class Expression(msgspec.Struct, frozen=True):
    """Five or six fields as sets of bits."""

    text: str
    second: Field
    minute: Field
    hour: Field
    days: Days
    month: Field

    @property
    def elapsed(self) -> bool:
        """Debian's rule: with a star for minute or hour it counts elapsed time, else it names times of day."""
        return self.minute.star or self.hour.star

    def next(self, after: datetime, *, inclusive: bool = False) -> datetime | None:
        """The first matching wall time behind that one."""
        at = after if inclusive and not after.microsecond else after.replace(microsecond=0) + SECOND_STEP
        year, month, day = at.year, at.month, at.day
        if self.month.mask >> month & 1 and self.days.of(year, month) >> day & 1:
            found = self._time_from(at.hour, at.minute, at.second)
            if found is not None:
                return datetime(year, month, day, *found, tzinfo=UTC)
        date = self._day_after(year, month, day)
        return None if date is None else datetime(*date, *self._first_time(), tzinfo=UTC)

    def previous(self, before: datetime, *, inclusive: bool = False) -> datetime | None:
        """The last matching wall time in front of that one."""
        at = before.replace(microsecond=0)
        if not (inclusive or before.microsecond):
            at -= SECOND_STEP
        year, month, day = at.year, at.month, at.day
        if self.month.mask >> month & 1 and self.days.of(year, month) >> day & 1:
            found = self._time_until(at.hour, at.minute, at.second)
            if found is not None:
                return datetime(year, month, day, *found, tzinfo=UTC)
        date = self._day_before(year, month, day)
        return None if date is None else datetime(*date, *self._last_time(), tzinfo=UTC)

    def _time_from(self, hour: int, minute: int, second: int) -> tuple[int, int, int] | None:
        if self.hour.mask >> hour & 1:
            if self.minute.mask >> minute & 1 and (rest := self.second.mask >> second):
                return hour, minute, second + lowest(rest)
            if rest := self.minute.mask >> (minute + 1):
                return hour, minute + 1 + lowest(rest), lowest(self.second.mask)
        if rest := self.hour.mask >> (hour + 1):
            return hour + 1 + lowest(rest), lowest(self.minute.mask), lowest(self.second.mask)
        return None

    def _time_until(self, hour: int, minute: int, second: int) -> tuple[int, int, int] | None:
        if self.hour.mask >> hour & 1:
            if self.minute.mask >> minute & 1 and (rest := self.second.mask & (2 << second) - 1):
                return hour, minute, highest(rest)
            if rest := self.minute.mask & (1 << minute) - 1:
                return hour, highest(rest), highest(self.second.mask)
        if rest := self.hour.mask & (1 << hour) - 1:
            return highest(rest), highest(self.minute.mask), highest(self.second.mask)
        return None

    def _first_time(self) -> tuple[int, int, int]:
        return lowest(self.hour.mask), lowest(self.minute.mask), lowest(self.second.mask)

    def _last_time(self) -> tuple[int, int, int]:
        return highest(self.hour.mask), highest(self.minute.mask), highest(self.second.mask)

    def _day_after(self, year: int, month: int, day: int) -> tuple[int, int, int] | None:
        months = self.month.mask
        if months >> month & 1 and (rest := self.days.of(year, month) >> (day + 1)):
            return year, month, day + 1 + lowest(rest)
        for later in range(year, min(year + YEARS_SEARCHED, YEAR_MAX + 1)):
            left = months >> (month + 1) << (month + 1) if later == year else months
            while left:
                candidate = lowest(left)
                if days := self.days.of(later, candidate):
                    return later, candidate, lowest(days)
                left &= left - 1
        return None

    def _day_before(self, year: int, month: int, day: int) -> tuple[int, int, int] | None:
        months = self.month.mask
        if months >> month & 1 and (rest := self.days.of(year, month) & (1 << day) - 1):
            return year, month, highest(rest)
        for earlier in range(year, max(year - YEARS_SEARCHED, YEAR_MIN - 1), -1):
            left = months & (1 << month) - 1 if earlier == year else months
            while left:
                candidate = highest(left)
                if days := self.days.of(earlier, candidate):
                    return earlier, candidate, highest(days)
                left ^= 1 << candidate
        return None


def parse_cron(text: str, *, seed: str = "") -> Expression:
    """Read an expression; `seed`, such as the trigger's name, decides what `H` stands for."""
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
    expression = Expression(
        text=text.strip(),
        second=parse_field(second, SECOND, seed),
        minute=parse_field(minute, MINUTE, seed),
        hour=parse_field(hour, HOUR, seed),
        days=parse_days(day, weekday, seed),
        month=parse_field(month, MONTH, seed),
    )
    refuse_impossible(expression)
    return expression


def refuse_impossible(expression: Expression) -> None:
    """A day that no year has is a mistake; there are fourteen kinds of years, so this takes no search."""
    lengths = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    for leap in (0, 1):
        for start in range(7):
            first = start
            for month, days in enumerate(lengths, start=1):
                length = days + (leap if month == 2 else 0)
                if expression.month.mask >> month & 1 and expression.days.in_month(first, length):
                    return
                first = (first + length) % 7
    raise malformed("names no day that ever comes, such as a 30th of February")


def malformed(reason: str) -> InvalidInputError:
    return InvalidInputError("cron", reason, code="bad_cron")


def lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def highest(mask: int) -> int:
    return mask.bit_length() - 1
