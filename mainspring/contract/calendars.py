"""Bodies and views of calendars."""

from datetime import date, datetime
from typing import Annotated, Any

from mainspring.contract.base.view import View, schema_of
from mainspring.domain.calendars.spec import CalendarSpec

CalendarSpecJson = Annotated[Any, schema_of(CalendarSpec)]


class CalendarInfo(View, frozen=True, kw_only=True):
    """A calendar at one of its versions."""

    name: str
    namespace: str
    version: int
    spec: CalendarSpecJson
    holidays_until: int | None = None
    """The last year whose holidays are kept with it; null: it has none."""
    author: str
    note: str
    updated_at: datetime
    owner: str = ""
    """Whose set of definitions it was applied from; empty: it was made by hand."""


class CalendarPage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    calendars: list[CalendarInfo]
    next: str | None


class CalendarVersionPage(View, frozen=True):
    """A page of versions, newest first."""

    versions: list[CalendarInfo]
    next: str | None


class CalendarDays(View, frozen=True):
    """The days of a year that do not count, each with its reason."""

    year: int
    days: dict[date, str]


class CalendarImpact(View, frozen=True):
    """The instants of a trigger that come next, as things are and as they would be."""

    trigger: str
    changed: bool
    """Whether any instant differs, be it behind those that come next."""
    before: list[datetime]
    after: list[datetime]
    differs_at: datetime | None = None
    """The first instant that only one of the two has."""
    same_until: datetime | None = None
    """If there is none: up to when it was looked for, 400 days or 1,000 instants ahead."""


class CalendarImpactPage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    triggers: list[CalendarImpact]
    next: str | None
