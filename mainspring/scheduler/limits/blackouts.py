"""Blackouts begin and end at the instants of their calendars, and pauses that were set for a time end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from mainspring.clock import Clock
from mainspring.domain.calendars.working_days import Calendar
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CalendarsChanged, CatalogChanged, Facts
from mainspring.scheduler.limits.pauses import PauseOperations
from mainspring.scheduler.operations.calendars import CalendarOperations

LOOK = 60.0
"""Seconds between two looks without a change that is known to come."""
UTC_ZONE = ZoneInfo("UTC")

FindCalendar = Callable[[str, str], Calendar | None]
"""A calendar by namespace and name."""


class KeepBlackouts:
    """Every server does this for itself; only the end of a pause is written, by the first that comes to it."""

    name = "keep_blackouts"

    def __init__(self, clock: Clock, catalog: Catalog, pauses: PauseOperations, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = LOOK
        self._clock = clock
        self._catalog = catalog
        self._pauses = pauses
        self._find: FindCalendar = lambda _namespace, _name: None
        facts.wake(self.wake, CatalogChanged, CalendarsChanged)

    def follow(self, calendars: CalendarOperations) -> None:
        """Go by these calendars, and keep those that are gone by."""
        self._find, calendars.users = calendars.of, self.users

    async def tick(self) -> bool:
        now = self._clock.now()
        changes: list[datetime] = []
        closed: dict[tuple[str, str], datetime | None] = {}
        for place in {*self._named()}:
            calendar = self._find(*place)
            if calendar is None:
                continue
            zone = calendar.zone or UTC_ZONE
            opens = calendar.free_from(now, zone)
            if opens == now:
                changes.append(calendar.free(now, zone).end)
                continue
            closed[place] = opens
            changes += [] if opens is None else [opens]
        self._catalog.set_closed(closed)
        changes += [at async for at in self._end_pauses(now)]
        self.period = min([LOOK, *(max(0.0, (at - now).total_seconds()) for at in changes)])
        return False

    def users(self, namespace: str, calendar: str) -> tuple[list[str], list[str]]:
        """The queues (a namespace for all of its own) and the jobs that start nothing while the calendar is closed."""
        rules = [rule for rule in self._catalog.rules.values() if rule.policy.blackout == calendar]
        queues = [rule.queue or namespace for rule in rules if rule.namespace == namespace]
        jobs = [job for job in self._catalog.jobs.values() if job.spec.policy.blackout == calendar]
        return queues, [job.name for job in jobs if job.namespace == namespace]

    def _named(self) -> Iterator[tuple[str, str]]:
        for rule in self._catalog.rules.values():
            if rule.policy.blackout:
                yield rule.namespace, rule.policy.blackout
        for job in self._catalog.jobs.values():
            if job.spec.policy.blackout:
                yield job.namespace, job.spec.policy.blackout

    async def _end_pauses(self, now: datetime) -> AsyncIterator[datetime]:
        """End the pauses whose time has come; yields when the others do."""
        for rule in list(self._catalog.rules.values()):
            if rule.pause is None or rule.pause.until is None:
                continue
            if rule.pause.until > now:
                yield rule.pause.until
            else:
                await self._pauses.end_due(rule.place, now)
