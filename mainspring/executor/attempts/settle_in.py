"""Settling a run inside the handler's own PostgreSQL transaction: its writes and the run's success commit together.

The handler commits the transaction. When it returns, the executor reports that the transaction was not committed; if it was,
that report finds nothing left to settle.
"""

import warnings

import msgspec

from mainspring.domain.ids import id_text
from mainspring.errors import ConfigError, ForbiddenError, InvalidInputError, LeaseLostError, MainspringError
from mainspring.executor.attempts.attempt import Attempt, encode
from mainspring.wire.drivers import DriverAnswer, DriverCall, async_way, causes, detail_of, plain_way

SETTLE = DriverCall(
    "settle_in",
    "SELECT CAST(mainspring.settle("
    "CAST(CAST({} AS text) AS uuid), CAST(CAST({} AS text) AS uuid), CAST(CAST({} AS text) AS json)) AS text)",
)
OUTSIDE = (
    "settle_in was called outside a transaction: the run has succeeded already, whatever comes after."
    " Open a transaction around it and your own statements"
)
NO_FUNCTION = (
    "this database has no function mainspring.settle: it has to be the PostgreSQL of the servers, and migrated"
)
NO_RIGHT = "the role may not settle: GRANT USAGE ON SCHEMA mainspring, and EXECUTE ON FUNCTION mainspring.settle, to it"
NUL = "has a NUL character (\\u0000), which PostgreSQL does not take"


async def settle_in(attempt: Attempt, connection: object, result: object) -> None:
    call, values = async_way(connection, SETTLE), values_of(attempt, result)
    with refusals_translated():
        answer = await call(connection, SETTLE, *values)
    note(attempt, answer)


def settle_in_sync(attempt: Attempt, connection: object, result: object) -> None:
    call, values = plain_way(connection, SETTLE), values_of(attempt, result)
    with refusals_translated():
        answer = call(connection, SETTLE, *values)
    note(attempt, answer)


def values_of(attempt: Attempt, result: object) -> tuple[str, str, str]:
    try:
        raw = encode(result)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        reason = f"cannot be written as JSON: {error}"
        raise InvalidInputError("result", reason, code="bad_result") from None
    return id_text(attempt.run), attempt.token.hex(), raw.decode()


def note(attempt: Attempt, answer: DriverAnswer) -> None:
    attempt.settled_in = True
    if not answer.pending:
        warnings.warn(OUTSIDE, RuntimeWarning, stacklevel=4)


class SettleRefusal(msgspec.Struct):
    """The detail of the function's errors."""

    field: str = ""
    code: str = ""
    detail: str = ""


class refusals_translated:  # noqa: N801 reads as a word of the with statement
    """Turn refusals of the SQL function into our errors, with the driver's error as the cause."""

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is not None and (found := refusal_of(error)) is not None:
            raise found from error


def refusal_of(error: BaseException) -> MainspringError | None:
    for cause in causes(error):
        match getattr(cause, "sqlstate", None):
            case "MSLST":
                return LeaseLostError("this attempt does not own its run any more: nothing was settled")
            case "MSINP":
                refusal = msgspec.json.decode(detail_of(cause), type=SettleRefusal)
                return InvalidInputError(refusal.field, refusal.detail, code=refusal.code)
            case "42883" | "3F000":
                return ConfigError(NO_FUNCTION)
            case "42501":
                return ForbiddenError(NO_RIGHT)
            case "22P05":
                return InvalidInputError("result", NUL, code="bad_result")
    return None
