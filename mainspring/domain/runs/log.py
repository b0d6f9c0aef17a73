"""Log lines and progress of a handler."""

from typing import Annotated

import msgspec

from mainspring.domain.ids import RunIdField, TokenField
from mainspring.domain.years import END

LINE_MAX = 8 * 1024
"""Bytes of a line, or of a note on progress."""


class LogEntry(msgspec.Struct, frozen=True, array_like=True):
    """One line of a run's log; `seq` counts from 0 within an attempt, so a gap shows."""

    run: RunIdField
    token: TokenField
    seq: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
    at: Annotated[int, msgspec.Meta(ge=0, lt=int(END.timestamp()) * 1_000_000)]
    """Microseconds since 1970, by the executor's clock."""
    level: Annotated[int, msgspec.Meta(ge=0, le=32767)]
    """As in `logging`: 10 debug, 20 info, 30 warning, 40 error."""
    message: str


class Progress(msgspec.Struct, frozen=True, array_like=True):
    """How far an attempt says it has come; only the latest counts."""

    run: RunIdField
    token: TokenField
    fraction: Annotated[float, msgspec.Meta(ge=0, le=1)]
    note: str = ""
