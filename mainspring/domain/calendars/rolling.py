"""Timers under a calendar: instants that are left out, moved to another day, or put off until a blackout is over.

All is arithmetic on the timer beneath: days and blackouts that do not count are jumped over as wholes, however many
instants they hold.
"""

from collections.abc import Iterator
from datetime import date, datetime
from zoneinfo import ZoneInfo

import msgspec

from mainspring.domain.calendars.working_days import SEARCH_MAX, Calendar, first_counted
from mainspring.domain.calendars.zone_days import begin_of, covered, day_of, end_of, naught, pieces, place, wall_of
from mainspring.domain.triggers.fire_times.timers import DAY, TICK, Timer, earliest, last


class Skipping(msgspec.Struct, frozen=True):
    """A timer without the instants that its calendar leaves out; without `days`, those in blackouts alone."""

    timer: Timer
    calendar: Calendar
    zone: ZoneInfo
    days: bool = True

    def next(self, after: datetime) -> datetime | None:
        for _ in range(SEARCH_MAX):
            found = self.timer.next(after)
            free = None if found is None else self.calendar.free_from(found, self.zone, days=self.days)
            if free is None or free == found:
                return free
            after = free - TICK
        return None

    def previous(self, before: datetime) -> datetime | None:
        for _ in range(SEARCH_MAX):
            found = self.timer.previous(before)
            if found is None or self.calendar.is_free(found, self.zone, days=self.days):
                return found
            free = self.calendar.free_before(found, self.zone, days=self.days)
            if free is None:
                return None
            before = free
        return None

    def first_left_out(self, since: datetime, until: datetime) -> datetime | None:
        """The first instant, of those from one to another, that is left out."""
        found = self.timer.next(since - TICK)
        for _ in range(SEARCH_MAX):
            if found is None or found > until:
                return None
            if not self.calendar.is_free(found, self.zone, days=self.days):
                return found
            found = self.timer.next(self.calendar.free(found, self.zone).end - TICK)
        return None

    def last_left_out(self, since: datetime, until: datetime) -> datetime | None:
        found = self.timer.previous(until + TICK)
        for _ in range(SEARCH_MAX):
            if found is None or found < since:
                return None
            if not self.calendar.is_free(found, self.zone, days=self.days):
                return found
            found = self.timer.previous(self.calendar.free(found, self.zone).begin)
        return None


class Deferred(msgspec.Struct, frozen=True):
    """A timer whose instants in a blackout come as soon as that is over, on a day that counts; several come once."""

    timer: Timer
    calendar: Calendar
    zone: ZoneInfo

    def next(self, after: datetime) -> datetime | None:
        begin = self.calendar.free_before(after + TICK, self.zone)
        if begin is not None and begin <= after:
            # In a stretch that is not free: what lies in it comes at its end, also what has passed.
            end, inside = self.calendar.free_from(after, self.zone), self.timer.next(begin - TICK)
            if end is None or (inside is not None and inside < end):
                return end
        found = self.timer.next(after)
        return None if found is None else self.calendar.free_from(found, self.zone)

    def previous(self, before: datetime) -> datetime | None:
        found = self.timer.previous(before)
        free = None if found is None else self.calendar.free_from(found, self.zone)
        if found is None or (free is not None and free < before):
            return free
        # All that is put off beside it comes too late as well.
        begin = self.calendar.free_before(found, self.zone)
        found = None if begin is None else self.timer.previous(begin)
        return None if found is None else self.calendar.free_from(found, self.zone)


class RolledTimer(msgspec.Struct, frozen=True):
    """A timer whose instants on days that do not count move to the same time of the nearest day that does.

    On that day they may come in another order than they had: the instants of all days that move there are looked at
    together, each day from the time on that is asked for.
    """

    timer: Timer
    calendar: Calendar
    zone: ZoneInfo
    forward: bool

    def next(self, after: datetime) -> datetime | None:
        found = self.timer.next(after)
        if found is not None and self._stays(found, day_of(after if self.forward else found, self.zone)):
            return found
        at = after
        if self.forward and (landing := self._landing(day_of(after, self.zone))) is not None:
            at = begin_of(self._first(landing), self.zone) - TICK
        for _ in range(SEARCH_MAX):
            found = self.timer.next(at)
            landing = None if found is None else self._landing(day_of(found, self.zone))
            if landing is None:
                return None
            here = earliest(self._first_of(each, landing, after) for each in self._moving_to(landing))
            if here is not None:
                return here
            at = end_of(self._last(landing), self.zone) - TICK
        return None

    def previous(self, before: datetime) -> datetime | None:
        found = self.timer.previous(before)
        if found is not None and self._stays(found, day_of(found if self.forward else before, self.zone)):
            return found
        at = before
        if not self.forward and (landing := self._landing(day_of(before, self.zone))) is not None:
            at = end_of(self._last(landing), self.zone)
        for _ in range(SEARCH_MAX):
            found = self.timer.previous(at)
            landing = None if found is None else self._landing(day_of(found, self.zone))
            if landing is None:
                return None
            here = last(self._last_of(each, landing, before) for each in self._moving_to(landing))
            if here is not None:
                return here
            at = begin_of(self._first(landing), self.zone)
        return None

    def _stays(self, found: datetime, day: date) -> bool:
        """Whether an instant comes where it is and nothing moves in front of it: the usual case, told without a search.

        What could lies on days beside the one given, from which instants move to that.
        """
        beside = day - DAY if self.forward else day + DAY
        return self._counts(day_of(found, self.zone)) and self._counts(day) and self._counts(beside)

    def _counts(self, day: date) -> bool:
        return self.calendar.counts(day) and bool(pieces(day, self.zone))

    def _landing(self, day: date) -> date | None:
        """The day to which the instants of a day move."""
        return first_counted(self.calendar, day, self.zone, step=DAY if self.forward else -DAY)

    def _first(self, landing: date) -> date:
        """The first of the days whose instants move to one."""
        return self._edge(landing, -1) if self.forward else landing

    def _last(self, landing: date) -> date:
        return landing if self.forward else self._edge(landing, 1)

    def _edge(self, day: date, step: int) -> date:
        for _ in range(SEARCH_MAX):
            beside = day + step * DAY
            if self._counts(beside):
                return day
            day = beside
        return day

    def _moving_to(self, landing: date) -> Iterator[date]:
        day, final = self._first(landing), self._last(landing)
        while day <= final:
            yield day
            day += DAY

    def _first_of(self, day: date, landing: date, after: datetime) -> datetime | None:
        """The first instant behind that one, of those that move from a day to another."""
        if day == landing:
            found = self.timer.next(max(after, begin_of(day, self.zone) - TICK))
            return found if found is not None and found < end_of(day, self.zone) else None
        wall = covered(landing, after + TICK, self.zone)
        places = []
        for piece in pieces(day, self.zone):
            found = self.timer.next(max(piece.begin, naught(day) + wall - piece.offset) - TICK)
            if found is not None and found < piece.end:
                places.append(place(landing, wall_of(found, day, piece), self.zone))
        return earliest(places)

    def _last_of(self, day: date, landing: date, before: datetime) -> datetime | None:
        if day == landing:
            found = self.timer.previous(min(before, end_of(day, self.zone)))
            return found if found is not None and found >= begin_of(day, self.zone) else None
        wall = covered(landing, before, self.zone)
        places = []
        for piece in pieces(day, self.zone) if wall else ():
            found = self.timer.previous(min(piece.end, naught(day) + wall - piece.offset))
            if found is not None and found >= piece.begin:
                places.append(place(landing, wall_of(found, day, piece), self.zone))
        return last(places)
