"""A cron expression on the wall: which labels of a clock and a calendar it names.

A wall time is written as a datetime in UTC that stands for the label alone; `zoned.py` says which instant that is.
"""

from datetime import UTC, datetime

import msgspec

from mainspring.domain.cron.dates import Dates, dates_of
from mainspring.domain.cron.days import parse_days
from mainspring.domain.cron.fields import HOUR, MINUTE, MONTH, SECOND, TEXT_MAX, Field, highest, lowest, parse_field
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
