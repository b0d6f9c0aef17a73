"""How calendars look in JSON, going in and coming out."""

from datetime import date, datetime
from typing import Annotated, Any

import msgspec

from mainspring.api.routes.jobs.views import Note
from mainspring.domain.calendars.checks import (
    BLACKOUTS_MAX,
    DAILY_MAX,
    DATES_MAX,
    DAY_EACH,
    DAY_ONE,
    DESCRIPTION_MAX,
    HOLIDAYS_MAX,
    NAME_MAX,
)
from mainspring.domain.calendars.impact import Impact
from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion
from mainspring.domain.calendars.zone_days import WEEKDAYS
from mainspring.domain.triggers.fire_times.build_timer import CLOCK
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.jobs import LINES

ICS_MAX = 1_000_000
SPEC_FIELDS = CalendarSpec.__struct_fields__
PLAIN = r"^[^\x00-\x1f\x7f]*$"

Ics = Annotated[str, msgspec.Meta(min_length=1, max_length=ICS_MAX)]


class CalendarBody(CalendarSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole definition; what is left out has its default."""

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


class CalendarView(msgspec.Struct, frozen=True, kw_only=True):
    """A calendar at one of its versions."""

    name: str
    namespace: str
    version: int
    spec: CalendarSpec
    holidays_until: int | None
    """The last year whose holidays are kept with it; null: it has none."""
    author: str
    note: str
    updated_at: datetime


class CalendarsView(msgspec.Struct, frozen=True):
    """A page; `next` is the cursor of the one behind it."""

    calendars: list[CalendarView]
    next: str | None


class CalendarVersionsView(msgspec.Struct, frozen=True):
    """A page of versions, newest first."""

    versions: list[CalendarView]
    next: str | None


class CalendarDaysView(msgspec.Struct, frozen=True):
    """The days of a year that do not count, each with its reason."""

    year: int
    days: dict[date, str]


class ImpactView(msgspec.Struct, frozen=True):
    """The instants of a trigger that come next, as things are and as they would be."""

    trigger: str
    changed: bool
    """Whether any instant differs, be it behind those that come next."""
    before: list[datetime]
    after: list[datetime]
    differs_at: datetime | None
    """The first instant that only one of the two has."""
    same_until: datetime | None
    """If there is none: up to when it was looked for, 400 days or 1,000 instants ahead."""


class ImpactsView(msgspec.Struct, frozen=True):
    """A page; `next` is the cursor of the one behind it."""

    triggers: list[ImpactView]
    next: str | None


STRUCTS = (
    CalendarBody,
    IcsBody,
    CalendarView,
    CalendarsView,
    CalendarVersionsView,
    CalendarDaysView,
    ImpactsView,
)

Words = dict[str, Any]
LINE: Words = {"maxLength": NAME_MAX, "pattern": PLAIN}
TIME: Words = {"pattern": f"^{CLOCK.pattern}$", "examples": ["22:00"]}
NAMED_DAYS: Words = {"uniqueItems": True, "items": {"enum": list(WEEKDAYS)}}
SPEC: dict[str, Words] = {
    "name": {"maxLength": NAME_MAX},
    "description": {"maxLength": DESCRIPTION_MAX, "pattern": f"^{LINES.pattern}$"},
    "zone": {"examples": ["Europe/Berlin"]},
    "weekdays": NAMED_DAYS,
    "holidays": {"maxItems": HOLIDAYS_MAX},
    "dates": {
        "maxProperties": DATES_MAX,
        "propertyNames": {"pattern": f"^(({DAY_ONE.pattern})|({DAY_EACH.pattern}))$"},
        "additionalProperties": {"type": "string", **LINE},
    },
    "counted": {"maxItems": DATES_MAX, "items": {"type": "string", "pattern": f"^{DAY_ONE.pattern}$"}},
    "blackouts": {"maxItems": BLACKOUTS_MAX},
    "daily_blackouts": {"maxItems": DAILY_MAX},
}
LIMITS: dict[str, dict[str, Words]] = {
    "Blackout": {"since": {"format": "date-time"}, "until": {"format": "date-time"}, "name": LINE},
    "DailyBlackout": {"opens": TIME, "closes": TIME | {"examples": ["06:00"]}, "weekdays": NAMED_DAYS, "name": LINE},
    "CalendarSpec": SPEC,
    "CalendarBody": SPEC,
}
"""What the document says of the fields of a calendar beyond their types; the rules themselves are the domain's."""


def as_spec(name: str, body: CalendarBody) -> CalendarSpec:
    if body.name not in ("", name):
        raise InvalidInputError("name", f"is another one than in the address: {name!r}", code="bad_calendar")
    return CalendarSpec(**{field: getattr(body, field) for field in SPEC_FIELDS} | {"name": name})


def show_calendar(found: CalendarVersion) -> CalendarView:
    return CalendarView(
        name=found.name,
        namespace=found.namespace,
        version=found.version,
        spec=found.spec,
        holidays_until=found.computed.until if found.spec.holidays else None,
        author=found.author,
        note=found.note,
        updated_at=found.at,
    )


def show_impact(found: Impact) -> ImpactView:
    before, after = list(found.before), list(found.after)
    return ImpactView(found.trigger.name, found.differs, before, after, found.differs_at, found.same_until)
