"""Serves calendars: their definitions and versions, imports, and the effect of changes on triggers."""

import asyncio

from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import next_of, read_name_cursor, read_version_cursor, write_name_cursor
from mainspring.api.http.preconditions import is_known, path_to, tagged, unchanged
from mainspring.api.routes.calendars.views import as_spec, show_calendar, show_impact
from mainspring.contract.calendars import (
    CalendarDays,
    CalendarImpactPage,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
)
from mainspring.contract.operations import calendars
from mainspring.contract.operations.jobs import NoteQuery, VersionQuery
from mainspring.domain.calendars.checks import check_calendar
from mainspring.domain.calendars.ics import read_ics
from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion
from mainspring.scheduler.operations.jobs import check_note
from mainspring.scheduler.triggers.holidays import calendar_of, compute
from mainspring.store.interface import CalendarFilter

router = Routes()


@router.bind(calendars.LIST_CALENDARS)
async def list_calendars(call: Call, query: calendars.CalendarQuery) -> CalendarPage:
    after = read_name_cursor("calendar", query.cursor)
    found = await call.engine.calendars.list(CalendarFilter(namespace=call.namespace, after=after, limit=query.limit))
    following = next_of(found, query.limit, lambda last: write_name_cursor("calendar", last.name))
    return CalendarPage([show_calendar(each) for each in found], following)


@router.bind(calendars.GET_CALENDAR)
async def get_calendar(call: Call, name: str) -> Response:
    found = await call.engine.calendars.get(call.namespace, name)
    if is_known(call.request, found.version):
        return unchanged(found.version)
    return tagged(show_calendar(found), found.version)


@router.bind(calendars.PUT_CALENDAR)
async def put_calendar(call: Call, name: str, body: calendars.CalendarBody) -> Response:
    expected, spec = call.expected, as_spec(name, body)
    await learn_holidays(call, spec)
    made, is_new = await call.engine.calendars.put(call.namespace, spec, expected, call.edit(body.note))
    return answer(made, is_new=is_new)


@router.bind(calendars.DELETE_CALENDAR)
async def delete_calendar(call: Call, name: str, query: NoteQuery) -> None:
    await call.engine.calendars.delete(call.namespace, name, call.expected.seeing(), call.edit(query.note))


@router.bind(calendars.IMPORT_ICS)
async def import_ics(call: Call, name: str, body: calendars.IcsBody) -> Response:
    expected = call.expected
    # A large file takes a while, and would hold up all other calls.
    events = await asyncio.to_thread(read_ics, body.ics, year=call.now.year, zone=body.zone)
    made, is_new = await call.engine.calendars.add_events(
        call.namespace, name, events, expected, call.edit(body.note), replace=body.replace
    )
    return answer(made, is_new=is_new)


@router.bind(calendars.LIST_DAYS)
async def list_days(call: Call, name: str, query: calendars.DaysQuery) -> CalendarDays:
    calendar = calendar_of(await call.engine.calendars.get(call.namespace, name))
    year = call.now.year if query.year is None else query.year
    return CalendarDays(year, dict(calendar.left_out_days(year)))


@router.bind(calendars.LIST_CALENDAR_VERSIONS)
async def list_calendar_versions(call: Call, name: str, query: VersionQuery) -> CalendarVersionPage:
    before = read_version_cursor(query.cursor)
    versions = await call.engine.calendars.versions(call.namespace, name, before=before, limit=query.limit)
    following = next_of(versions, query.limit, lambda last: str(last.version) if last.version > 1 else None)
    return CalendarVersionPage([show_calendar(each) for each in versions], following)


@router.bind(calendars.GET_CALENDAR_VERSION)
async def get_calendar_version(call: Call, name: str, version: int) -> CalendarInfo:
    return show_calendar(await call.engine.calendars.version(call.namespace, name, version))


@router.bind(calendars.PREVIEW_CALENDAR)
async def preview_calendar(
    call: Call, name: str, query: calendars.ImpactQuery, body: calendars.CalendarBody
) -> CalendarImpactPage:
    check_note(body.note)
    spec, after = as_spec(name, body), read_name_cursor("trigger", query.cursor)
    await learn_holidays(call, spec)
    found = await call.engine.calendars.impact(call.namespace, spec, count=query.count, after=after, limit=query.limit)
    following = next_of(found, query.limit, lambda last: write_name_cursor("trigger", last.trigger.name))
    return CalendarImpactPage([show_impact(each) for each in found], following)


async def learn_holidays(call: Call, spec: CalendarSpec) -> None:
    check_calendar(spec)
    if spec.holidays:
        # In a thread: the package takes a while to load, and so do some countries.
        await asyncio.to_thread(compute, spec.holidays, call.now.year)


def answer(made: CalendarVersion, *, is_new: bool) -> Response:
    return tagged(show_calendar(made), made.version, created=path_to("calendars", made.name) if is_new else "")
