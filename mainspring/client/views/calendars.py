"""Calendars as a server shows them, and as people may write them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypedDict

import msgspec


class CalendarFields(TypedDict, total=False):
    """What people may say of a calendar; what is left out has its default."""

    description: str
    zone: str
    weekdays: Sequence[str]
    holidays: Sequence[Mapping[str, str]]
    dates: Mapping[str, str]
    counted: Sequence[str]
    blackouts: Sequence[Mapping[str, Any]]
    daily_blackouts: Sequence[Mapping[str, Any]]
    note: str


class CalendarInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A calendar at one of its versions; `spec` is what people wrote."""

    name: str
    namespace: str
    version: int
    spec: dict[str, Any]
    holidays_until: int | None = None
    author: str
    note: str
    updated_at: datetime


class CalendarPage(msgspec.Struct, frozen=True):
    """Some calendars by name; `next` is the cursor of the page behind."""

    calendars: list[CalendarInfo]
    next: str | None


class CalendarVersionPage(msgspec.Struct, frozen=True):
    """Some versions, newest first; `next` is the cursor of the page behind."""

    versions: list[CalendarInfo]
    next: str | None


class CalendarDays(msgspec.Struct, frozen=True):
    """The days of a year that do not count, each with its reason."""

    year: int
    days: dict[date, str]


class CalendarImpact(msgspec.Struct, frozen=True):
    """The instants of a trigger that come next, as things are and as they would be."""

    trigger: str
    changed: bool
    """Whether any instant differs, be it behind those that come next."""
    before: list[datetime]
    after: list[datetime]
    differs_at: datetime | None = None
    """The first instant that only one of the two has."""
    same_until: datetime | None = None
    """If there is none: up to when it was looked for."""


class CalendarImpactPage(msgspec.Struct, frozen=True):
    """Some triggers by name; `next` is the cursor of the page behind."""

    triggers: list[CalendarImpact]
    next: str | None
