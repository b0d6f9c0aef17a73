"""Turns a decoder's message into a problem that names the field and the reason."""

import re
from typing import Any

from mainspring.api.input.enum_hints import fields_at, with_valid_values
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

WHERE = re.compile(r" - at (`key` in )?`\$\.?(?P<path>.*?)(\[\.\.\.\])?`$")
QUOTED = re.compile(r"field `(?P<name>.+?)`")


def explain(message: str, kind: Any) -> InvalidInputError:
    """The decoder's message as an error that names the field."""
    found = WHERE.search(message)
    path = found["path"] if found else ""
    reason = message[: found.start()] if found else message
    if named := QUOTED.search(reason):
        name, is_unknown = named["name"], "unknown" in reason
        hint = did_you_mean(name, fields_at(kind, path)) if is_unknown else ""
        code = "unknown_field" if is_unknown else "missing_field"
        return InvalidInputError(f"{path}.{name}".lstrip("."), f"{plain(reason)}{hint}", code=code)
    field = path or "body"
    return InvalidInputError(
        field, plain(with_valid_values(reason, kind, path)), code=f"bad_{field.rpartition('.')[2].partition('[')[0]}"
    )


def plain(reason: str) -> str:
    return reason[:1].lower() + reason[1:].replace("`", "")
