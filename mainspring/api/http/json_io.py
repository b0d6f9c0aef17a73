"""Small JSON objects in and out: bodies that are read whole, and answers that are structs."""

import asyncio
import re
from datetime import UTC, datetime
from typing import Annotated, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.http.headers import header
from mainspring.api.input.bodies import (
    HeldBytes,
    check_content_type,
    check_text,
    decode_allowing_integral_floats,
    too_large,
    unreadable,
)
from mainspring.api.input.explain import explain
from mainspring.api.input.named_keys import with_key
from mainspring.api.input.unknown_fields import Check
from mainspring.contract.base.operation import BODY_MAX
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError

T = TypeVar("T")

NUMBER = re.compile(r"[0-9]{1,17}")
Aware = Annotated[datetime, msgspec.Meta(tz=True)]
SLICE = 500
"""Structs that are read between two breaths."""

_encode = msgspec.json.Encoder().encode
_raw = msgspec.json.Decoder(msgspec.Raw).decode
_items = msgspec.json.Decoder(list[msgspec.Raw]).decode


async def read_struct(
    request: Request,
    decoder: msgspec.json.Decoder[T],
    *,
    optional: bool = False,
    most: int = BODY_MAX,
    held: HeldBytes | None = None,
    check: Check | None = None,
) -> T:
    """The decoded body; an optional body that is missing counts as an empty object."""
    body = await read_small(request, most, held)
    if optional and not body:
        return decoder.decode(b"{}")
    check_content_type(request)
    check_text(body)
    found = read_body(decoder, body)
    if check is not None:
        check(body)
    return found


def read_body(decoder: msgspec.json.Decoder[T], body: bytearray) -> T:
    try:
        return decode_allowing_integral_floats(decoder, body)
    except msgspec.ValidationError as error:
        raise explain(with_key(str(error), decoder.type, body), decoder.type) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise unreadable(body, error) from None


async def read_structs(request: Request, kind: type[T], *, most: int, held: HeldBytes) -> list[T]:
    """The body as a list, decoded in slices that yield to the event loop."""
    body = await read_small(request, most, held)
    check_content_type(request)
    check_text(body)
    each, found = msgspec.json.Decoder(kind), list[T]()
    try:
        items = _items(body)
        for start in range(0, len(items), SLICE):
            found += map(each.decode, items[start : start + SLICE])
            await asyncio.sleep(0)
    except (msgspec.DecodeError, RecursionError):
        # Something is wrong, or a number is written as 5.0: read as a whole, it is known where.
        return read_body(msgspec.json.Decoder(list[kind]), body)  # type: ignore[valid-type]
    return found


async def read_small(request: Request, most: int = BODY_MAX, held: HeldBytes | None = None) -> bytearray:
    """The body of at most `most` bytes; `held` grows with it."""
    said = header(request, b"content-length")
    if said and (not NUMBER.fullmatch(said) or int(said) > most):
        raise too_large(most)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise too_large(most)
        if held is not None:
            held.grow(len(body))
    return body


class JsonAnswer(Response):
    """JSON and nothing special about it: its head is put together by hand, as each enqueue has one."""

    def __init__(self, body: bytes, status: int) -> None:
        self.status_code = status
        self.background = None
        self.body = body
        self.raw_headers = [(b"content-length", b"%d" % len(body)), (b"content-type", b"application/json")]


def shown_json(raw: bytes) -> msgspec.Raw:
    """JSON as it was stored; invalid JSON is shown as text, so that it cannot break an answer."""
    try:
        return _raw(raw)
    except msgspec.DecodeError:
        return msgspec.Raw(_encode(raw.decode(errors="replace")))


def respond(content: msgspec.Struct, *, status: int = 200) -> Response:
    return JsonAnswer(_encode(content), status)


def respond_secret(content: msgspec.Struct, *, status: int = 200) -> Response:
    """An answer with a secret in it, which nothing between is to keep."""
    answer = respond(content, status=status)
    answer.headers["cache-control"] = "no-store"
    return answer


def parse_instant(field: str, text: str | None) -> datetime | None:
    """An instant in a query; the clock decides nothing about it, so it has to say its offset."""
    if text is None:
        return None
    try:
        instant = msgspec.convert(text, Aware)
    except (msgspec.ValidationError, OverflowError, ValueError):
        reason = f"{text!r} is not an instant with an offset, such as 2030-01-01T09:00:00Z"
        raise InvalidInputError(field, reason, code=f"bad_{field}") from None
    check_years(instant, field, code=f"bad_{field}")
    return instant.astimezone(UTC)
