"""Reads the words of an expression back, as a person would: which times of a day, and which dates, they claim.

It knows nothing of cron, so that words and instants can be held against each other.
"""

import re
from calendar import monthrange
from datetime import date

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CLOCK = re.compile(r"(\d\d):(\d\d)(?::(\d\d))?")
TIMES = re.compile(
    r"(?:(?P<second>every (?:\d+ )?seconds?|at seconds? [\d, toand]+?)(?: |$))?"
    r"(?:(?P<minute>every (?:\d+ )?minutes?|(?:at|of) minutes? [\d, toand]+?|of every (?:\w+ )?minute)(?: |$))?"
    r"(?:(?P<hour>from \d\d:00 to \d\d:59|of the hours [\d, toand]+|of every (?:\w+ )?hour|every (?:\d+ )?hours?))?"
)
Clock = tuple[set[int], set[int], set[int]]


class Words:
    """The claims of one description."""

    def __init__(self, text: str) -> None:
        plain = text.removesuffix(" every day")
        head, _, months = plain.partition(" in ")
        times, _, days = head.partition(" on ")
        self._months = {MONTHS.index(name) + 1 for name in parts(months)} if months else set(range(1, 13))
        self._days = days
        self._clock = [tuple(int(part or 0) for part in found) for found in CLOCK.findall(times)]
        self._fields = None if CLOCK.match(times.removeprefix("at ")) else fields(times)

    def has_time(self, hour: int, minute: int, second: int) -> bool:
        if self._fields is None:
            return (hour, minute, second) in self._clock
        hours, minutes, seconds = self._fields
        return hour in hours and minute in minutes and second in seconds

    def has_date(self, day: date) -> bool:
        if day.month not in self._months:
            return False
        if not self._days:
            return True
        if " of the month if it is " in self._days:
            of_month, of_week = self._days.split(" of the month if it is ")
            return in_month(of_month, day) and in_week(of_week, day)
        if " of the month and on " in self._days:
            of_month, of_week = self._days.split(" of the month and on ")
            return in_month(of_month, day) or in_week(of_week, day)
        if self._days.endswith(" of the month"):
            return in_month(self._days.removesuffix(" of the month"), day)
        return in_week(self._days, day)


def fields(times: str) -> Clock:
    found = TIMES.fullmatch(times)
    assert found is not None, times
    second, minute, hour = found["second"], found["minute"], found["hour"]
    seconds = values(second, 60) if second else {0}
    minutes = values(minute, 60) if minute else {0} if not second else set(range(60))
    return values(hour, 24) if hour else set(range(24)), minutes, seconds


def values(text: str, size: int) -> set[int]:
    """Of one field: "every 5 minutes", "of every 6th hour", "at minutes 1 to 3 and 9", "from 01:00 to 03:59"."""
    if found := re.fullmatch(r"from (\d\d):00 to (\d\d):59", text):
        return set(range(int(found[1]), int(found[2]) + 1))
    if found := re.fullmatch(r"(?:of )?every (?:(\d+)\w* )?\w+", text):
        return set(range(0, size, int(found[1] or 1)))
    return numbers(re.sub(r"^(?:at|of)(?: the)? [a-z]+ ", "", text))


def numbers(text: str) -> set[int]:
    found: set[int] = set()
    for part in parts(text):
        low, _, high = part.partition(" to ")
        found |= set(range(int(low), int(high or low) + 1))
    return found


def parts(text: str) -> list[str]:
    return re.split(r", | and ", text)


def in_month(text: str, day: date) -> bool:
    length = monthrange(day.year, day.month)[1]
    chosen, _, rest = text.partition("the ")
    listed = re.fullmatch(r"days? (.*?)(?: and |, )?", chosen)
    named = numbers(listed[1]) if listed else set()
    return day.day in named or any(day.day == counted(each, day, length) for each in parts(rest and f"the {rest}"))


def counted(text: str, day: date, length: int) -> int | None:
    """A day that is told by counting: "the 3rd last day", "the weekday nearest to day 15"."""
    if text == "the last weekday":
        return nearest(day, length, length)
    if found := re.fullmatch(r"the weekday nearest to (?:day (\d+)|(the .*))", text):
        wanted = int(found[1]) if found[1] else counted(found[2], day, length)
        return nearest(day, wanted, length) if wanted is not None and 1 <= wanted <= length else None
    if found := re.fullmatch(r"the (?:(\d+)\w\w )?last day", text):
        return length + 1 - int(found[1] or 1)
    assert not text, text
    return None


def nearest(day: date, wanted: int, length: int) -> int:
    """The day from Monday to Friday of that month with the smallest distance."""
    work = [each for each in range(1, length + 1) if day.replace(day=each).weekday() < 5]
    return min(work, key=lambda each: abs(each - wanted))


def in_week(text: str, day: date) -> bool:
    return any(is_such(each, day) for each in parts(text))


def is_such(text: str, day: date) -> bool:
    if text in ("weekdays", "weekends"):
        return (day.weekday() < 5) == (text == "weekdays")
    which, _, name = text.removeprefix("the ").rpartition(" ")
    if day.weekday() != WEEK.index(name):
        return False
    if which == "last":
        return day.day + 7 > monthrange(day.year, day.month)[1]
    return not which or (day.day - 1) // 7 + 1 == int(which[:-2])
