"""Calendars: the days on which triggers fire, and the versions of those."""

from typing import Any, Unpack

import msgspec

from mainspring.client.calls import AsyncCall, given, part
from mainspring.client.fields import CalendarFields
from mainspring.client.nouns.jobs import seen
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.calendars import (
    CalendarDays,
    CalendarImpactPage,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
)
from mainspring.errors import InvalidInputError

PATH = "/api/v1/calendars"


def list_calendars(*, limit: int, cursor: str | None) -> Request[CalendarPage]:
    return Request("GET", PATH, _page, params=given(limit=str(limit), cursor=cursor))


def get_calendar(name: str) -> Request[CalendarInfo]:
    return Request("GET", f"{PATH}/{part(name)}", _calendar)


def put_calendar(name: str, version: int | None, fields: CalendarFields) -> Request[CalendarInfo]:
    return Request("PUT", f"{PATH}/{part(name)}", _calendar, body=encode(fields), headers=seen_or_new(version))


def import_events(
    name: str, version: int | None, ics: str, *, zone: str, replace: bool, note: str
) -> Request[CalendarInfo]:
    body = encode({"ics": ics, "zone": zone, "replace": replace, "note": note})
    return Request("POST", f"{PATH}/{part(name)}/import", _calendar, body=body, headers=seen_or_new(version))


def delete_calendar(name: str, version: int | None, note: str) -> Request[None]:
    return Request("DELETE", f"{PATH}/{part(name)}", _nothing, params=given(note=note or None), headers=seen(version))


def list_days(name: str, year: int | None) -> Request[CalendarDays]:
    return Request("GET", f"{PATH}/{part(name)}/days", _days, params=given(year=None if year is None else str(year)))


def list_versions(name: str, *, limit: int, cursor: str | None) -> Request[CalendarVersionPage]:
    return Request("GET", f"{PATH}/{part(name)}/versions", _versions, params=given(limit=str(limit), cursor=cursor))


def get_version(name: str, version: int) -> Request[CalendarInfo]:
    return Request("GET", f"{PATH}/{part(name)}/versions/{version}", _calendar)


def preview_calendar(
    name: str, fields: CalendarFields, *, count: int, limit: int, cursor: str | None
) -> Request[CalendarImpactPage]:
    params = given(count=str(count), limit=str(limit), cursor=cursor)
    path, body = f"{PATH}/{part(name)}/preview", encode(fields)
    return Request("POST", path, _impact, params=params, body=body, wait=30.0, repeatable=True)


def seen_or_new(version: int | None) -> dict[str, str]:
    return {"if-none-match": "*"} if version is None else seen(version)


def encode(fields: Any) -> bytes:
    try:
        return json_bytes(fields)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("calendar", f"cannot be written as JSON: {error}", code="bad_calendar") from None


class AsyncCalendars:
    """`client.calendars` of an `AsyncClient`; a change names the version that it was made for."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> CalendarInfo:
        return await self._call(get_calendar(name))

    async def put(self, name: str, version: int | None, **fields: Unpack[CalendarFields]) -> CalendarInfo:
        """Give it this whole definition, or (None) make it; raises StaleError if it is at another version by now."""
        return await self._call(put_calendar(name, version, fields))

    async def import_ics(
        self, name: str, version: int | None, ics: str, *, zone: str = "UTC", replace: bool = False, note: str = ""
    ) -> CalendarInfo:
        """Add the events of an iCalendar file, beside its own dates and blackouts or in place of them."""
        return await self._call(import_events(name, version, ics, zone=zone, replace=replace, note=note))

    async def days(self, name: str, year: int | None = None) -> CalendarDays:
        """The days of a year that do not count; if not said, of this one."""
        return await self._call(list_days(name, year))

    async def versions(self, name: str, *, limit: int = 50, cursor: str | None = None) -> CalendarVersionPage:
        return await self._call(list_versions(name, limit=limit, cursor=cursor))

    async def version(self, name: str, version: int) -> CalendarInfo:
        return await self._call(get_version(name, version))

    async def preview(
        self, name: str, fields: CalendarFields, *, count: int = 5, limit: int = 50, cursor: str | None = None
    ) -> CalendarImpactPage:
        """What a definition would do to the triggers that use the calendar."""
        return await self._call(preview_calendar(name, fields, count=count, limit=limit, cursor=cursor))

    async def delete(self, name: str, *, version: int | None = None, note: str = "") -> None:
        """Only one that no trigger uses."""
        await self._call(delete_calendar(name, version, note))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> CalendarPage:
        return await self._call(list_calendars(limit=limit, cursor=cursor))


def _nothing(_content: bytes) -> None: ...


_calendar = msgspec.json.Decoder(CalendarInfo).decode
_page = msgspec.json.Decoder(CalendarPage).decode
_versions = msgspec.json.Decoder(CalendarVersionPage).decode
_days = msgspec.json.Decoder(CalendarDays).decode
_impact = msgspec.json.Decoder(CalendarImpactPage).decode
