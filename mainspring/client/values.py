"""Checks callers' values on their way into a request: values that a server would misread are refused."""

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import msgspec

from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError


def seconds_of(time: float | timedelta | None, field: str) -> float | None:
    return finite(time.total_seconds() if isinstance(time, timedelta) else time, field)


def plain_seconds(time: float | timedelta) -> float:
    return time.total_seconds() if isinstance(time, timedelta) else time


def finite(number: float | None, field: str) -> float | None:
    """The number; raises InvalidInputError if it is not finite, which JSON cannot express."""
    if isinstance(number, float) and not math.isfinite(number):
        raise InvalidInputError(field, f"{number} is no finite number", code=f"bad_{field}")
    return number


def words_of(words: Iterable[str] | None, field: str) -> tuple[str, ...]:
    """The words; a text counts as one word, not as its letters."""
    if isinstance(words, str):
        raise InvalidInputError(field, f"{words!r} is one text, not a list: write [{words!r}]", code=f"bad_{field}")
    return tuple(words or ())


def aware(instant: datetime, field: str) -> datetime:
    """The time; raises InvalidInputError without an offset, since only this machine knows its local time."""
    if instant.tzinfo is None:
        raise InvalidInputError(field, "needs a UTC offset, such as 2030-01-01T09:00:00Z", code=f"bad_{field}")
    check_years(instant, field, code=f"bad_{field}")
    return instant


def instant_text(instant: datetime | None, field: str) -> str | None:
    return None if instant is None else aware(instant, field).isoformat()


def refuse_unknown(filters: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Refuses unknown filters."""
    # A misspelt filter would match everything.
    name = next((name for name in filters if name not in known), None)
    if name is not None:
        from mainspring.domain.suggest import did_you_mean  # noqa: PLC0415 only for those who mistype

        raise InvalidInputError(name, f"is no filter of runs{did_you_mean(name, known)}", code="unknown_filter")


def json_bytes(content: Any) -> bytes:
    """As JSON; raises InvalidInputError that names the field with half of a character in it."""
    try:
        return msgspec.json.encode(content)
    except UnicodeEncodeError as error:
        raise halved(error, field_of(content)) from None


def encode(content: Any, field: str) -> bytes:
    """The content as JSON; raises InvalidInputError with the code `bad_<field>` if it cannot be written so."""
    try:
        return json_bytes(content)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError(field, f"cannot be written as JSON: {error}", code=f"bad_{field}") from None


def part(text: str) -> str:
    """The name as one part of a path, with all characters encoded."""
    try:
        return quote(text, safe="")
    except UnicodeEncodeError as error:
        raise halved(error, "name") from None


def check_params(params: Mapping[str, Any]) -> None:
    """Raises InvalidInputError for a parameter that cannot be encoded."""
    for name, value in params.items():
        for text in [value] if isinstance(value, str) else value:
            try:
                str(text).encode()
            except UnicodeEncodeError as error:
                raise halved(error, name) from None


def halved(error: UnicodeEncodeError, field: str) -> InvalidInputError:
    found = error.object[error.start]
    reason = f"{found!r} is no character: it is half of a surrogate pair, or a byte that is not UTF-8"
    return InvalidInputError(field, reason, code=f"bad_{field.rpartition('.')[2].partition('[')[0] or 'input'}")


def field_of(content: Any, path: str = "") -> str:
    """Where in it the text is that cannot be written."""
    if isinstance(content, Mapping):
        inner = [(str(name), name, value) for name, value in content.items()]
    elif isinstance(content, msgspec.Struct):
        inner = [(name, name, getattr(content, name)) for name in content.__struct_fields__]
    elif isinstance(content, list | tuple):
        return next((field_of(each, f"{path}[{at}]") for at, each in enumerate(content) if is_halved(each)), path)
    else:
        return path or "input"
    for label, name, value in inner:
        if is_halved(name):
            return path or "input"
        if is_halved(value):
            return field_of(value, f"{path}.{label}" if path else label)
    return path or "input"


def is_halved(content: Any) -> bool:
    try:
        msgspec.json.encode(content)
    except UnicodeEncodeError:
        return True
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return False
