"""How calendars look in JSON, going in and coming out."""

from mainspring.contract.calendars import (
    CalendarImpact,
    CalendarInfo,
)
from mainspring.contract.operations.calendars import CalendarBody
from mainspring.domain.calendars.impact import Impact
from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion
from mainspring.errors import InvalidInputError

SPEC_FIELDS = CalendarSpec.__struct_fields__


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
