"""Whether an event is one that a trigger waits for.

A filter names places in the event's data, and what must stand at each: a value, or an object of conditions such as
`{"ge": 100, "lt": 1000}`. All of it has to hold. At a place where nothing stands, only `{"exists": false}` holds.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from mainspring.domain.webhooks.json_path import Place, parse_place, take
from mainspring.errors import InvalidInputError

PLACES_MAX = 50
EVENT_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}")
KEY_TEXT_MAX = 200
EVENTS_MAX = 1_000
"""Events of one call."""
CHOICES_MAX = 1_000

Holds = Callable[[Any, Any], bool]
"""Whether a value found stands in that relation to the one that is wanted."""


class PlaceCondition(msgspec.Struct, frozen=True):
    """The conditions at one place; `wanted` by the name of the relation."""

    text: str
    place: Place
    wanted: tuple[tuple[str, Any], ...]


Filter = tuple[PlaceCondition, ...]


def read_filter(filter: Mapping[str, msgspec.Raw], field: str = "when.filter") -> Filter:  # noqa: A002 its own name
    """Raises InvalidInputError, naming the place."""
    if len(filter) > PLACES_MAX:
        raise InvalidInputError(field, f"names {len(filter)} places, more than {PLACES_MAX}", code="bad_filter")
    return tuple(read_condition(text, raw, f"{field}.{text}") for text, raw in filter.items())


def read_condition(text: str, raw: msgspec.Raw, field: str) -> PlaceCondition:
    place = parse_place(text, field)
    try:
        wanted = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidInputError(field, str(error), code="bad_filter") from None
    if not isinstance(wanted, dict):
        return PlaceCondition(text, place, (("eq", wanted),))
    if not wanted:
        raise InvalidInputError(field, f"says nothing: give one of {NAMES}", code="bad_filter")
    for name, operand in wanted.items():
        check_operand(name, operand, field)
    return PlaceCondition(text, place, tuple(wanted.items()))


def check_operand(name: str, operand: Any, field: str) -> None:
    if name not in RELATIONS:
        raise InvalidInputError(field, f"{name!r} is not one of {NAMES}", code="bad_filter")
    reason = complaint(name, operand)
    if reason:
        raise InvalidInputError(f"{field}.{name}", reason, code="bad_filter")


def complaint(name: str, operand: Any) -> str:
    """The fault of a relation's operand; empty if there is none."""
    if name == "exists":
        return "" if isinstance(operand, bool) else "is neither true nor false"
    if name == "prefix":
        return "" if isinstance(operand, str) else "is not a text"
    if name == "in":
        good = isinstance(operand, list) and 0 < len(operand) <= CHOICES_MAX
        return "" if good else f"is not a list of 1 to {CHOICES_MAX} values"
    return "" if name == "eq" or is_ordered(operand) else "is neither a number nor a text"


def matches(filter: Filter, data: bytes) -> bool:  # noqa: A002 its own name
    """Whether all conditions hold of these data, which are JSON."""
    return unmet(filter, data) is None


def unmet(filter: Filter, data: bytes) -> str | None:  # noqa: A002 its own name
    """The first place at which something else stands than the filter wants; None: there is no such place."""
    return next((condition.text for condition in filter if not holds(condition, data)), None)


def holds(condition: PlaceCondition, data: bytes) -> bool:
    raw = take(data, condition.place)
    if raw is None:
        return all(name == "exists" and not operand for name, operand in condition.wanted)
    found = msgspec.json.decode(raw)
    return all(RELATIONS[name](found, operand) for name, operand in condition.wanted)


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: 1 and 1.0 are the same number, and neither is true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    return bool(one == other)


def is_ordered(value: Any) -> bool:
    return isinstance(value, int | float | str) and not isinstance(value, bool)


def comparable(one: Any, other: Any) -> bool:
    """Numbers with numbers, texts with texts."""
    return is_ordered(one) and is_ordered(other) and isinstance(one, str) == isinstance(other, str)


RELATIONS: dict[str, Holds] = {
    "eq": same,
    "in": lambda found, wanted: any(same(found, each) for each in wanted),
    "prefix": lambda found, wanted: isinstance(found, str) and found.startswith(wanted),
    "exists": lambda _found, wanted: bool(wanted),
    "gt": lambda found, wanted: comparable(found, wanted) and found > wanted,
    "ge": lambda found, wanted: comparable(found, wanted) and found >= wanted,
    "lt": lambda found, wanted: comparable(found, wanted) and found < wanted,
    "le": lambda found, wanted: comparable(found, wanted) and found <= wanted,
}
NAMES = ", ".join(RELATIONS)
