"""Builds a trigger's timer from its definition; parts that many triggers share are read once."""

import re
from collections.abc import Collection
from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import assert_never
from zoneinfo import ZoneInfo

import msgspec

from mainspring.domain.calendars.policy import Calendar, Calendared
from mainspring.domain.calendars.zones import zone_of
from mainspring.domain.cron import Expression, Fold, Gap, Zoned, parse_cron
from mainspring.domain.triggers.fire_times.timers import Crons, Interval, Once, Timer, Window, Windowed
from mainspring.domain.triggers.spec import At, Cron, Delay, Event, Every, TriggerSpec, Webhook, Windows
from mainspring.errors import InvalidInputError

PARSED_MAX = 20_000
"""Expressions that are kept; a million triggers rarely have more that differ."""
HASHED = re.compile(r"(?<![a-z])h(?![a-z])")
CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class NoFireTimes(msgspec.Struct, frozen=True):
    """No instant at all: of triggers that wait to be called."""

    def next(self, after: datetime) -> datetime | None:  # noqa: ARG002 a timer's form
        return None

    def previous(self, before: datetime) -> datetime | None:  # noqa: ARG002 a timer's form
        return None


class Bounded(msgspec.Struct, frozen=True):
    """A timer from one instant on, until before another."""

    timer: Timer
    start: datetime | None
    end: datetime | None

    def next(self, after: datetime) -> datetime | None:
        found = self.timer.next(after)
        if found is not None and self.start is not None and found < self.start:
            found = self.timer.next(self.start - SMALLEST)
        return None if found is None or (self.end is not None and found >= self.end) else found

    def previous(self, before: datetime) -> datetime | None:
        found = self.timer.previous(before if self.end is None else min(before, self.end))
        return None if found is None or (self.start is not None and found < self.start) else found


class Excluding(msgspec.Struct, frozen=True):
    """A timer but for some of its instants."""

    timer: Timer
    excluded: frozenset[datetime]

    def next(self, after: datetime) -> datetime | None:
        found = self.timer.next(after)
        while found in self.excluded:
            found = self.timer.next(found)
        return found

    def previous(self, before: datetime) -> datetime | None:
        found = self.timer.previous(before)
        while found in self.excluded:
            found = self.timer.previous(found)
        return found


SMALLEST = timedelta(microseconds=1)


def timer_of(spec: TriggerSpec, *, created_at: datetime, calendar: Calendar | None = None) -> Timer:
    """Raises InvalidInputError if it cannot be understood. A fixed delay has its first instant only: the others depend on
    when runs end."""
    timer = plain_timer(spec, created_at)
    if calendar is not None:
        timer = Calendared(timer, calendar, spec.roll, own_zone(spec))
    return bounded(timer, spec)


def bounded(timer: Timer, spec: TriggerSpec) -> Timer:
    return timer if spec.start_at is None and spec.end_at is None else Bounded(timer, spec.start_at, spec.end_at)


def excluding(timer: Timer, asked: Collection[datetime]) -> Timer:
    """The same timer without the instants that an operator skips."""
    return Excluding(timer, frozenset(asked)) if asked else timer


def plain_timer(spec: TriggerSpec, created_at: datetime) -> Timer:
    match spec.when:
        case Cron() as cron:
            return crons(cron, spec.name)
        case Every(every=every, anchor=anchor):
            return Interval(timedelta(seconds=every), created_at.replace(microsecond=0) if anchor is None else anchor)
        case Delay():
            return Once(created_at if spec.start_at is None else max(created_at, spec.start_at))
        case At(at=at):
            return Once(at)
        case Windows() as windows:
            return windowed(windows)
        case Webhook() | Event():
            return NO_FIRE_TIMES
        case other:
            assert_never(other)


NO_FIRE_TIMES = NoFireTimes()
UTC = ZoneInfo("UTC")


def own_zone(spec: TriggerSpec) -> ZoneInfo:
    """Whose midnights part its days."""
    return zone_of(spec.when.zone, "when.zone") if isinstance(spec.when, Cron | Windows) else UTC


def crons(cron: Cron, name: str) -> Timer:
    return shared_crons(cron) or read_crons(cron, name)


@lru_cache(maxsize=PARSED_MAX)
def shared_crons(cron: Cron) -> Timer | None:
    """The timer of all triggers that have these expressions; None: it depends on their names."""
    return None if any(map(is_hashed, cron.expressions)) else read_crons(cron, "")


@lru_cache(maxsize=PARSED_MAX)
def read_crons(cron: Cron, name: str) -> Timer:
    zone = zone_of(cron.zone, "when.zone")
    read = [zoned(text, name, zone, cron.gap, cron.fold, index) for index, text in enumerate(cron.expressions)]
    return read[0] if len(read) == 1 else Crons(tuple(read))


def zoned(text: str, name: str, zone: ZoneInfo, gap: Gap, fold: Fold, index: int) -> Zoned:
    try:
        expression = parsed(text, seed_of(text, name))
    except InvalidInputError as error:
        raise InvalidInputError(f"when.expressions[{index}]", error.reason, code=error.code) from None
    return Zoned(expression, zone, gap, fold)


def seed_of(text: str, name: str) -> str:
    """The seed of an expression: empty if it has no `H`."""
    return name if is_hashed(text) else ""


@lru_cache(maxsize=PARSED_MAX)
def is_hashed(text: str) -> bool:
    return HASHED.search(text.lower()) is not None


@lru_cache(maxsize=PARSED_MAX)
def parsed(text: str, seed: str) -> Expression:
    return parse_cron(text, seed=seed)


@lru_cache(maxsize=PARSED_MAX)
def windowed(windows: Windows) -> Windowed:
    opens, closes = clock(windows.opens, "when.opens"), clock(windows.closes, "when.closes")
    weekdays = frozenset(weekday(name, index) for index, name in enumerate(windows.weekdays)) or frozenset(range(7))
    return Windowed(
        timedelta(seconds=windows.every), Window(opens, closes, zone_of(windows.zone, "when.zone"), weekdays)
    )


def clock(text: str, field: str) -> time:
    found = CLOCK.fullmatch(text)
    if found is None:
        raise InvalidInputError(
            field, f"{text[:50]!r} is not a time of day such as 09:00 or 09:00:30", code="bad_trigger"
        )
    return time(int(found[1]), int(found[2]), int(found[3] or 0))


def weekday(name: str, index: int) -> int:
    if name not in WEEKDAYS:
        reason = f"{name[:50]!r} is not one of {', '.join(WEEKDAYS)}"
        raise InvalidInputError(f"when.weekdays[{index}]", reason, code="bad_trigger")
    return WEEKDAYS.index(name)
