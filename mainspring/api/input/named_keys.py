"""Names the entry of an object that a decoder complains about: it says `rules[...]` for any of them."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

ANY_KEY = "[...]"


def with_key(message: str, kind: Any, body: bytes | bytearray) -> str:
    """The decoder's message about a body of this type, with the key in place of the dots."""
    if ANY_KEY not in message:
        return message
    try:
        return next(
            (message.replace(f"$.{field}{ANY_KEY}", f"$.{field}.{key}", 1) for field, key in refused(kind, body)),
            message,
        )
    except RecursionError:
        # The decoder stopped at the entry; the whole of it is nested too deeply to be read.
        return message


def refused(kind: Any, body: bytes | bytearray) -> Iterator[tuple[str, str]]:
    """Fields and keys of the entries that are not of their type."""
    for field, key, each, value in entries(kind, body):
        try:
            msgspec.json.decode(msgspec.json.encode(value), type=each)
        except msgspec.ValidationError:
            yield field, key


def entries(kind: Any, body: bytes | bytearray) -> Iterator[tuple[str, str, type, object]]:
    """The entries of a body's objects of definitions: field, key, type and value."""
    shape, found = inspect.type_info(kind), msgspec.json.decode(body)
    if not isinstance(shape, inspect.StructType) or not isinstance(found, dict):
        return
    for field in shape.fields:
        values = found.get(field.encode_name)
        if not isinstance(field.type, inspect.DictType) or not isinstance(values, dict):
            continue
        if isinstance(each := field.type.value_type, inspect.StructType):
            yield from ((field.encode_name, key, each.cls, value) for key, value in values.items())
