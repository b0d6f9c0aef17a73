"""What makes invented triggers possible ones: a schema has no word for what is a zone, an expression, or still to come."""

import datetime as dt
from typing import Any

from mainspring.clock import SystemClock

SPELT = ("zone", "mapping", "filter", "key", "signature_header", "timestamp_header")
"""Texts of a rule with a grammar of their own."""
TIMED = ("overlap", "pause_after", "fires_max", "jitter", "spread", "start_deadline")
"""What has no meaning for a trigger that is called."""


def fit_triggers(case: Any) -> None:
    """Names are such that nothing is against them, and none is there twice."""
    path = case.operation.path
    if isinstance(case.path_parameters, dict) and "/triggers/" in path:
        case.path_parameters = {name: plain_name(value) for name, value in case.path_parameters.items()}
    for number, trigger in enumerate(triggers_in(case.body)):
        fit_rule(trigger["when"])
        fit_fields(trigger)
        if "{name}" in path:
            trigger.pop("name", None)
        elif trigger.get("name"):
            trigger["name"] = f"{plain_name(trigger['name'])}{number}"


def triggers_in(body: Any) -> list[dict[str, Any]]:
    """Whole triggers, and rules of triggers to be, wherever they stand."""
    if isinstance(body, dict):
        inner = [found for value in body.values() for found in triggers_in(value)]
        return [body, *inner] if isinstance(body.get("when"), dict) else inner
    return [found for value in body for found in triggers_in(value)] if isinstance(body, list) else []


def fit_rule(rule: dict[str, Any]) -> None:
    if "expressions" in rule:
        rule["expressions"] = ["30 9 * * 1-5"]
    if "type" in rule:
        rule["type"] = plain_name(rule["type"])
    for name in SPELT:
        rule.pop(name, None)
    move_ahead(rule, at=1, anchor=1)


def fit_fields(trigger: dict[str, Any]) -> None:
    called = trigger["when"].get("kind") in ("webhook", "event")
    for name in ("calendar", "roll", "after", *(TIMED if called else ())):
        trigger.pop(name, None)
    for name in ("job", "group", "queue"):
        if trigger.get(name):
            trigger[name] = plain_name(trigger[name])
    move_ahead(trigger, start_at=0, end_at=2)


def move_ahead(place: dict[str, Any], **days: int) -> None:
    for name, ahead in days.items():
        if isinstance(place.get(name), str):
            place[name] = (SystemClock().now() + dt.timedelta(days=ahead)).isoformat()


def plain_name(value: Any) -> Any:
    """A name that no rule for names has anything against."""
    if not isinstance(value, str):
        return value
    return "".join(letter for letter in value if letter.isascii() and letter.isalnum())[:50] or "x"
