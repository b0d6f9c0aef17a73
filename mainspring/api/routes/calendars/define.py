"""Calendars: look at them, make and change them, import files, and see what a change would do to triggers."""

import asyncio
from typing import Annotated
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.http.preconditions import IF_MATCH, IF_NONE_MATCH, expected_of, is_known, tagged
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.calendars.views import LIMITS, STRUCTS, as_spec, show_calendar, show_impact
from mainspring.api.routes.jobs.define import Before, NoteText, Number
from mainspring.contract.calendars import (
    CalendarBody,
    CalendarDays,
    CalendarImpactPage,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
    IcsBody,
)
from mainspring.domain.calendars.checks import NAME_MAX, check_calendar
from mainspring.domain.calendars.ics import read_ics
from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion
from mainspring.domain.years import YEAR_MAX, YEAR_MIN
from mainspring.scheduler.operations.jobs import VERSION_MAX, Words, check_note
from mainspring.scheduler.triggers.holidays import calendar_of, compute
from mainspring.store.interface import CalendarFilter

__all__ = ["LIMITS", "STRUCTS", "router"]

PAGE_MAX = 500
IMPACT_MAX, COUNT_MAX = 100, 50
BODY_MAX = 2 * 1024 * 1024
CURSOR = "calendar:"
TRIGGER_CURSOR = "trigger:"
CHANGING = {"parameters": [IF_MATCH, IF_NONE_MATCH]}

CalendarName = Annotated[str, Path(alias="name", max_length=NAME_MAX)]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
ImpactLimit = Annotated[int, Query(ge=1, le=IMPACT_MAX)]
Count = Annotated[int, Query(ge=1, le=COUNT_MAX, description="How many instants of each trigger.")]
Year = Annotated[int, Query(ge=YEAR_MIN, le=YEAR_MAX)]
Cursor = Annotated[str, Query(pattern=rf"^({CURSOR}[^\x00]*)?$")]
TriggerCursor = Annotated[str, Query(alias="cursor", pattern=rf"^({TRIGGER_CURSOR}[^\x00]*)?$")]

router = APIRouter(prefix="/api/v1/calendars", route_class=GuardedRoute, tags=["calendars"])
_calendar = msgspec.json.Decoder(CalendarBody)
_ics = msgspec.json.Decoder(IcsBody)


