"""Names in addresses: a slash that the caller wrote as %2F belongs to a name, and separates nothing."""

from typing import Any
from urllib.parse import unquote

from starlette.types import Scope

SLASH = "\x00"
"""Stands for such a slash while a route is looked for; no name has one."""
REFUSED = "\x01"
"""Stands for the character above if that is what the caller wrote; no name has this one either."""


def keep_slashes(scope: Scope) -> None:
    """Restores the encoded slashes of a path, which a decoder of the whole path cannot tell from separators."""
    raw: bytes = scope["raw_path"]
    if b"%2f" in (lowered := raw.lower()) or b"%00" in lowered:
        parts = [unquote(part).replace(SLASH, REFUSED).replace("/", SLASH) for part in raw.decode("ascii").split("/")]
        scope["path"] = "/".join(parts)


def with_slashes(parameters: dict[str, Any]) -> dict[str, Any]:
    """The names in a path as they were meant."""
    return {name: value.replace(SLASH, "/") if isinstance(value, str) else value for name, value in parameters.items()}
