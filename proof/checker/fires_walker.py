"""Which instants a rule names, found by looking at every second: slow, plain, and no code of the product's.

It knows the forms that trials use: cron with seconds (stars, numbers, lists, ranges, steps), intervals, windows, and once.
All instants are microseconds since 1970.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

MICROS = 1_000_000
EVER = 1 << 62
HOUR = 3600
FIELDS = ((0, 59), (0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
"""Of a cron expression: seconds, minutes, hours, days, months, weekdays."""
DAYS_FROM, DAYS_TO = -2, 3


def walk(spec: dict[str, Any], created_at: int, since: int, until: int) -> list[int]:
    """All instants from the one to before the other, each once, in their order; whether its trigger may fire by then or not."""
    when = spec["when"]
    match when["kind"]:
        case "cron":
            found = cron(when, since, until)
        case "interval":
            anchor = parsed(when["anchor"]) if when.get("anchor") else created_at // MICROS * MICROS
            found = steps(anchor, when["every"], since, until)
        case "windows":
            found = windows(when, since, until)
        case "once":
            found = iter([parsed(when["at"])])
        case kind:
            raise ValueError(f"the instants of {kind!r} are not written down anywhere")
    return sorted({at for at in found if since <= at < until})


def within_bounds(spec: dict[str, Any], instants: Iterable[int]) -> list[int]:
    """Those between a trigger's start and its end, in their order."""
    low = parsed(spec["start_at"]) if spec.get("start_at") else 0
    high = parsed(spec["end_at"]) if spec.get("end_at") else EVER
    return sorted(at for at in instants if low <= at < high)


def parsed(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * MICROS)


def steps(anchor: int, every: float, since: int, until: int) -> Iterator[int]:
    step = round(every * MICROS)
    at = anchor + (since - anchor) // step * step
    while at < until:
        yield at
        at += step


def windows(when: dict[str, Any], since: int, until: int) -> Iterator[int]:
    zone = ZoneInfo(when.get("zone", "UTC"))
    today = datetime.fromtimestamp(since / MICROS, zone).date()
    for number in range(DAYS_FROM, (until - since) // (24 * HOUR * MICROS) + DAYS_TO):
        opens = clock(today + timedelta(days=number), when["opens"], zone)
        closes = clock(today + timedelta(days=number), when["closes"], zone)
        if closes <= opens:
            closes = clock(today + timedelta(days=number + 1), when["closes"], zone)
        yield from steps_within(opens, when["every"], closes)


def steps_within(opens: int, every: float, closes: int) -> Iterator[int]:
    return iter(range(opens, closes, round(every * MICROS)))


def clock(day: date, text: str, zone: ZoneInfo) -> int:
    hour, minute, second = map(int, text.split(":"))
    return round(datetime(day.year, day.month, day.day, hour, minute, second, tzinfo=zone).timestamp() * MICROS)


def cron(when: dict[str, Any], since: int, until: int) -> Iterator[int]:
    zone = ZoneInfo(when.get("zone", "UTC"))
    for text in when["expressions"]:
        fields = [numbers(part, *span) for part, span in zip(text.split(), FIELDS, strict=True)]
        elapsed = text.split()[1].startswith("*") or text.split()[2].startswith("*")
        gap, fold = ("skip", "both") if elapsed else (when.get("gap", "next_valid"), when.get("fold", "first"))
        for second in range(since // MICROS, until // MICROS + 1):
            if is_named(second, fields, zone, fold) or (gap == "next_valid" and is_behind_gap(second, fields, zone)):
                yield second * MICROS


def numbers(text: str, low: int, high: int) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = (f"{low}-{high}" if span == "*" else span).partition("-")
        found |= set(range(int(first), int(last or first) + 1, int(step or 1)))
    return frozenset(found)


def is_named(second: int, fields: list[frozenset[int]], zone: ZoneInfo, fold: str) -> bool:
    """Whether the wall clock shows what the expression says; of two such instants, whether it is the one that counts."""
    wall = datetime.fromtimestamp(second, UTC).astimezone(zone)
    if not shows(wall, fields):
        return False
    first, again = wall.replace(fold=0).timestamp(), wall.replace(fold=1).timestamp()
    if first >= again or fold == "both":
        return True
    return second == (first if fold == "first" else again)


def is_behind_gap(second: int, fields: list[frozenset[int]], zone: ZoneInfo) -> bool:
    """Whether the clock was set forward to this second over a time that the expression names."""
    here, before = (datetime.fromtimestamp(at, UTC).astimezone(zone) for at in (second, second - 1))
    missing = (here.replace(tzinfo=None) - before.replace(tzinfo=None)).total_seconds() - 1
    if missing <= 0:
        return False
    left_out = (here - timedelta(seconds=back) for back in range(1, int(missing) + 1))
    return any(shows(wall, fields) for wall in left_out)


def shows(wall: datetime, fields: list[frozenset[int]]) -> bool:
    seconds, minutes, hours, days, months, weekdays = fields
    return (
        wall.second in seconds
        and wall.minute in minutes
        and wall.hour in hours
        and wall.day in days
        and wall.month in months
        and (wall.isoweekday() in weekdays or wall.isoweekday() % 7 in weekdays)
    )
