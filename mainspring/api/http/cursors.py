"""Where a page of runs ended. Opaque to callers, and good for the very filter that it came from."""

import base64
import binascii
import hashlib

import msgspec

from mainspring.domain.ids import RunId
from mainspring.errors import InvalidInputError
from mainspring.store.interface import RunFilter

VERSION = b"\x01"
MARK, ID = 8, 16
SIZE = len(VERSION) + MARK + ID


def write_cursor(query: RunFilter, run: RunId | None) -> str | None:
    if run is None:
        return None
    return base64.urlsafe_b64encode(VERSION + mark_of(query) + run).rstrip(b"=").decode()


def read_cursor(query: RunFilter, text: str) -> RunId:
    """Where the page before ended; raises InvalidInputError unless it answered the same question."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raw = b""
    if len(raw) != SIZE or not raw.startswith(VERSION):
        raise InvalidInputError("cursor", "is not the `next` of a page", code="bad_cursor")
    if raw[len(VERSION) : -ID] != mark_of(query):
        reason = "comes from a list with other filters: repeat it with the very same, or start anew without"
        raise InvalidInputError("cursor", reason, code="bad_cursor")
    return RunId(raw[-ID:])


def mark_of(query: RunFilter) -> bytes:
    """Tells filters apart; how many runs a page has, and what of each, may change on the way."""
    asked = msgspec.structs.replace(
        query, after=None, limit=0, bodies=False, parked=(), states=tuple(sorted(query.states))
    )
    return hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).digest()[:MARK]
