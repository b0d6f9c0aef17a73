"""Connections to PostgreSQL, and the one place that reads its errors.

Everything runs in READ COMMITTED, as single statements or behind row locks, so that a pooler in transaction mode may stand
between: no session state is kept, no setting, no advisory lock, no prepared statement when the URL says `pooler=transaction`.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg

from mainspring.errors import (
    ConfigError,
    ConflictError,
    LeaseLostError,
    MainspringError,
    StoreBusyError,
    StoreUnavailableError,
)
from mainspring.store.postgres.codecs import COLUMNS, TIMESTAMPTZ, read_timestamp, write_timestamp
from mainspring.store.postgres.connect import CONNECT_TIMEOUT, HostDialling
from mainspring.store.postgres.pool import Connection, Lending

T = TypeVar("T")

RETRIES = 3
COMMAND_TIMEOUT = 60.0
LOCK_TIMEOUT = 2.0
"""Seconds that a statement waits for a lock which another program holds, such as one that builds an index."""

_AWAY = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
)
_UNDONE = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.QueryCanceledError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
)
"""Those of them with which PostgreSQL says itself that nothing was done."""
_REPEAT = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
BREAKING = (asyncio.CancelledError, TimeoutError, asyncpg.ReadOnlySQLTransactionError)
"""What leaves a connection of no use: what takes no writes any more is a standby now, and the primary is dialled anew."""
LOST = "the connection to PostgreSQL was lost"
BUSY = "another program holds a lock in the database, such as one that builds an index or rewrites a table: try again"
_LEASE_LOST = "MSLST"
_KEY_TAKEN = "MSKEY"
_KEY_BUSY = "MSBSY"


class Database:
    """A pool of connections on which ids are plain bytes."""

    def __init__(self, url: str, *, size: int, application: str, hot: bool = False) -> None:
        self.dsn, self.pooled = read_url(url)
        self._size = size
        self._application = application
        self._init = carry_whole_columns if hot else carry_ids_as_bytes
        self._dialling = HostDialling(self.dsn)
        self._lending = self._new_lending()

    async def fetch(self, sql: str, *arguments: object) -> list[asyncpg.Record]:
        return await self.run(lambda connection: connection.fetch(sql, *arguments))

    async def fetchval(self, sql: str, *arguments: object) -> Any:
        return await self.run(lambda connection: connection.fetchval(sql, *arguments))

    async def execute(self, sql: str, *arguments: object) -> int:
        """Run a statement and say how many rows it touched."""
        tag = await self.run(lambda connection: connection.execute(sql, *arguments))
        return int(tag.rpartition(" ")[2] or 0) if tag[-1:].isdigit() else 0

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do one atomic piece of work, again when the database asks for that."""
        for remaining in reversed(range(RETRIES)):
            try:
                async with self.connection() as connection:
                    return await work(connection)
            except _REPEAT as error:
                if not remaining:
                    raise StoreUnavailableError(f"PostgreSQL kept refusing: {error}") from error
        raise AssertionError

    async def transaction(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do several statements as one."""

        async def together(connection: Connection) -> T:
            async with connection.transaction():
                return await work(connection)

        return await self.run(together)

    def connection(self) -> "Loan":
        """Lend a connection; one left inside a transaction or a statement is thrown away, never lent again."""
        return Loan(self._lending)

    def loans(self) -> tuple[int, int]:
        """Connections that are busy, and those that are idle."""
        return self._lending.lent, self._lending.idle

    async def close(self) -> None:
        self._lending.close()
        self._lending = self._new_lending()

    def _new_lending(self) -> Lending:
        return Lending(self._connect, size=self._size, patience=CONNECT_TIMEOUT)

    async def _connect(self) -> Connection:
        connection = await self._dialling.connect(
            command_timeout=COMMAND_TIMEOUT,
            statement_cache_size=0 if self.pooled else 100,
            server_settings={} if self.pooled else self._settings(),
        )
        try:
            await self._init(connection)
        except BaseException as error:
            connection.terminate()
            if isinstance(error, AttributeError):
                # What the driver is left with if the connection breaks while it is being set up.
                raise ConnectionError(LOST) from error
            raise
        return connection

    def _settings(self) -> dict[str, str]:
        return {"application_name": self._application, "lock_timeout": f"{LOCK_TIMEOUT * 1000:.0f}"}


async def carry_ids_as_bytes(connection: Connection) -> None:
    await connection.set_type_codec("uuid", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary")
    # The driver's own raises for what no `datetime` holds, and the rows beside it are lost with it.
    codecs = connection._protocol.get_settings()  # noqa: SLF001 asking the type of the database costs a trip
    codecs.add_python_codec(
        TIMESTAMPTZ, "timestamptz", "pg_catalog", [], "scalar", write_timestamp, read_timestamp, "binary"
    )


async def carry_whole_columns(connection: Connection) -> None:
    await carry_ids_as_bytes(connection)
    # The driver's public door takes no codec for an array as a whole.
    codecs = connection._protocol.get_settings()  # noqa: SLF001
    for number, name, encode, decode in COLUMNS:
        codecs.add_python_codec(number, name, "pg_catalog", [], "scalar", encode, decode, "binary")


class Loan:
    """A connection for as long as a block of code lasts, in which the driver's errors become ours."""

    __slots__ = ("_connection", "_lending")

    def __init__(self, lending: Lending) -> None:
        self._lending = lending

    async def __aenter__(self) -> Connection:
        try:
            self._connection = await self._lending.borrow()
        except BaseException as error:
            translate(error)
            raise
        return self._connection

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        connection = self._connection
        was_lost = error is not None and connection.is_closed()
        if isinstance(error, BREAKING) or (not connection.is_closed() and connection.is_in_transaction()):
            connection.terminate()
        self._lending.give_back(connection)
        if error is not None:
            translate(error, sent=True)
            if was_lost and isinstance(error, AttributeError | RuntimeError):
                # The driver stumbles over its own broken connection here and there.
                raise StoreUnavailableError(LOST, in_doubt=True) from error


def translate(error: BaseException, *, sent: bool = False) -> None:
    """Raise our error for one of the driver's, if it is one; `sent`: the database may have begun to work on it."""
    if isinstance(error, (MainspringError, *_REPEAT)):
        return
    sqlstate = getattr(error, "sqlstate", None)
    if sqlstate == _LEASE_LOST:
        raise LeaseLostError("the session that was to run these is gone") from error
    if sqlstate == _KEY_TAKEN:
        raise ConflictError("key", str(error), "was used before with another job or input") from error
    if sqlstate == _KEY_BUSY:
        raise key_busy(str(error)) from error
    if isinstance(error, asyncpg.LockNotAvailableError):
        raise StoreBusyError(BUSY) from error
    if isinstance(error, _AWAY):
        raise StoreUnavailableError(describe(error), in_doubt=sent and not isinstance(error, _UNDONE)) from error


def key_busy(key: str) -> ConflictError:
    error = ConflictError("key", key, "is held by a transaction that has not ended yet: try again")
    error.code = "key_busy"
    return error


def storable(text: str) -> str:
    """PostgreSQL keeps no NUL in text."""
    return text.replace("\x00", "\ufffd")


def describe(error: BaseException) -> str:
    """Why the database is away: in its own words if it said some, never in the driver's."""
    match error:
        case asyncpg.PostgresError() if error.sqlstate and not isinstance(error, asyncpg.ConnectionDoesNotExistError):
            return str(error)
        case TimeoutError():
            return "PostgreSQL did not answer in time"
        case OSError(errno=int(number)) if number > 0:
            return f"PostgreSQL cannot be reached: {os.strerror(number).lower()}"
        case OSError():
            return "PostgreSQL cannot be reached"
    return LOST


def read_url(url: str) -> tuple[str, bool]:
    """Split our own `pooler` parameter off the URL; say whether a pooler in transaction mode stands between."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    pooler = query.pop("pooler", "none")
    if pooler not in {"none", "transaction"}:
        raise ConfigError(f"database url: pooler={pooler!r} is not known; use pooler=transaction or leave it out")
    return urlunsplit(parts._replace(query=urlencode(query))), pooler == "transaction"