@router.get("", openapi_extra=answers({200: (CalendarPage,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_calendars(request: Request, *, limit: Limit = 50, cursor: Cursor = "") -> Response:
    """Calendars by name."""
    query = CalendarFilter(namespace=namespace_of(request), after=cursor.removeprefix(CURSOR), limit=limit)
    found = await engine_of(request).calendars.list(query)
    following = f"{CURSOR}{found[-1].name}" if len(found) == limit else None
    return show(CalendarPage([show_calendar(each) for each in found], following))


@router.get("/{name}", openapi_extra=answers({200: (CalendarInfo,), 304: ()}, tagged=True), response_model=None)
@require(Permission.TRIGGERS_READ)
async def get_calendar(request: Request, name: CalendarName) -> Response:
    """One calendar; its version is the `ETag`."""
    found = await find(request, name)
    if is_known(request, found.version):
        return tagged(Response(status_code=304), found.version)
    return tagged(show(show_calendar(found)), found.version)


@router.put(
    "/{name}",
    openapi_extra=accepts(CalendarBody) | answers({200: (CalendarInfo,), 201: (CalendarInfo,)}, tagged=True) | CHANGING,
    response_model=None,
)
@require(Permission.TRIGGERS_WRITE)
async def put_calendar(request: Request, name: CalendarName) -> Response:
    """Make a calendar, or give it another definition; one that is there needs `If-Match`.

    Triggers that use it follow at once: fires that were prepared by the old one are withdrawn.
    """
    expected, body = expected_of(request), await read_struct(request, _calendar, most=BODY_MAX)
    spec, words = as_spec(name, body), Words(actor=actor_of(request), note=body.note)
    await learn_holidays(request, spec)
    made, is_new = await engine_of(request).calendars.put(namespace_of(request), spec, expected, words)
    return answer(made, is_new=is_new)


@router.delete(
    "/{name}", status_code=204, openapi_extra=answers({204: ()}) | {"parameters": [IF_MATCH]}, response_model=None
)
@require(Permission.TRIGGERS_WRITE)
async def delete_calendar(request: Request, name: CalendarName, *, note: NoteText = "") -> Response:
    """Take a calendar away that no trigger uses."""
    words = Words(actor=actor_of(request), note=note)
    await engine_of(request).calendars.delete(namespace_of(request), name, expected_of(request).seeing(), words)
    return Response(status_code=204)


@router.post(
    "/{name}/import",
    openapi_extra=accepts(IcsBody) | answers({200: (CalendarInfo,), 201: (CalendarInfo,)}, tagged=True) | CHANGING,
    response_model=None,
)
@require(Permission.TRIGGERS_WRITE)
async def import_ics(request: Request, name: CalendarName) -> Response:
    """Add the events of an iCalendar file: all-day ones are days that do not count, timed ones are blackouts."""
    expected, body = expected_of(request), await read_struct(request, _ics, most=BODY_MAX)
    year = request.app.state.clock.now().year
    # A large file takes a while, and others are not to wait for it.
    read = await asyncio.to_thread(read_ics, body.ics, year=year, zone=body.zone)
    words = Words(actor=actor_of(request), note=body.note)
    made, is_new = await engine_of(request).calendars.add_events(
        namespace_of(request), name, read, expected, words, replace=body.replace
    )
    return answer(made, is_new=is_new)


@router.get("/{name}/days", openapi_extra=answers({200: (CalendarDays,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_days(request: Request, name: CalendarName, *, year: Year | None = None) -> Response:
    """The days of a year that do not count, each with its reason; if not said, of this one."""
    calendar = calendar_of(await find(request, name))
    wanted = request.app.state.clock.now().year if year is None else year
    return show(CalendarDays(wanted, dict(calendar.left_out_days(wanted))))


@router.get("/{name}/versions", openapi_extra=answers({200: (CalendarVersionPage,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def list_calendar_versions(
    request: Request, name: CalendarName, *, limit: Limit = 50, before: Before = VERSION_MAX
) -> Response:
    """The versions of a calendar, newest first."""
    found = await engine_of(request).calendars.versions(namespace_of(request), name, before=before, limit=limit)
    following = str(found[-1].version) if len(found) == limit and found[-1].version > 1 else None
    return show(CalendarVersionPage([show_calendar(each) for each in found], following))


@router.get("/{name}/versions/{version}", openapi_extra=answers({200: (CalendarInfo,)}), response_model=None)
@require(Permission.TRIGGERS_READ)
async def get_calendar_version(request: Request, name: CalendarName, number: Number) -> Response:
    """A calendar as it was at one time."""
    return show(show_calendar(await engine_of(request).calendars.version(namespace_of(request), name, number)))


@router.post(
    "/{name}/preview", openapi_extra=accepts(CalendarBody) | answers({200: (CalendarImpactPage,)}), response_model=None
)
@require(Permission.TRIGGERS_READ)
async def preview_calendar(
    request: Request, name: CalendarName, *, count: Count = 5, limit: ImpactLimit = 50, cursor: TriggerCursor = ""
) -> Response:
    """What a definition would do to the triggers that use this calendar; nothing is changed."""
    body = await read_struct(request, _calendar, most=BODY_MAX)
    check_note(body.note)
    spec = as_spec(name, body)
    await learn_holidays(request, spec)
    found = await engine_of(request).calendars.impact(
        namespace_of(request), spec, count=count, after=cursor.removeprefix(TRIGGER_CURSOR), limit=limit
    )
    following = f"{TRIGGER_CURSOR}{found[-1].trigger.name}" if len(found) == limit else None
    return show(CalendarImpactPage([show_impact(each) for each in found], following))


async def learn_holidays(request: Request, spec: CalendarSpec) -> None:
    """Work them out beside the server's loop: the package takes a while to load, and so do some countries."""
    check_calendar(spec)
    if spec.holidays:
        await asyncio.to_thread(compute, spec.holidays, request.app.state.clock.now().year)


async def find(request: Request, name: str) -> CalendarVersion:
    return await engine_of(request).calendars.get(namespace_of(request), name)


def answer(made: CalendarVersion, *, is_new: bool) -> Response:
    shown = tagged(show(show_calendar(made), status=201 if is_new else 200), made.version)
    if is_new:
        shown.headers["location"] = f"/api/v1/calendars/{quote(made.name, safe='')}"
    return shown
