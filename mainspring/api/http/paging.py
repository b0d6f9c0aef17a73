"""Cursors: where a page ended. Callers pass them on as they are."""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from mainspring.api.http.json_io import NUMBER
from mainspring.contract.base.fields import RUN_ID
from mainspring.domain.ids import RunId, parse_run_id
from mainspring.domain.years import END
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.jobs import VERSION_MAX
from mainspring.store.interface import RunFilter

T = TypeVar("T")

VERSION_NUMBER = re.compile("[1-9][0-9]{0,8}")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
VERSION = b"\x01"
MARK, ID = 8, 16
SIZE = len(VERSION) + MARK + ID
NOT_A_CURSOR = "is not the `next` of a page"


def bad_cursor(reason: str = NOT_A_CURSOR) -> InvalidInputError:
    return InvalidInputError("cursor", reason, code="bad_cursor")


def write_run_cursor(query: RunFilter, run: RunId | None) -> str | None:
    """A cursor that is good for this filter only."""
    return None if run is None else encode(VERSION + mark_of(query) + run)


def read_run_cursor(query: RunFilter, text: str) -> RunId:
    """The last run of the page before; raises InvalidInputError if that page had other filters."""
    raw = decode(text)
    if len(raw) != SIZE or not raw.startswith(VERSION):
        raise bad_cursor()
    if raw[len(VERSION) : -ID] != mark_of(query):
        raise bad_cursor("comes from a list with other filters: repeat it with the very same, or start anew without")
    return RunId(raw[-ID:])


def mark_of(query: RunFilter) -> bytes:
    """Tells filters apart; the size of a page, and the fields of each run, may change on the way."""
    asked = msgspec.structs.replace(
        query, after=None, limit=0, bodies=False, parked=(), states=tuple(sorted(query.states))
    )
    return hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).digest()[:MARK]


def next_of(items: Sequence[T], limit: int, write: Callable[[T], str | None]) -> str | None:
    """The cursor after the last item of a full page."""
    return write(items[-1]) if len(items) == limit else None


def write_name_cursor(kind: str, name: str) -> str:
    return f"{kind}:{name}"


def read_name_cursor(kind: str, text: str | None) -> str:
    """The last name of the previous page, empty for the first page; raises InvalidInputError."""
    if not text:
        return ""
    name = text.removeprefix(f"{kind}:")
    if name == text or "\x00" in name:
        raise bad_cursor()
    return name


def read_version_cursor(text: str | None) -> int:
    """The oldest version of the previous page; raises InvalidInputError."""
    if text is None:
        return VERSION_MAX
    if not VERSION_NUMBER.fullmatch(text) or int(text) > VERSION_MAX:
        raise bad_cursor()
    return int(text)


def read_id_cursor(text: str) -> RunId:
    """The last id of the page before; raises InvalidInputError."""
    if not re.fullmatch(RUN_ID, text):
        raise bad_cursor()
    return parse_run_id(text)


def write_instant_cursor(at: datetime) -> str:
    return str((at - EPOCH) // datetime.resolution)


def read_instant_cursor(text: str) -> datetime:
    """The last instant of the page before; raises InvalidInputError."""
    at = EPOCH + int(text) * datetime.resolution if NUMBER.fullmatch(text) else END
    if at >= END:
        raise bad_cursor()
    return at


def write_place(at: datetime, key: object) -> str:
    """A cursor of an instant, and of the key that tells entries of one instant apart."""
    return f"{write_instant_cursor(at)}.{key}"


def parse_place(text: str | None, key: re.Pattern[str]) -> tuple[datetime, str] | None:
    """The last entry of the page before; raises InvalidInputError."""
    if text is None:
        return None
    micros, _, rest = text.partition(".")
    if not key.fullmatch(rest):
        raise bad_cursor()
    return read_instant_cursor(micros), rest


def encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """The bytes of a cursor; none if it is not one."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return b""
