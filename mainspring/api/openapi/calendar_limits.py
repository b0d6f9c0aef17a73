"""Limits of the fields of a calendar for the document; the domain checks them."""

from typing import Any

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
from mainspring.domain.calendars.zone_days import WEEKDAYS
from mainspring.domain.names import LINES
from mainspring.domain.triggers.fire_times.build_timer import CLOCK

PLAIN = r"^[^\x00-\x1f\x7f]*$"

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
CALENDAR_LIMITS: dict[str, dict[str, Words]] = {
    "Blackout": {"since": {"format": "date-time"}, "until": {"format": "date-time"}, "name": LINE},
    "DailyBlackout": {"opens": TIME, "closes": TIME | {"examples": ["06:00"]}, "weekdays": NAMED_DAYS, "name": LINE},
    "CalendarSpec": SPEC | {"name": {"minLength": 1, "maxLength": NAME_MAX}},
    "CalendarBody": SPEC,
}
