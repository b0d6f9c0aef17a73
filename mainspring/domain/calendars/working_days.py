"""Which days count, and when nothing is started: a calendar as arithmetic sees it."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from mainspring.domain.calendars.spec import CalendarVersion
from mainspring.domain.calendars.zone_days import WEEKDAYS, begin_of, day_of, end_of, pieces
from mainspring.domain.calendars.zones import zone_of
from mainspring.domain.triggers.fire_times.timers import DAY, TICK, Window

SEARCH_MAX = 400
"""Days, or steps, that are searched for one that counts: more than a year of days, one after the other."""

HolidaysOf = Callable[[int], Mapping[date, str]]
"""The holidays of a year, with their names."""


class InstantStretch(NamedTuple):
    """From one instant until before another."""

    begin: datetime
    end: datetime


class Calendar:
    """One version of a calendar; its days are worked out a year at a time, when they are first asked for."""

    def __init__(self, version: CalendarVersion, holidays: HolidaysOf = lambda _: {}) -> None:
        spec = version.spec
        self.name = spec.name
        self.version = version.version
        self.zone = zone_of(spec.zone) if spec.zone else None
        self._weekdays = frozenset(map(WEEKDAYS.index, spec.weekdays))
        self._dates = {date.fromisoformat(day): name for day, name in spec.dates.items() if len(day) > len("12-24")}
        self._yearly = {day: name for day, name in spec.dates.items() if len(day) == len("12-24")}
        self._counted = frozenset(map(date.fromisoformat, spec.counted))
        self._holidays = holidays
        self._blackouts = merged(
            [InstantStretch(each.since.astimezone(UTC), each.until.astimezone(UTC)) for each in spec.blackouts]
        )
        self._windows = [
            Window(
                time.fromisoformat(each.opens),
                time.fromisoformat(each.closes),
                zone_of(each.zone),
                frozenset(map(WEEKDAYS.index, each.weekdays)) or frozenset(range(7)),
            )
            for each in spec.daily_blackouts
        ]
        self._years: dict[int, dict[date, str]] = {}

    @property
    def has_blackouts(self) -> bool:
        return bool(self._blackouts or self._windows)

    def counts(self, day: date) -> bool:
        return day not in self.left_out_days(day.year)

    def left_out_days(self, year: int) -> Mapping[date, str]:
        """The days of a year that do not count, each with its reason, in their order."""
        if year not in self._years:
            self._years[year] = dict(sorted(self._work_out(year)))
        return self._years[year]

    def is_free(self, at: datetime, zone: ZoneInfo, *, days: bool = True) -> bool:
        """Whether something may start then; without `days`, as far as blackouts are concerned."""
        return self._block(at, zone, days=days) is None

    def free_from(self, at: datetime, zone: ZoneInfo, *, days: bool = True) -> datetime | None:
        """The first free instant from that one on; None: there is none for as long as is searched."""
        for _ in range(SEARCH_MAX):
            if (block := self._block(at, zone, days=days)) is None:
                return at
            at = block.end
        return None

    def free_before(self, at: datetime, zone: ZoneInfo, *, days: bool = True) -> datetime | None:
        """The last instant up to that one in front of which it is free."""
        for _ in range(SEARCH_MAX):
            if (block := self._block(at - TICK, zone, days=days)) is None:
                return at
            at = block.begin
        return None

    def free(self, at: datetime, zone: ZoneInfo) -> InstantStretch:
        """The part of an instant's day around it that no blackout cuts; the instant is not in one."""
        day = day_of(at, zone)
        begin, end = begin_of(day, zone), end_of(day, zone)
        for block in self._near(at):
            if block.begin > at:
                end = min(end, block.begin)
            else:
                begin = max(begin, block.end)
        return InstantStretch(begin, end)

    def _block(self, at: datetime, zone: ZoneInfo, *, days: bool) -> InstantStretch | None:
        """One day or one blackout that an instant is in."""
        if days and not self.counts(day := day_of(at, zone)) and pieces(day, zone):
            return InstantStretch(begin_of(day, zone), end_of(day, zone))
        return next((block for block in self._near(at) if block.begin <= at < block.end), None)

    def _near(self, at: datetime) -> Iterator[InstantStretch]:
        """The blackouts around an instant."""
        if self._blackouts:
            index = bisect_right(self._blackouts, at, key=lambda block: block.begin)
            yield from self._blackouts[max(index - 1, 0) : index + 1]
        for window in self._windows:
            day = at.astimezone(window.zone).date()
            for each in (day - DAY, day, day + DAY):
                if (span := opening(window, each)) is not None:
                    yield span

    def _work_out(self, year: int) -> Iterator[tuple[date, str]]:
        holidays = self._holidays(year)
        day = date(year, 1, 1)
        while day.year == year:
            name = self._name(day, holidays)
            if name is not None and day not in self._counted:
                yield day, name
            if day == date.max:
                break
            day += DAY

    def _name(self, day: date, holidays: Mapping[date, str]) -> str | None:
        """Why a day does not count; the name that people gave it says most."""
        if (own := self._dates.get(day, self._yearly.get(day.isoformat()[5:]))) is not None:
            return own or "own date"
        if (holiday := holidays.get(day)) is not None:
            return holiday
        return WEEKDAYS[day.weekday()] if day.weekday() in self._weekdays else None


@lru_cache(maxsize=4096)
def opening(window: Window, day: date) -> InstantStretch | None:
    span = window.on(day)
    return None if span is None else InstantStretch(*span)


def merged(stretches: Sequence[InstantStretch]) -> list[InstantStretch]:
    """The same in their order, those that touch as one."""
    found: list[InstantStretch] = []
    for each in sorted(stretches):
        if found and each.begin <= found[-1].end:
            found[-1] = InstantStretch(found[-1].begin, max(found[-1].end, each.end))
        else:
            found.append(each)
    return found


def first_counted(calendar: Calendar, day: date, zone: ZoneInfo, *, step: timedelta) -> date | None:
    """The first day from that one on, in either direction, that counts and that the zone has."""
    for _ in range(SEARCH_MAX):
        if calendar.counts(day) and pieces(day, zone):
            return day
        day += step
    return None
