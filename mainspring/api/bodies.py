"""Request bodies: size is checked before anything is parsed."""

import re

from fastapi import Request

from mainspring.api.headers import header
from mainspring.domain.run import INPUT_MAX
from mainspring.errors import InvalidInputError, TooLargeError

BODY_ONE_MAX = INPUT_MAX + 16 * 1024
BODY_MANY_MAX = 64 * 1024 * 1024

MANY = re.compile(rb'\s*\{\s*"runs"\s*:')


async def read_runs_body(request: Request) -> bytearray:
    """The body of a request for one run or many, no larger than its kind may be."""
    check_content_type(request)
    if int(header(request, b"content-length") or 0) > BODY_MANY_MAX:
        raise too_large(BODY_MANY_MAX)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_ONE_MAX:
            check_many(body)
    check_text(body)
    return body


def check_content_type(request: Request) -> None:
    kind = header(request, b"content-type")
    if kind != "application/json" and kind.partition(";")[0].strip().lower() != "application/json":
        reason = f"{kind or 'none'} is not supported; send application/json"
        raise InvalidInputError("content-type", reason, code="unsupported_media_type")


def check_many(body: bytearray) -> None:
    """Only a list of runs may be larger than one run."""
    if not MANY.match(body):
        raise too_large(BODY_ONE_MAX)
    if len(body) > BODY_MANY_MAX:
        raise too_large(BODY_MANY_MAX)


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


def malformed(reason: str) -> InvalidInputError:
    return InvalidInputError("body", reason, code="malformed_json")
