"""iCalendar files (RFC 5545): the events that matter to a calendar, read from a documented part of the format.

All-day events become days that do not count, timed ones become blackouts. What is read: VEVENT with DTSTART, DTEND or
DURATION, SUMMARY, STATUS, EXDATE, and an RRULE that repeats it each year. An event that repeats in another way, or is an
exception from one that does, is refused rather than half understood; what is not an event is passed over.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from mainspring.domain.calendars.ics_years import Yearly, parse_yearly
from mainspring.domain.calendars.spec import Blackout, CalendarSpec
from mainspring.domain.calendars.zones import zone_of
from mainspring.domain.triggers.fire_times.timers import DAY, instant
from mainspring.errors import InvalidInputError

EVENTS_MAX = 10_000
LENGTH_MAX = 400 * DAY
NAME_MAX = 200
YEAR_MIN, YEAR_MAX = 1900, 2900
YEARS_AHEAD = 10
"""For which a repeated event is written out that does not fall on the same day of each year."""

LINE = re.compile(
    r'([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)', re.DOTALL
)
PARAMETER = re.compile(r';([A-Za-z0-9-]+)=("[^"]*"|[^;]*)')
BREAK = re.compile(r"\r\n|\n|\r")
ESCAPED = re.compile(r"\\(.)")
DURATION = re.compile(r"\+?P(?:(\d{1,4})W|(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?)")
STAMP = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?")


class Property(NamedTuple):
    """One line: its content and its number."""

    name: str
    parameters: dict[str, str]
    value: str
    line: int


class Moment(NamedTuple):
    """A day, or a time of one on the clock of a zone."""

    day: date
    at: time | None
    zone: ZoneInfo

    @property
    def instant(self) -> datetime:
        return instant(self.day, self.at or time(), self.zone)


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a file."""

    dates: dict[str, str]
    blackouts: tuple[Blackout, ...]
    events: int


def read_ics(text: str, *, year: int, zone: str = "UTC") -> Read:
    """Raises InvalidInputError with the line that is wrong. Times without a zone are those of the one given."""
    dates: dict[str, str] = {}
    blackouts: list[Blackout] = []
    events = 0
    for event in events_of(text):
        events += 1
        if events > EVENTS_MAX:
            raise refused(event[0].line, f"there are more than {EVENTS_MAX} events")
        days, times = places(event, year, zone_of(zone))
        dates |= days
        blackouts += times
    return Read(dates=dict(sorted(dates.items())), blackouts=tuple(blackouts), events=events)


def with_events(spec: CalendarSpec, read: Read, *, replace: bool) -> CalendarSpec:
    """A calendar with the events of a file, beside its own dates and blackouts or in place of them."""
    dates, blackouts = ({}, ()) if replace else (spec.dates, spec.blackouts)
    new = tuple(each for each in read.blackouts if each not in blackouts)
    return msgspec.structs.replace(spec, dates={**dates, **read.dates}, blackouts=(*blackouts, *new))


def events_of(text: str) -> Iterator[list[Property]]:
    """The lines of each event, without those of parts inside it."""
    stack: list[str] = []
    event: list[Property] = []
    number = 0
    for number, line in unfolded(text):
        found = parsed(line, number)
        if not stack and (found.name, found.value.upper()) != ("BEGIN", "VCALENDAR"):
            raise refused(number, "an iCalendar file begins with BEGIN:VCALENDAR")
        if found.name == "BEGIN":
            stack.append(found.value.upper())
            event = [found] if stack == ["VCALENDAR", "VEVENT"] else event
        elif found.name == "END":
            if stack.pop() != found.value.upper():
                raise refused(number, f"END:{found.value[:50]} has no BEGIN")
            if stack == ["VCALENDAR"] and found.value.upper() == "VEVENT":
                yield event
        elif stack == ["VCALENDAR", "VEVENT"]:
            event.append(found)
    if stack or not number:
        raise refused(number or 1, f"END:{stack[-1]} is missing" if stack else "there is nothing in it")


def unfolded(text: str) -> Iterator[tuple[int, str]]:
    """Lines with those that continue them, each with the number of its first."""
    first, whole = 0, ""
    for number, line in enumerate(BREAK.split(text.removeprefix("\ufeff")), start=1):
        if line[:1] in {" ", "\t"} and first:
            whole += line[1:]
            continue
        if whole.strip():
            yield first, whole
        first, whole = number, line
    if whole.strip():
        yield first, whole


def parsed(line: str, number: int) -> Property:
    found = LINE.fullmatch(line)
    if found is None:
        raise refused(number, f"{line[:50]!r} is not NAME:VALUE")
    parameters = {name.upper(): value.strip('"') for name, value in PARAMETER.findall(found[2])}
    return Property(found[1].upper(), parameters, found[3].strip(), number)


