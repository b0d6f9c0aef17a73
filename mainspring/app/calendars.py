"""Calendars, said beside the triggers that go by them; `mainspring apply` makes it so."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

import msgspec

from mainspring.errors import ConfigError, InvalidInputError

if TYPE_CHECKING:
    from mainspring.executor.handlers.registry import Handlers


class CalendarOptions(TypedDict, total=False):
    """The days that do not count, and the times at which nothing is started."""

    description: str
    zone: str
    """[default: the trigger's]"""
    weekdays: Sequence[str]
    holidays: Sequence[Mapping[str, str]]
    dates: Mapping[str, str]
    counted: Sequence[str]
    blackouts: Sequence[Mapping[str, str | datetime]]
    daily_blackouts: Sequence[Mapping[str, str | Sequence[str]]]


def add_calendar(handlers: "Handlers", name: str, options: CalendarOptions) -> None:
    """Raises ConfigError if it could not be applied; whether its holidays are known, the server says."""
    # Most apps have no calendars, and none of them is to pay for reading some.
    from mainspring.domain.calendars.checks import check_calendar  # noqa: PLC0415
    from mainspring.domain.calendars.spec import CalendarSpec  # noqa: PLC0415

    if name in handlers.calendars:
        raise ConfigError(f"calendar {name!r}: is there already; give one another name")
    try:
        spec = msgspec.convert({"name": name, **options}, CalendarSpec)
        check_calendar(spec)
    except (msgspec.ValidationError, InvalidInputError) as error:
        raise ConfigError(f"calendar {name!r}: cannot be used: {error}") from None
    handlers.calendars[name] = spec
