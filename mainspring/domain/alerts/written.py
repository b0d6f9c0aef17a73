"""Alert rules, channels and SLOs as people write them: `10m`, `20%`, and the names of fields."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

T = TypeVar("T", bound=msgspec.Struct)
LENGTHS = ("over", "older_than", "for", "escalate_after", "alive", "within")
SHARES = ("above", "objective")


def read_written(fields: Mapping[str, Any], kind: type[T], *, code: str) -> T:
    """The definition that these fields stand for; raises InvalidInputError."""
    known = [field.encode_name for field in msgspec.structs.fields(kind)]
    for name in fields:
        if name not in known:
            raise InvalidInputError(name, f"is not known{did_you_mean(name, known)}", code=code)
    read = {name: read_value(name, value, code) for name, value in fields.items()}
    try:
        return msgspec.convert(read, kind)
    except msgspec.ValidationError as error:
        field, reason = blamed(str(error))
        options = [field.type for field in msgspec.structs.fields(kind) if field.name == "kind"]
        if field == "kind" and options:
            reason = f"{fields['kind']!r} is not one{did_you_mean(str(fields['kind']), list(options[0]))}"
        raise InvalidInputError(field, reason, code=code) from None


def read_value(name: str, value: Any, code: str) -> Any:
    if name in LENGTHS and isinstance(value, str):
        seconds = read_length(value)
        if seconds is None:
            raise InvalidInputError(name, f"{value!r} is no length of time such as {EXAMPLES}", code=code)
        return seconds
    if name in SHARES and isinstance(value, str):
        return read_share(name, value, code)
    return value


def read_share(name: str, text: str, code: str) -> float:
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise InvalidInputError(name, f"{text!r} is no share such as 20% or 0.2", code=code) from None


def blamed(text: str) -> tuple[str, str]:
    """The field and the reason of a complaint such as "Expected `int` - at `$.port`"."""
    reason, _, place = text.partition(" - at `$.")
    if not place:
        found = reason.partition("missing required field `")[2].rstrip("`")
        return (found, "is missing") if found else ("definition", reason)
    return place.rstrip("`").partition("[")[0], reason
