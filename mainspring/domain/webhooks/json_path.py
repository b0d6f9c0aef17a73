"""Places in a JSON document: `$` is all of it, `$.order.lines[0].sku` a part of a part.

What stands at a place is handed on as it is written, so that no number and no text changes on its way.
"""

import re
from functools import lru_cache

import msgspec

from mainspring.errors import InvalidInputError

PLACE_MAX = 500

Place = tuple[str | int, ...]
"""The steps from the whole document: keys of objects, positions in lists."""

STEP = re.compile(
    r"\.(?P<name>[^\s.\[\]'\"$]+)|\[(?P<position>[0-9]{1,6})\]|\['(?P<single>[^']+)'\]|\[\"(?P<double>[^\"]+)\"\]"
)
EXAMPLE = "such as $.order.id, $.lines[0].sku or $['a key'].b"


@lru_cache(maxsize=4096)
def parse_place(text: str, field: str = "place") -> Place:
    """Raises InvalidInputError, naming the field that holds the place."""
    steps: list[str | int] = []
    at = 1
    while at < len(text) <= PLACE_MAX and (found := STEP.match(text, at)) is not None:
        position = found["position"]
        steps.append(found["name"] or found["single"] or found["double"] if position is None else int(position))
        at = found.end()
    if not text.startswith("$") or at != len(text) or not text.isprintable():
        raise InvalidInputError(field, f"{text!r} is not a place in a document, {EXAMPLE}", code="bad_place")
    return tuple(steps)


def take(document: bytes, place: Place) -> bytes | None:
    """The value at that place, as written; None if there is none, which is not the same as a null."""
    found = document.strip()
    for step in place:
        inner = part_of(found, step)
        if inner is None:
            return None
        found = inner
    return found


def part_of(document: bytes, step: str | int) -> bytes | None:
    if isinstance(step, int):
        items = _items(document) if document[:1] == b"[" else []
        return bytes(items[step]) if step < len(items) else None
    fields = _fields(document) if document[:1] == b"{" else {}
    return bytes(fields[step]) if step in fields else None


_items = msgspec.json.Decoder(list[msgspec.Raw]).decode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
