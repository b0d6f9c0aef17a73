"""Calendars: the treatment of a trigger's instants on days that do not count, and in blackouts.

An instant on such a day is left out, or moves to the same time of the next or the previous day that counts; two that come
to be at one instant come once. One in a blackout is left out; where days roll forward, it comes when the blackout is over.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from mainspring.domain.calendars.rolling import Deferred, RolledTimer, Skipping
from mainspring.domain.calendars.working_days import Calendar, HolidaysOf
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.fire_times.timers import Timer
from mainspring.domain.triggers.spec import Roll

__all__ = ["Calendar", "Calendared", "HolidaysOf", "left_out"]


class Calendared:
    """A timer under a calendar; `zone` is that of the trigger, and counts unless the calendar has one of its own."""

    __slots__ = ("_timer",)

    def __init__(self, timer: Timer, calendar: Calendar, roll: Roll, zone: ZoneInfo) -> None:
        self._timer = under(timer, calendar, roll, calendar.zone or zone)

    def next(self, after: datetime) -> datetime | None:
        return self._timer.next(after)

    def previous(self, before: datetime) -> datetime | None:
        return self._timer.previous(before)


def under(timer: Timer, calendar: Calendar, roll: Roll, zone: ZoneInfo) -> Timer:
    if roll is Roll.NEXT:
        rolled = RolledTimer(timer, calendar, zone, forward=True)
        return Deferred(rolled, calendar, zone) if calendar.has_blackouts else rolled
    return skipping(timer, calendar, roll, zone)


def skipping(timer: Timer, calendar: Calendar, roll: Roll, zone: ZoneInfo) -> Skipping:
    """The reason for which an instant is left out."""
    if roll is Roll.PREVIOUS:
        return Skipping(RolledTimer(timer, calendar, zone, forward=False), calendar, zone, days=False)
    return Skipping(timer, calendar, zone)


def left_out(
    timer: Timer, calendar: Calendar, roll: Roll, zone: ZoneInfo, first: datetime, last: datetime
) -> Span | None:
    """From the first to the last instant, of those from one to another, that the calendar leaves out.

    `timer` is the one beneath the calendar. What counts between the two is fired or skipped for reasons of its own.
    """
    if roll is Roll.NEXT:
        return None
    found = skipping(timer, calendar, roll, calendar.zone or zone)
    begin = found.first_left_out(first, last)
    end = None if begin is None else found.last_left_out(begin, last)
    return None if begin is None or end is None else Span(begin, end, SkipReason.CALENDAR)
