"""Generated from mainspring/client/nouns/calendars.py by `make client-sync`: do not edit."""

from typing import Unpack

from mainspring.client.calls import SyncCall
from mainspring.client.fields import CalendarFields
from mainspring.client.nouns.calendars import (
    delete_calendar,
    get_calendar,
    get_version,
    import_events,
    list_calendars,
    list_days,
    list_versions,
    preview_calendar,
    put_calendar,
)
from mainspring.contract.calendars import (
    CalendarDays,
    CalendarImpactPage,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
)


class Calendars:
    """`client.calendars` of a `Client`; a change names the version that it was made for."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> CalendarInfo:
        return self._call(get_calendar(name))

    def put(self, name: str, version: int | None, **fields: Unpack[CalendarFields]) -> CalendarInfo:
        """Give it this whole definition, or (None) make it; raises StaleError if it is at another version by now."""
        return self._call(put_calendar(name, version, fields))

    def import_ics(
        self, name: str, version: int | None, ics: str, *, zone: str = "UTC", replace: bool = False, note: str = ""
    ) -> CalendarInfo:
        """Add the events of an iCalendar file, beside its own dates and blackouts or in place of them."""
        return self._call(import_events(name, version, ics, zone=zone, replace=replace, note=note))

    def days(self, name: str, year: int | None = None) -> CalendarDays:
        """The days of a year that do not count; if not said, of this one."""
        return self._call(list_days(name, year))

    def versions(self, name: str, *, limit: int = 50, cursor: str | None = None) -> CalendarVersionPage:
        return self._call(list_versions(name, limit=limit, cursor=cursor))

    def version(self, name: str, version: int) -> CalendarInfo:
        return self._call(get_version(name, version))

    def preview(
        self, name: str, fields: CalendarFields, *, count: int = 5, limit: int = 50, cursor: str | None = None
    ) -> CalendarImpactPage:
        """What a definition would do to the triggers that use the calendar."""
        return self._call(preview_calendar(name, fields, count=count, limit=limit, cursor=cursor))

    def delete(self, name: str, *, version: int | None = None, note: str = "") -> None:
        """Only one that no trigger uses."""
        self._call(delete_calendar(name, version, note))

    def list(self, *, limit: int = 50, cursor: str | None = None) -> CalendarPage:
        return self._call(list_calendars(limit=limit, cursor=cursor))
