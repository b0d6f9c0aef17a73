"""How a batch travels to SQLite and back in one statement.

One JSON array `:rows` drives the statement, ids and other bytes are cut from blobs by position (`substr`), and what
comes back is aggregated into one row. The reason is the interpreter's lock: it is given away at every step of a
statement, and beside a busy event loop getting it back takes up to 5 ms. Measured there: 650 to 5,300 microseconds per
row with a statement per row, 20 to 50 with one for all.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import Any

import msgspec

ID_SIZE = 16
ID_NONE = bytes(ID_SIZE)
Parameters = dict[str, Any]


def batch(ids: Sequence[bytes], rows: Sequence[object] | None = None, **parameters: object) -> Parameters:
    """Parameters of a statement over these ids, with a JSON value for each."""
    return {"ids": b"".join(ids), "rows": array([0] * len(ids) if rows is None else rows), **parameters}


def array(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()


def starts(parts: Iterable[bytes]) -> list[int]:
    """Where each part begins once they are joined."""
    return list(accumulate(chain((0,), map(len, parts))))


def cut_ids(digits: str | None) -> list[Any]:
    """The ids of an aggregate of hexadecimal digits, which is NULL if there was no row."""
    blob = bytes.fromhex(digits or "")
    return [blob[at : at + ID_SIZE] for at in range(0, len(blob), ID_SIZE)]


def cut_parts(digits: str | None) -> list[bytes]:
    return [] if digits is None else [bytes.fromhex(part) for part in digits.split(",")]


def printable(text: str | None) -> str | None:
    """Text without NUL characters, at which SQLite's JSON functions would end it."""
    return None if text is None else text.replace("\x00", "\ufffd")
