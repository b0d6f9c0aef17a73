"""Calendars: the days on which triggers fire, and the versions of those."""

from typing import Unpack

from mainspring.client.calls import AsyncCall, ask, if_match, if_new
from mainspring.client.fields import CalendarFields
from mainspring.client.values import encode
from mainspring.contract.calendars import (
    CalendarDays,
    CalendarImpactPage,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
)
from mainspring.contract.operations import calendars
from mainspring.contract.operations.jobs import NoteQuery, VersionQuery


class AsyncCalendars:
    """`client.calendars` of an `AsyncClient`; a change names the version that it was made for."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> CalendarInfo:
        return await self._call(ask(calendars.GET_CALENDAR, name))

    async def put(self, name: str, version: int | None, **fields: Unpack[CalendarFields]) -> CalendarInfo:
        """Replace its whole definition, or (None) create it; raises StaleError if it is at another version."""
        headers = if_new() if version is None else if_match(version)
        return await self._call(ask(calendars.PUT_CALENDAR, name, body=encode(fields, "calendar"), headers=headers))

    async def import_ics(
        self, name: str, version: int | None, ics: str, *, zone: str = "UTC", replace: bool = False, note: str = ""
    ) -> CalendarInfo:
        """Add the events of an iCalendar file to its dates and blackouts, or replace those."""
        headers = if_new() if version is None else if_match(version)
        body = calendars.IcsBody(ics=ics, zone=zone, replace=replace, note=note)
        return await self._call(ask(calendars.IMPORT_ICS, name, body=encode(body, "calendar"), headers=headers))

    async def days(self, name: str, year: int | None = None) -> CalendarDays:
        """The excluded days of a year; by default of the current one."""
        return await self._call(ask(calendars.LIST_DAYS, name, query=calendars.DaysQuery(year=year)))

    async def versions(self, name: str, *, limit: int = 50, cursor: str | None = None) -> CalendarVersionPage:
        query = VersionQuery(limit=limit, cursor=cursor)
        return await self._call(ask(calendars.LIST_CALENDAR_VERSIONS, name, query=query))

    async def version(self, name: str, version: int) -> CalendarInfo:
        return await self._call(ask(calendars.GET_CALENDAR_VERSION, name, version))

    async def preview(
        self, name: str, fields: CalendarFields, *, count: int = 5, limit: int = 50, cursor: str | None = None
    ) -> CalendarImpactPage:
        """Show how a definition would change the fire times of the triggers that use the calendar."""
        query, body = calendars.ImpactQuery(count=count, limit=limit, cursor=cursor), encode(fields, "calendar")
        return await self._call(ask(calendars.PREVIEW_CALENDAR, name, query=query, body=body, wait=30.0))

    async def delete(self, name: str, *, version: int | None = None, note: str = "") -> None:
        """Delete a calendar that no trigger uses."""
        headers = if_match(version)
        await self._call(ask(calendars.DELETE_CALENDAR, name, query=NoteQuery(note=note), headers=headers))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> CalendarPage:
        query = calendars.CalendarQuery(limit=limit, cursor=cursor)
        return await self._call(ask(calendars.LIST_CALENDARS, query=query))
