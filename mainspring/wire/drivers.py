"""Adapters to callers' PostgreSQL connections, recognized by module name: no driver is imported here."""

import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mainspring.errors import ConfigError

IDLE = 0
"""PostgreSQL's state of a session without an open transaction."""

KNOWN = "asyncpg, psycopg 3 (also a cursor), SQLAlchemy (also a session) or Django"


class DriverCall:
    """A call of one of our functions, with a `{}` for each of its values, all of them text; it returns text."""

    def __init__(self, name: str, statement: str) -> None:
        self.name = name
        """The public function's name, for messages."""
        size = statement.count("{}")
        self.dollar = statement.format(*(f"${at + 1}" for at in range(size)))
        self.percent = statement.format(*["%s"] * size)
        self.named = statement.format(*(f":value_{at}" for at in range(size)))


class DriverAnswer(NamedTuple):
    """The function's value, and whether a commit is still to come."""

    text: str
    pending: bool


async def by_asyncpg(connection: Any, call: DriverCall, *values: str) -> DriverAnswer:
    text = await connection.fetchval(call.dollar, *values)
    return DriverAnswer(text, connection.is_in_transaction())


def by_psycopg(given: Any, call: DriverCall, *values: str) -> DriverAnswer:
    # Through a cursor of our own: the caller's may be in the middle of something, and give rows of any shape.
    connection = getattr(given, "connection", given)
    with connection.cursor(row_factory=first_column) as cursor:
        text = cursor.execute(call.percent, values).fetchone()
    return DriverAnswer(text, connection.info.transaction_status != IDLE)


async def by_psycopg_async(given: Any, call: DriverCall, *values: str) -> DriverAnswer:
    connection = getattr(given, "connection", given)
    async with connection.cursor(row_factory=first_column) as cursor:
        await cursor.execute(call.percent, values)
        text = await cursor.fetchone()
    return DriverAnswer(text, connection.info.transaction_status != IDLE)


def by_sqlalchemy(given: Any, call: DriverCall, *values: str) -> DriverAnswer:
    connection = given.connection() if callable(getattr(given, "connection", None)) else given
    refuse_other(connection.dialect.name)
    found = connection.execute(*sqlalchemy_text(call, values))
    return DriverAnswer(found.scalar_one(), not commits_itself(connection))


async def by_sqlalchemy_async(given: Any, call: DriverCall, *values: str) -> DriverAnswer:
    connection = given if hasattr(given, "sync_connection") else await given.connection()
    refuse_other(connection.dialect.name)
    found = await connection.execute(*sqlalchemy_text(call, values))
    return DriverAnswer(found.scalar_one(), not commits_itself(connection.sync_connection))


def by_django(connection: Any, call: DriverCall, *values: str) -> DriverAnswer:
    refuse_other(connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(call.percent, list(values))
        [text] = cursor.fetchone()
    return DriverAnswer(text, not connection.get_autocommit())


Plain = Callable[..., DriverAnswer]
Async = Callable[..., Awaitable[DriverAnswer]]

PLAIN: Mapping[str, Plain] = {
    "psycopg.Connection": by_psycopg,
    "psycopg.Cursor": by_psycopg,
    "psycopg.ServerCursor": by_psycopg,
    "sqlalchemy.Connection": by_sqlalchemy,
    "sqlalchemy.Session": by_sqlalchemy,
    "sqlalchemy.scoped_session": by_sqlalchemy,
    "django.ConnectionProxy": by_django,
    "django.BaseDatabaseWrapper": by_django,
}
ASYNC: Mapping[str, Async] = {
    "asyncpg.Connection": by_asyncpg,
    "asyncpg.PoolConnectionProxy": by_asyncpg,
    "psycopg.AsyncConnection": by_psycopg_async,
    "psycopg.AsyncCursor": by_psycopg_async,
    "psycopg.AsyncServerCursor": by_psycopg_async,
    "sqlalchemy.AsyncConnection": by_sqlalchemy_async,
    "sqlalchemy.AsyncSession": by_sqlalchemy_async,
    "sqlalchemy.async_scoped_session": by_sqlalchemy_async,
}


def plain_way(connection: object, call: DriverCall) -> Plain:
    """How to call the function on this connection; raises ConfigError if that cannot be."""
    for kind in kinds(connection):
        if kind in PLAIN:
            return PLAIN[kind]
        if kind in ASYNC:
            raise ConfigError(f"{shown(connection)} is for async code: await {call.name}")
    raise unknown(connection)


def async_way(connection: object, call: DriverCall) -> Async:
    for kind in kinds(connection):
        if kind in ASYNC:
            return ASYNC[kind]
        if kind in PLAIN:
            raise ConfigError(f"{shown(connection)} is for plain code: use {call.name}_sync")
    raise unknown(connection)


def kinds(connection: object) -> list[str]:
    """The classes of the connection, each with the package it comes from; the user may have derived their own."""
    return [f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}" for kind in type(connection).__mro__]


def shown(connection: object) -> str:
    kind = type(connection)
    return f"{kind.__module__}.{kind.__qualname__}"


def unknown(connection: object) -> ConfigError:
    if any("sqlite" in kind.lower() for kind in kinds(connection)):
        refuse_other("sqlite")
    return ConfigError(f"{shown(connection)} is not a connection to PostgreSQL by {KNOWN}")


def refuse_other(database: str) -> None:
    if database != "postgresql":
        raise ConfigError(
            f"what shares a transaction has to be in one PostgreSQL, and this is {database}:"
            " go through the server instead, after your commit"
        )


def commits_itself(connection: Any) -> bool:
    """Whether SQLAlchemy has set the driver to commit each statement; not every driver can be asked."""
    try:
        return bool(connection.dialect.detect_autocommit_setting(connection.connection.dbapi_connection))
    except (AttributeError, NotImplementedError):
        return False


def sqlalchemy_text(call: DriverCall, values: Sequence[str]) -> tuple[Any, dict[str, str]]:
    return sys.modules["sqlalchemy"].text(call.named), {f"value_{at}": each for at, each in enumerate(values)}


def first_column(_cursor: object) -> Callable[[Any], Any]:
    """A row factory for psycopg."""
    return lambda values: values[0]


def detail_of(error: BaseException) -> str:
    """Where asyncpg, or psycopg, keeps it."""
    diagnosis = getattr(error, "diag", None)
    return str(getattr(error, "detail", "") if diagnosis is None else diagnosis.message_detail)


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes: SQLAlchemy and Django wrap the driver's errors."""
    while error is not None:
        yield error
        error = error.__cause__ or getattr(error, "orig", None)
