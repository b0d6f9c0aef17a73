"""Request bodies: size is checked before anything is parsed, and a number may be written as 5 or as 5.0."""

import re
from typing import Any, Self, TypeVar

import msgspec
from starlette.requests import Request

from mainspring.api.http.fast_path import whole_body
from mainspring.api.http.headers import header
from mainspring.contract.operations.runs import BODY_MANY_MAX, BODY_ONE_MAX
from mainspring.errors import InvalidInputError, TooLargeError, UnavailableError

T = TypeVar("T")

INTAKE_MAX = 2 * BODY_MANY_MAX

MANY = re.compile(rb'\s*\{\s*"runs"\s*:')
OPAQUE = "input"
"""Handed through as it was written."""
LISTED = "runs"
FLOAT_FOUND = "got `float`"
LONE_SURROGATE = re.compile(
    rb"(?<!\\)(?:\\\\)*(\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)
"""An escape that stands for half of a pair, without the other half beside it."""


class Intake:
    """How many bytes of large bodies are in memory: each may be large, all together may not be any number of times that."""

    def __init__(self, limit: int = INTAKE_MAX) -> None:
        self._limit = limit
        self._held = 0

    def hold(self) -> "HeldBytes":
        return HeldBytes(self)

    def take(self, size: int) -> None:
        """Raises UnavailableError if that is more than there is room for."""
        if self._held + size > self._limit:
            error = UnavailableError("the server holds as many large requests as it can: try again in a moment")
            error.code = "busy"
            raise error
        self._held += size

    def give_back(self, size: int) -> None:
        self._held -= size


class HeldBytes:
    """The share of one request, until it is answered; announced bytes count once they arrive."""

    __slots__ = ("_intake", "_size")

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._size = 0

    def grow(self, size: int) -> None:
        self._intake.take(size - self._size)
        self._size = size

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._intake.give_back(self._size)


async def read_runs_body(request: Request, held: HeldBytes | None = None) -> bytearray:
    """The body of a request for one run, or for many if room for that can be held; no larger than its kind may be."""
    check_content_type(request)
    most = BODY_ONE_MAX if held is None else BODY_MANY_MAX
    if int(header(request, b"content-length") or 0) > most:
        raise too_large(most)
    body = whole_body(request)
    if body is None:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_ONE_MAX:
                check_many(body, held)
    elif len(body) > BODY_ONE_MAX:
        check_many(body, held)
    check_text(body)
    return body


async def read_options_body(request: Request) -> bytearray:
    """The body of a request for a run of a job that the address names; there may be none."""
    if header(request, b"content-length") in ("", "0") and not header(request, b"transfer-encoding"):
        return bytearray(b"{}")
    return await read_runs_body(request)


def check_content_type(request: Request) -> None:
    kind = header(request, b"content-type")
    if kind != "application/json" and kind.partition(";")[0].strip().lower() != "application/json":
        reason = f"{kind or 'none'} is not supported; send application/json"
        raise InvalidInputError("content-type", reason, code="unsupported_media_type")


def check_many(body: bytearray, held: HeldBytes | None) -> None:
    """Only a list of runs may be larger than one run."""
    if held is None or not MANY.match(body):
        raise too_large(BODY_ONE_MAX)
    if len(body) > BODY_MANY_MAX:
        raise too_large(BODY_MANY_MAX)
    held.grow(len(body))


def too_large(limit: int) -> TooLargeError:
    return TooLargeError("body", f"is over the limit of {limit} bytes")


def check_text(body: bytearray) -> None:
    # The decoder hands inputs through unread, so what is not UTF-8 has to be found here.
    if body.isascii():
        return
    try:
        body.decode()
    except UnicodeDecodeError as error:
        raise malformed(f"is not UTF-8 at byte {error.start}") from None


def unreadable(body: bytes | bytearray, error: Exception) -> InvalidInputError:
    """For a body that a decoder refused: of half a surrogate pair it says that something is cut off, which nothing is."""
    if (half := LONE_SURROGATE.search(body)) is not None:
        return malformed(
            f"has {half[1].decode()} at byte {half.start(1)}, which is half of a surrogate pair: no character"
        )
    return malformed(str(error))


def malformed(reason: str) -> InvalidInputError:
    return InvalidInputError("body", reason, code="malformed_json")


def decode_allowing_integral_floats(decoder: msgspec.json.Decoder[T], body: bytes | bytearray) -> T:
    """As the decoder reads it, once more with whole numbers if it was a fraction that it did not like."""
    # To JSON, 5 and 5.0 are the same number, and some languages write the latter.
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
