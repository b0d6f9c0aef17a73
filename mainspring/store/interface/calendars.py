"""Calendars, and the versions of each."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.calendars.spec import ApproveCalendar, CalendarVersion, ReviseCalendar


class CalendarFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which calendars to list, by name; `after` is the last one on the page before."""

    namespace: str
    after: str = ""
    limit: int = 50


class CalendarStore(Protocol):
    """Every change locks the calendar's row first, and is audited."""

    async def define(
        self,
        namespace: str,
        name: str,
        revise: ReviseCalendar,
        *,
        actor: Actor,
        note: str,
        now: datetime,
        owner: str | None = None,
    ) -> CalendarVersion:
        """Store the next version, as `revise` makes it from the present one; an equal one makes no version.

        Triggers that use the calendar are looked at again: see `Triggers.touch`. What `revise` raises is raised, and nothing is
        changed; it may be asked twice. With an `owner` it is noted whose set the calendar was applied from.
        """

    async def delete(
        self, namespace: str, name: str, approve: ApproveCalendar, *, actor: Actor, note: str, now: datetime
    ) -> None:
        """Delete it, unless `approve` raises; raises ConflictError while triggers use it."""

    async def present_versions(self) -> Mapping[tuple[str, str], int]:
        """The versions of all calendars, by namespace and name."""

    async def get(self, namespace: str, name: str, *, version: int | None = None) -> CalendarVersion | None:
        """One version of a calendar; None: the present one, of a calendar that is not deleted."""

    async def versions(self, namespace: str, name: str, *, before: int | None, limit: int) -> list[CalendarVersion]:
        """Versions of a calendar, newest first, in front of the number given."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: CalendarFilter) -> list[CalendarVersion]:
        """A page of calendars in the order of their names."""
