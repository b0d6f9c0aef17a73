"""Runs that come with the caller's own PostgreSQL transaction: they exist exactly if it commits."""

import warnings
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec

from mainspring.client.async_client import AsyncClient
from mainspring.client.client import Client
from mainspring.client.handles import RunHandle
from mainspring.client.sync.handles import SyncRunHandle
from mainspring.client.transport.requests import Enqueue
from mainspring.client.values import encode
from mainspring.contract.runs import AcceptedRun
from mainspring.errors import (
    ConfigError,
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    MainspringError,
    NotFoundError,
    OverBudgetError,
    TooLargeError,
)
from mainspring.telemetry.spans import enqueue_span, is_loaded, traceparent
from mainspring.wire.drivers import DriverAnswer, DriverCall, async_way, causes, detail_of, plain_way

ENQUEUE = DriverCall(
    "enqueue_in", "SELECT CAST(mainspring.enqueue_many(CAST(CAST({} AS text) AS json), CAST({} AS text)) AS text)"
)
RETRY_AFTER = 5.0
ALREADY_STORED = (
    "enqueue_in was called outside a transaction: the run is stored already, whatever comes after."
    " Open a transaction around it and your own statements"
)
NO_FUNCTION = (
    "this database has no function mainspring.enqueue_many: it has to be the PostgreSQL of the servers, and migrated"
)
NO_RIGHT = (
    "the role may not enqueue: GRANT USAGE ON SCHEMA mainspring, and EXECUTE ON FUNCTION mainspring.enqueue_many, to it"
)
NUL = "has a NUL character (\\u0000), which PostgreSQL does not take"

_read = msgspec.json.Decoder(list[AcceptedRun]).decode


class InTransaction:
    """Sends runs over a connection of the caller's instead of to a server."""

    def __init__(self, client: AsyncClient, connection: object) -> None:
        self._client = client
        self._connection = connection
        self._call = async_way(connection, ENQUEUE)

    async def send(self, wanted: Enqueue) -> RunHandle[Any]:
        [handle] = await self.enqueue_many([wanted])
        return handle

    async def enqueue_many(self, wanted: Iterable[Enqueue]) -> tuple[RunHandle[Any], ...]:
        runs = tuple(wanted)
        if not runs:
            return ()
        with enqueuing(runs, self._client.namespace), translated():
            calls = encode(tuple(map(with_trace, runs)), "input").decode()
            answer = await self._call(self._connection, ENQUEUE, calls, self._client.namespace)
        return tuple(RunHandle(self._client, run.id, existing=run.existing) for run in accepted(answer))


class InTransactionSync:
    """The same from plain code; `strict`: warn if there is no transaction."""

    def __init__(self, client: Client, connection: object, *, strict: bool = True) -> None:
        self._client = client
        self._strict = strict
        self._connection = connection
        self._call = plain_way(connection, ENQUEUE)

    def send(self, wanted: Enqueue) -> SyncRunHandle[Any]:
        [handle] = self.enqueue_many([wanted])
        return handle

    def enqueue_many(self, wanted: Iterable[Enqueue]) -> tuple[SyncRunHandle[Any], ...]:
        runs = tuple(wanted)
        if not runs:
            return ()
        with enqueuing(runs, self._client.namespace), translated():
            calls = encode(tuple(map(with_trace, runs)), "input").decode()
            answer = self._call(self._connection, ENQUEUE, calls, self._client.namespace)
        found = accepted(answer, strict=self._strict)
        return tuple(SyncRunHandle(self._client, run.id, existing=run.existing) for run in found)


def with_trace(call: Enqueue) -> Enqueue:
    """The run as a child of the current span; of no run: one that is enqueued in a transaction has no parent unless its caller
    names one."""
    trace = call.traceparent or traceparent() or None
    parent = msgspec.UNSET if call.parent is None else call.parent
    if (trace, parent) == (call.traceparent, call.parent):
        return call
    return msgspec.structs.replace(call, parent=parent, traceparent=trace)


def enqueuing(runs: Sequence[Enqueue], namespace: str) -> AbstractContextManager[object]:
    """The caller's span, in a process with OpenTelemetry."""
    if not is_loaded():
        return nullcontext()
    return enqueue_span(runs[0].job, queue=runs[0].queue, key=runs[0].key, count=len(runs), namespace=namespace)


def accepted(answer: DriverAnswer, *, strict: bool = True) -> list[AcceptedRun]:
    if strict and not answer.pending:
        warnings.warn(ALREADY_STORED, RuntimeWarning, stacklevel=4)
    return _read(answer.text)


class SqlRefusal(msgspec.Struct):
    """The detail of the function's errors."""

    field: str = ""
    code: str = ""
    detail: str = ""
    kind: str = ""
    key: str = ""
    depth: int = 0
    limit: int = 0


class translated:  # noqa: N801 reads as a word of the with statement
    """Raises the function's refusals as our errors, with the driver's error as the cause."""

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is not None and (found := refusal_of(error)) is not None:
            raise found from error


def refusal_of(error: BaseException) -> MainspringError | None:
    for cause in causes(error):
        match getattr(cause, "sqlstate", None):
            case "MSINP" | "MSJOB" | "MSKEY" | "MSFUL" as state:
                return meant(state, msgspec.json.decode(detail_of(cause), type=SqlRefusal))
            case "42883" | "3F000":
                return ConfigError(NO_FUNCTION)
            case "42501":
                return ForbiddenError(NO_RIGHT)
            case "22P05":
                return InvalidInputError("input", NUL, code="bad_input")
    return None


def meant(state: str, refusal: SqlRefusal) -> MainspringError:
    if state == "MSJOB":
        return NotFoundError("job", refusal.key, "no executor has registered it in this namespace yet")
    if state == "MSKEY":
        return ConflictError("key", refusal.key, "was used before with another job or input")
    if state == "MSFUL":
        return OverBudgetError(
            refusal.kind, refusal.key, depth=refusal.depth, limit=refusal.limit, retry_after=RETRY_AFTER
        )
    kind = TooLargeError if refusal.code.startswith("input_too_") else InvalidInputError
    return kind(refusal.field, refusal.detail, code=refusal.code)
