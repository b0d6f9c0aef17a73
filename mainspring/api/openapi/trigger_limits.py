"""Limits of the fields of a trigger for the document; the domain checks them."""

from typing import Any

from mainspring.api.openapi.webhook_limits import CALLED
from mainspring.domain.cron.fields import TEXT_MAX
from mainspring.domain.metadata import LABEL_KEY, LABEL_MAX, LABELS_MAX, TAG_MAX, TAGS_MAX
from mainspring.domain.names import JOB_MAX, LINES, QUEUE_MAX
from mainspring.domain.runs.run import PRIORITY_MAX, PRIORITY_MIN
from mainspring.domain.triggers.checks import (
    CATCH_UP_MOST,
    DESCRIPTION_MAX,
    EXPRESSIONS_MAX,
    FAILURES_MOST,
    FIRES_MOST,
    HELD_MOST,
    NAME_MAX,
    SECONDS_MAX,
    SPREAD_MAX,
)
from mainspring.domain.triggers.fire_times.build_timer import CLOCK, WEEKDAYS

Words = dict[str, Any]
Limits = dict[str, dict[str, Words]]
"""What to add to the schema of each field, by the struct that has it."""

DAY = 86_400.0
CLOCK_PATTERN = f"^{CLOCK.pattern}$"
EXAMPLE_ZONE = "Europe/Berlin"
INSTANT: Words = {"format": "date-time"}


def text(most: int, least: int = 1) -> Words:
    return {"minLength": least, "maxLength": most}


def between(least: float, most: float) -> Words:
    return {"minimum": least, "maximum": most}


RULES: Limits = {
    "Cron": {
        "expressions": {
            "minItems": 1,
            "maxItems": EXPRESSIONS_MAX,
            "items": {"type": "string", "examples": ["30 9 * * 1-5"], **text(TEXT_MAX)},
        },
        "zone": {"examples": [EXAMPLE_ZONE]},
    },
    "Every": {"every": between(1.0, SECONDS_MAX), "anchor": INSTANT},
    "Delay": {"delay": between(1.0, SECONDS_MAX)},
    "At": {"at": INSTANT},
    "Windows": {
        "every": between(1.0, DAY),
        "opens": {"pattern": CLOCK_PATTERN, "examples": ["09:00"]},
        "closes": {"pattern": CLOCK_PATTERN, "examples": ["17:30"]},
        "zone": {"examples": [EXAMPLE_ZONE]},
        "weekdays": {"items": {"enum": list(WEEKDAYS)}},
    },
    **CALLED,
}

SPEC: dict[str, Words] = {
    "name": text(NAME_MAX),
    "job": text(JOB_MAX),
    "description": {"pattern": f"^{LINES.pattern}$", **text(DESCRIPTION_MAX, least=0)},
    "input": {"type": "object"},
    "queue": text(QUEUE_MAX),
    "priority": between(PRIORITY_MIN, PRIORITY_MAX),
    "labels": {
        "maxProperties": LABELS_MAX,
        "propertyNames": {"pattern": f"^{LABEL_KEY.pattern}$"},
        "additionalProperties": {"type": "string", **text(LABEL_MAX)},
    },
    "tags": {
        "maxItems": TAGS_MAX,
        "uniqueItems": True,
        "items": {"type": "string", "pattern": "^[^=]*$", **text(TAG_MAX)},
    },
    "start_at": INSTANT,
    "end_at": INSTANT,
    "fires_max": between(1, FIRES_MOST),
    "jitter": between(0.0, SPREAD_MAX),
    "group": text(NAME_MAX, least=0),
    "spread": between(0.0, SPREAD_MAX),
    "calendar": text(NAME_MAX, least=0),
    "catch_up_max": between(1, CATCH_UP_MOST),
    "start_deadline": between(1.0, SECONDS_MAX),
    "overlap_max": between(1, HELD_MOST),
    "pause_after": between(1, FAILURES_MOST),
}

TRIGGER_LIMITS: Limits = {
    **RULES,
    "TriggerSpec": SPEC,
    "TriggerBody": SPEC | {"name": text(NAME_MAX, least=0)},
    "PreviewBody": {field: SPEC[field] for field in ("name", "calendar")},
}
