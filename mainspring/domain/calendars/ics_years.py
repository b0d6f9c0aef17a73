"""Events of iCalendar files that come back each year: on the same day, or on such as the fourth Thursday of a month."""

import re
from calendar import monthrange
from datetime import date, datetime

import msgspec

from mainspring.domain.triggers.fire_times.timers import DAY
from mainspring.errors import InvalidInputError

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
PLACE = re.compile(r"([+-]?[1-5])(MO|TU|WE|TH|FR|SA|SU)")
READ = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "WKST"})


class Yearly(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that names one day of each year, or of every so many years."""

    start: date
    interval: int = 1
    count: int | None = None
    until: date | None = None
    month: int
    day: int
    place: tuple[int, int] | None = None
    """The how-manieth of which weekday of the month, from its end if negative, instead of the day."""

    @property
    def plain(self) -> bool:
        """Whether it is the same day of each year, from the first on."""
        return self.place is None and self.interval == 1 and self.count is None and self.until is None

    def days(self, *, until: int) -> list[date]:
        """The days up to a year, that one included."""
        found: list[date] = []
        for year in range(self.start.year, until + 1, self.interval):
            day = self._of(year)
            if day is None or day < self.start:
                continue
            if (self.until is not None and day > self.until) or len(found) == self.count:
                break
            found.append(day)
        return found

    def _of(self, year: int) -> date | None:
        """None: the year has no such day."""
        length = monthrange(year, self.month)[1]
        if self.place is None:
            return date(year, self.month, self.day) if self.day <= length else None
        number, weekday = self.place
        first = date(year, self.month, 1) if number > 0 else date(year, self.month, length)
        if number > 0:
            day = first + ((weekday - first.weekday()) % 7 + 7 * (number - 1)) * DAY
        else:
            day = first - ((first.weekday() - weekday) % 7 + 7 * (-number - 1)) * DAY
        return day if day.month == self.month else None


def parse_yearly(text: str, line: int, start: date) -> Yearly:
    """Raises InvalidInputError if it says more than is understood."""
    said = dict(part.upper().partition("=")[::2] for part in text.split(";") if part)
    unknown = next((name for name in said if name not in READ), None)
    if said.get("FREQ") != "YEARLY" or unknown is not None:
        what = f"FREQ={said.get('FREQ', '')[:20]}" if said.get("FREQ") != "YEARLY" else f"{unknown}"[:20]
        raise refused(line, f"{what} is not understood: only what comes back each year is")
    try:
        return Yearly(
            start=start,
            interval=positive(said.get("INTERVAL", "1")),
            count=positive(said["COUNT"]) if "COUNT" in said else None,
            until=datetime.strptime(said["UNTIL"][:8], "%Y%m%d").date() if "UNTIL" in said else None,  # noqa: DTZ007 a day
            month=within(said.get("BYMONTH", str(start.month)), 12),
            day=within(said.get("BYMONTHDAY", str(start.day)), 31),
            place=place(said["BYDAY"]) if "BYDAY" in said else None,
        )
    except ValueError as error:
        raise refused(line, f"{error} is not understood: one day of a year is, such as BYMONTH=11;BYDAY=4TH") from None


def positive(text: str) -> int:
    return within(text, 1000)


def within(text: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= most:
        raise ValueError(repr(text[:20]))
    return int(text)


def place(text: str) -> tuple[int, int]:
    found = PLACE.fullmatch(text)
    if found is None:
        raise ValueError(f"BYDAY={text[:20]}")
    return int(found[1]), WEEKDAYS.index(found[2])


def refused(line: int, reason: str) -> InvalidInputError:
    return InvalidInputError("ics", f"line {line}: {reason}", code="bad_ics")