def places(event: Sequence[Property], year: int, zone: ZoneInfo) -> tuple[dict[str, str], list[Blackout]]:
    """The days, or the times, of an event and of its repetitions."""
    said = {found.name: found for found in event}
    begin = said.get("DTSTART")
    if begin is None:
        raise refused(event[0].line, "the event has no DTSTART")
    if "STATUS" in said and said["STATUS"].value.upper() == "CANCELLED":
        return {}, []
    refuse_unread(said)
    start = moment(begin, zone)
    length = length_of(said, start, zone)
    name = text_of(said["SUMMARY"].value) if "SUMMARY" in said else ""
    rule = parse_yearly(said["RRULE"].value, said["RRULE"].line, start.day) if "RRULE" in said else None
    left = excepted(event, zone)
    if start.at is None and rule is not None and rule.plain and not left:
        return {f"{day:%m-%d}": name for day in days(start.day, length)}, []
    starts = [each for each in written_out(start.day, rule, year) if each not in left]
    if start.at is None:
        return {day.isoformat(): name for each in starts for day in days(each, length)}, []
    return {}, [blackout(start._replace(day=each), length, name) for each in starts if length]


def written_out(first: date, rule: Yearly | None, year: int) -> list[date]:
    return [first] if rule is None else rule.days(until=year + YEARS_AHEAD)


def days(first: date, length: timedelta) -> list[date]:
    return [first + number * DAY for number in range(max(length // DAY, 1))]


def blackout(start: Moment, length: timedelta, name: str) -> Blackout:
    return Blackout(since=start.instant, until=start.instant + length, name=name)


def moment(found: Property, zone: ZoneInfo) -> Moment:
    return stamped(found.value, found, zone)


def stamped(text: str, found: Property, zone: ZoneInfo) -> Moment:
    parts = STAMP.fullmatch(text)
    try:
        if parts is None or not YEAR_MIN <= int(parts[1]) <= YEAR_MAX:
            raise ValueError  # noqa: TRY301 said once for all that is no instant
        day = date(int(parts[1]), int(parts[2]), int(parts[3]))
        at = None if parts[4] is None else time(int(parts[4]), int(parts[5]), min(int(parts[6]), 59))
    except ValueError:
        raise refused(found.line, f"{text[:50]!r} is not a day or a time such as 20261224T180000Z") from None
    return Moment(day, at, ZoneInfo("UTC") if parts[7] else named_zone(found, zone))


def named_zone(found: Property, zone: ZoneInfo) -> ZoneInfo:
    name = found.parameters.get("TZID")
    if name is None:
        return zone
    try:
        return zone_of(name)
    except InvalidInputError as error:
        raise InvalidInputError("ics", f"line {found.line}: TZID {error.reason}", code="bad_ics") from None


def length_of(said: dict[str, Property], start: Moment, zone: ZoneInfo) -> timedelta:
    end, duration = said.get("DTEND"), said.get("DURATION")
    if end is not None:
        until = moment(end, zone)
        if (until.at is None) != (start.at is None):
            raise refused(end.line, "DTSTART and DTEND are both days, or both times")
        length = until.day - start.day if start.at is None else until.instant - start.instant
    else:
        length = (DAY if start.at is None else timedelta()) if duration is None else lasting(duration)
    if not timedelta() <= length <= LENGTH_MAX:
        raise refused(
            (end or duration or said["DTSTART"]).line, "an event lasts up to 400 days, and ends after it begins"
        )
    return length


def lasting(found: Property) -> timedelta:
    parts = DURATION.fullmatch(found.value)
    if parts is None or not any(parts.groups()):
        raise refused(found.line, f"{found.value[:50]!r} is not a duration such as P1D or PT2H")
    weeks, whole, hours, minutes, seconds = (int(part or 0) for part in parts.groups())
    return timedelta(weeks=weeks, days=whole, hours=hours, minutes=minutes, seconds=seconds)


def excepted(event: Sequence[Property], zone: ZoneInfo) -> set[date]:
    """Days on which a repeated event does not take place."""
    said = [found for found in event if found.name == "EXDATE"]
    return {stamped(text, found, zone).day for found in said for text in found.value.split(",")}


def refuse_unread(said: dict[str, Property]) -> None:
    for name in ("RECURRENCE-ID", "RDATE", "EXRULE"):
        if name in said:
            raise refused(said[name].line, f"{name} is not understood: write such events out one by one")


def text_of(value: str) -> str:
    plain = ESCAPED.sub(lambda found: " " if found[1] in "nN" else found[1], value)
    return "".join(each if each.isprintable() else " " for each in plain)[:NAME_MAX].strip()


def refused(line: int, reason: str) -> InvalidInputError:
    return InvalidInputError("ics", f"line {line}: {reason}", code="bad_ics")
