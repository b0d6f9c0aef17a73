"""Cron's fields as other programs write them, in ours: days that must match both fields, ranges that wrap around."""

import re

from mainspring.domain.imports.found import UnfitError

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
ANY = ("*", "?")
WORD = re.compile(r"[A-Za-z]+")
WRAPPED = re.compile(r"(\d+)-(\d+)")
WEEKS = {"1-7": 1, "8-14": 2, "15-21": 3, "22-28": 4}
NTH = re.compile(r"(1st|2nd|3rd|4th|5th|last)\s+(mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE)
ITEM = re.compile(r"(?:(\*)|([a-z]{3}|\d)(?:-([a-z]{3}|\d))?)(?:/(\d+))?")


def field(value: object) -> str:
    """A number, a text or a list of them as one field, names cut to three letters."""
    if isinstance(value, list):
        return ",".join(field(each) for each in value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise UnfitError(f"{value} is no field of cron, or cannot be read without running the file")
    return WORD.sub(lambda found: found[0][:3].lower(), str(value).replace(" ", ""))


def unwrapped(text: str, low: int, high: int) -> str:
    """`22-4` as `22-23,0-4`."""
    return ",".join(
        f"{found[1]}-{high},{low}-{found[2]}"
        if (found := WRAPPED.fullmatch(item)) and int(found[1]) > int(found[2])
        else item
        for item in text.split(",")
    )


def both(day: str, weekday: str) -> tuple[str, str]:
    """Day and weekday for a program that takes the days on which both match; cron does so only beside a star."""
    if day.startswith(ANY) or weekday.startswith(ANY):
        return day, weekday
    if day in WEEKS and "," not in weekday and "-" not in weekday and "/" not in weekday:
        return "*", f"{weekday}#{WEEKS[day]}"
    raise UnfitError(
        f"fires on days that are both {day} and {weekday}, and cron on those that are either:"
        " use a calendar, or let the job look at the date"
    )


def from_monday(text: str) -> str:
    """Weekdays of a program that counts from Monday as 0, by their names."""
    if text in ANY:
        return "*"
    days = sorted({day for item in text.split(",") for day in counted(item)})
    if len(days) > 2 and days == list(range(days[0], days[-1] + 1)):
        return f"{WEEKDAYS[days[0]]}-{WEEKDAYS[days[-1]]}" if len(days) < 7 else "*"
    return ",".join(WEEKDAYS[day] for day in days)


def counted(item: str) -> range:
    found = ITEM.fullmatch(item)
    if found is None:
        raise UnfitError(f"{item!r} is no day of the week")
    low = 0 if found[1] else number(found[2])
    high = 6 if found[1] or (found[4] and not found[3]) else number(found[3] or found[2])
    if low > high:
        raise UnfitError(f"{item!r} runs backwards")
    return range(low, high + 1, max(int(found[4] or 1), 1))


def number(text: str) -> int:
    if text in WEEKDAYS:
        return WEEKDAYS.index(text)
    if not text.isdigit() or int(text) > 6:
        raise UnfitError(f"{text!r} is no day of the week")
    return int(text)


def nth(text: str) -> str | None:
    """`3rd fri` as `fri#3`, `last sun` as `sunL`; None: it is something else."""
    found = NTH.fullmatch(text.strip())
    if found is None:
        return None
    turn, day = found[1].lower(), found[2].lower()
    return f"{day}L" if turn == "last" else f"{day}#{turn[0]}"
