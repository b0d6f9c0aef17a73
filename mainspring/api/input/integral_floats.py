"""Whole numbers: to JSON, 5 and 5.0 are the same one, and some languages write the latter."""

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

OPAQUE = "input"
"""Handed through as it was written."""
LISTED = "runs"
FLOAT_FOUND = "got `float`"


def decode_allowing_integral_floats(decoder: msgspec.json.Decoder[T], body: bytes | bytearray) -> T:
    """As the decoder reads it, once more with whole numbers if it was a fraction that it did not like."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        if FLOAT_FOUND not in str(error):
            raise
        return decoder.decode(with_whole_numbers(bytes(body)))


def with_whole_numbers(body: bytes) -> bytes:
    if body.lstrip().startswith(b"["):
        return bytes(each_rewritten(body))
    fields = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({name: rewritten(name, bytes(raw)) for name, raw in fields.items()})


def rewritten(name: str, raw: bytes) -> msgspec.Raw:
    if name == OPAQUE:
        return msgspec.Raw(raw)
    if name == LISTED and raw.startswith(b"["):
        return each_rewritten(raw)
    return msgspec.Raw(msgspec.json.encode(whole(msgspec.json.decode(raw))))


def each_rewritten(raw: bytes) -> msgspec.Raw:
    items = msgspec.json.decode(raw, type=list[msgspec.Raw])
    return msgspec.Raw(msgspec.json.encode([msgspec.Raw(item(bytes(each))) for each in items]))


def item(raw: bytes) -> bytes:
    return with_whole_numbers(raw) if raw.startswith(b"{") else raw


def whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole(each) for each in value]
    if isinstance(value, dict):
        return {name: whole(each) for name, each in value.items()}
    return value
