"""What a handler says while it runs."""

import msgspec

from mainspring.domain.ids import RunId, Token


class LogEntry(msgspec.Struct, frozen=True, array_like=True):
    """One line of a run's log; `seq` counts from 0 within an attempt, so a gap shows."""

    run: RunId
    token: Token
    seq: int
    at: int
    """Microseconds since 1970, by the executor's clock."""
    level: int
    """As in `logging`: 10 debug, 20 info, 30 warning, 40 error."""
    message: str


class Progress(msgspec.Struct, frozen=True, array_like=True):
    """How far an attempt says it has come; only the latest counts."""

    run: RunId
    token: Token
    fraction: float
    note: str = ""
