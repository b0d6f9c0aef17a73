"""Whole columns in PostgreSQL's binary format, built and read by joining and slicing.

The driver encodes an array element by element, which costs more than all else that a server does for a run. These
codecs stand in for its own on the connections that carry runs.
"""

import struct
from array import array
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import repeat
from typing import cast

from mainspring.domain.ids import RunId
from mainspring.domain.years import END, FIRST

_HEAD = struct.Struct(">iiIii")
_BIGINT = struct.Struct(">iq")
_LENGTH = struct.Struct(">i")
_NULL = b"\xff\xff\xff\xff"
_EMPTY = struct.Struct(">iiI")
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_KNOWN_FIRST, _KNOWN_LAST = (FIRST - _EPOCH) // _MICROSECOND, (END - _EPOCH) // _MICROSECOND

UUID, BYTEA, TEXT, INTEGER, SMALLINT, BIGINT, TIMESTAMPTZ = 2950, 17, 25, 23, 21, 20, 1184


def uuids(values: Sequence[bytes | None]) -> bytes:
    prefix = b"\x00\x00\x00\x10"
    if None in values:
        return _whole(UUID, values, b"".join(_NULL if one is None else prefix + one for one in values))
    return _whole(UUID, values, prefix + prefix.join(values))  # type: ignore[arg-type]


def integers(values: Sequence[int]) -> bytes:
    return _whole(INTEGER, values, _same(values, _integer) or _integers(values))


def smallints(values: Sequence[int]) -> bytes:
    return _whole(SMALLINT, values, _same(values, _smallint) or b"".join(map(_smallint, values)))


def bigints(values: Sequence[int]) -> bytes:
    return _whole(BIGINT, values, _same(values, _bigint) or b"".join(map(_BIGINT.pack, repeat(8), values)))


def blobs(values: Sequence[bytes | None]) -> bytes:
    return _whole(BYTEA, values, _same(values, _blob) or b"".join(map(_blob, values)))


def texts(values: Sequence[str | None]) -> bytes:
    return _whole(TEXT, values, _same(values, _text) or b"".join(map(_text, values)))


def instants(values: Sequence[datetime | None]) -> bytes:
    return _whole(TIMESTAMPTZ, values, _same(values, _instant) or b"".join(map(_instant, values)))


def read_uuids(raw: bytes) -> list[RunId]:
    return cast("list[RunId]", [raw[at : at + 16] for at in range(0, len(raw), 16)])


def read_integers(raw: bytes) -> list[int]:
    values = array("i", raw)
    values.byteswap()
    return values.tolist()


def read_instant(raw: bytes | None) -> datetime | None:
    """One element of an array of instants."""
    return None if raw is None else read_timestamp(raw)


def read_timestamp(raw: bytes) -> datetime:
    """One outside the known years is read as the nearest of them: however it came there, it stops no duty and no list."""
    micros = int.from_bytes(raw, "big", signed=True)
    if not _KNOWN_FIRST <= micros <= _KNOWN_LAST:
        micros = min(max(micros, _KNOWN_FIRST), _KNOWN_LAST)
    return _EPOCH + micros * _MICROSECOND


def write_timestamp(instant: datetime) -> bytes:
    return ((instant - _EPOCH) // _MICROSECOND).to_bytes(8, "big", signed=True)


def _whole(element: int, values: Sequence[object], body: bytes) -> bytes:
    """A one-dimensional array; the flag says whether there are nulls among its elements."""
    if not values:
        return _EMPTY.pack(0, 0, element)
    return _HEAD.pack(1, None in values, element, len(values), 1) + body


def _same(values: Sequence[object], encode: Callable[..., bytes]) -> bytes:
    """Encode a column of one value repeated, which many are; empty if it is not."""
    if values and values.count(values[0]) == len(values):
        return encode(values[0]) * len(values)
    return b""


def _integers(values: Sequence[int]) -> bytes:
    """Length and value of each element as one number of 64 bits, turned round together."""
    pairs = array("q", [(4 << 32) | (value & 0xFFFFFFFF) for value in values])
    pairs.byteswap()
    return pairs.tobytes()


def _integer(value: int) -> bytes:
    return struct.pack(">ii", 4, value)


def _smallint(value: int) -> bytes:
    return struct.pack(">ih", 2, value)


def _bigint(value: int) -> bytes:
    return _BIGINT.pack(8, value)


def _blob(value: bytes | None) -> bytes:
    return _NULL if value is None else len(value).to_bytes(4, "big") + value


def _text(value: str | None) -> bytes:
    return _NULL if value is None else _blob(value.encode())


def _instant(value: datetime | None) -> bytes:
    return _NULL if value is None else _BIGINT.pack(8, (value - _EPOCH) // _MICROSECOND)


def elements(raw: bytes) -> list[bytes | None]:
    """The elements of any one-dimensional array, still encoded."""
    found: list[bytes | None] = []
    add, length, at, end = found.append, _LENGTH.unpack_from, _HEAD.size, len(raw)
    while at < end:
        [size] = length(raw, at)
        at += 4
        if size < 0:
            add(None)
        else:
            add(raw[at : at + size])
            at += size
    return found


def read_texts(raw: bytes) -> list[str | None]:
    return [None if one is None else one.decode() for one in elements(raw)]


COLUMNS: list[tuple[int, str, Callable[..., bytes], Callable[[bytes], object]]] = [
    (2951, "_uuid", uuids, elements),
    (1001, "_bytea", blobs, elements),
    (1009, "_text", texts, read_texts),
    (1007, "_int4", integers, elements),
    (1005, "_int2", smallints, elements),
    (1016, "_int8", bigints, elements),
    (1185, "_timestamptz", instants, elements),
]
"""Array types with their numbers, which PostgreSQL never changes; how each is written and read."""
