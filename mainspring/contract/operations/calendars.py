"""Operations of calendars, and their bodies."""

from types import NoneType
from typing import Annotated

import msgspec

from mainspring.contract.base.fields import NAME_MAX, Note, PageLimit, cursor_of
from mainspring.contract.base.headers import IF_MATCH, IF_NONE_MATCH
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.calendars import (
    CalendarDays,
    CalendarImpactPage,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
)
from mainspring.contract.operations.jobs import NoteQuery, Version, VersionQuery
from mainspring.domain.access.permissions import Permission
from mainspring.domain.calendars.spec import CalendarSpec
from mainspring.domain.years import YEAR_MAX, YEAR_MIN

ICS_MAX = 1_000_000
Ics = Annotated[str, msgspec.Meta(min_length=1, max_length=ICS_MAX)]


class CalendarBody(CalendarSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole definition; fields left out have their defaults."""

    name: str = ""
    """May be left out: it is in the address."""
    note: Note = ""
    """Kept with the version."""


class IcsBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An iCalendar file."""

    ics: Ics
    zone: str = "UTC"
    """Of times that name none."""
    replace: bool = False
    """Whether its events take the place of the calendar's own dates and blackouts, or come beside them."""
    note: Note = ""


CALENDAR_BODY_MAX = 2 * 1024 * 1024
CalendarName = Annotated[str, msgspec.Meta(max_length=NAME_MAX)]
CalendarCursor = Annotated[str, cursor_of("calendar")]
TriggerCursor = Annotated[str, cursor_of("trigger")]
Year = Annotated[int, msgspec.Meta(ge=YEAR_MIN, le=YEAR_MAX)]
FireTimeCount = Annotated[int, msgspec.Meta(ge=1, le=50, description="Number of fire times for each trigger.")]
ImpactLimit = Annotated[int, msgspec.Meta(ge=1, le=100)]


class CalendarQuery(Query):
    limit: PageLimit = 50
    cursor: CalendarCursor | None = None


class DaysQuery(Query):
    year: Year | None = None


class ImpactQuery(Query):
    count: FireTimeCount = 5
    limit: ImpactLimit = 50
    cursor: TriggerCursor | None = None


LIST_CALENDARS = Operation(
    "list_calendars",
    "GET /api/v1/calendars",
    Permission.TRIGGERS_READ,
    "List calendars by name.",
    CalendarPage,
    query=CalendarQuery,
)
GET_CALENDAR = Operation(
    "get_calendar",
    "GET /api/v1/calendars/{name}",
    Permission.TRIGGERS_READ,
    "Get a calendar. Its version is the `ETag`.",
    CalendarInfo,
    answers={304: None},
    parts={"name": CalendarName},
    tagged=True,
)
PUT_CALENDAR = Operation(
    "put_calendar",
    "PUT /api/v1/calendars/{name}",
    Permission.TRIGGERS_WRITE,
    "Create a calendar, or replace its definition. An existing one needs `If-Match`; its triggers follow at once.",
    CalendarInfo,
    answers={201: CalendarInfo},
    body=CalendarBody,
    body_max=CALENDAR_BODY_MAX,
    headers=(IF_MATCH, IF_NONE_MATCH),
    parts={"name": CalendarName},
    tagged=True,
)
DELETE_CALENDAR = Operation(
    "delete_calendar",
    "DELETE /api/v1/calendars/{name}",
    Permission.TRIGGERS_WRITE,
    "Delete a calendar that no trigger uses.",
    NoneType,
    query=NoteQuery,
    headers=(IF_MATCH,),
    parts={"name": CalendarName},
)
IMPORT_ICS = Operation(
    "import_ics",
    "POST /api/v1/calendars/{name}/import",
    Permission.TRIGGERS_WRITE,
    "Add the events of an iCalendar file: all-day events exclude days, timed events are blackouts.",
    CalendarInfo,
    answers={201: CalendarInfo},
    body=IcsBody,
    body_max=CALENDAR_BODY_MAX,
    headers=(IF_MATCH, IF_NONE_MATCH),
    parts={"name": CalendarName},
    tagged=True,
)
LIST_DAYS = Operation(
    "list_days",
    "GET /api/v1/calendars/{name}/days",
    Permission.TRIGGERS_READ,
    "List the excluded days of a year with their reasons; by default of the current year.",
    CalendarDays,
    query=DaysQuery,
    parts={"name": CalendarName},
)
LIST_CALENDAR_VERSIONS = Operation(
    "list_calendar_versions",
    "GET /api/v1/calendars/{name}/versions",
    Permission.TRIGGERS_READ,
    "List the versions of a calendar, newest first.",
    CalendarVersionPage,
    query=VersionQuery,
    parts={"name": CalendarName},
)
GET_CALENDAR_VERSION = Operation(
    "get_calendar_version",
    "GET /api/v1/calendars/{name}/versions/{version}",
    Permission.TRIGGERS_READ,
    "Get one version of a calendar.",
    CalendarInfo,
    parts={"name": CalendarName, "version": Version},
)
PREVIEW_CALENDAR = Operation(
    "preview_calendar",
    "POST /api/v1/calendars/{name}/preview",
    Permission.TRIGGERS_READ,
    "Show how a definition would change the fire times of the triggers that use this calendar. Nothing is changed.",
    CalendarImpactPage,
    query=ImpactQuery,
    body=CalendarBody,
    body_max=CALENDAR_BODY_MAX,
    parts={"name": CalendarName},
    repeatable=True,
)
