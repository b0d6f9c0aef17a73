"""How calendars look in JSON, going in and coming out."""

from typing import Any

from mainspring.contract.calendars import (
    CalendarBody,
    CalendarDays,
    CalendarImpact,
    CalendarImpactPage,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
    IcsBody,
)
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
from mainspring.domain.names import LINES
from mainspring.domain.triggers.fire_times.build_timer import CLOCK
from mainspring.errors import InvalidInputError

SPEC_FIELDS = CalendarSpec.__struct_fields__
PLAIN = r"^[^\x00-\x1f\x7f]*$"


STRUCTS = (
    CalendarSpec,
    CalendarBody,
    IcsBody,
    CalendarInfo,
    CalendarPage,
    CalendarVersionPage,
    CalendarDays,
    CalendarImpactPage,
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
    "CalendarSpec": SPEC | {"name": {"minLength": 1, "maxLength": NAME_MAX}},
    "CalendarBody": SPEC,
}
"""What the document says of the fields of a calendar beyond their types; the rules themselves are the domain's."""


def as_spec(name: str, body: CalendarBody) -> CalendarSpec:
    if body.name not in ("", name):
        raise InvalidInputError("name", f"is another one than in the address: {name!r}", code="bad_calendar")
    return CalendarSpec(**{field: getattr(body, field) for field in SPEC_FIELDS} | {"name": name})


def show_calendar(found: CalendarVersion) -> CalendarInfo:
    return CalendarInfo(
        name=found.name,
        namespace=found.namespace,
        version=found.version,
        spec=found.spec,
        holidays_until=found.computed.until if found.spec.holidays else None,
        author=found.author,
        note=found.note,
        updated_at=found.at,
        owner=found.owner,
    )


def show_impact(found: Impact) -> CalendarImpact:
    before, after = list(found.before), list(found.after)
    return CalendarImpact(found.trigger.name, found.differs, before, after, found.differs_at, found.same_until)
