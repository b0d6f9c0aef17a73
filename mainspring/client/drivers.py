"""Other people's connections to PostgreSQL, told by where their classes come from: none of their libraries is imported."""

import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from mainspring.errors import ConfigError

CALL = "SELECT CAST(mainspring.enqueue_many(CAST(CAST({} AS text) AS json), CAST({} AS text)) AS text)"
DOLLAR, PERCENT, NAMED = CALL.format("$1", "$2"), CALL.format("%s", "%s"), CALL.format(":calls", ":namespace")

IDLE = 0
"""What PostgreSQL says of a session in which no transaction is open."""

KNOWN = "asyncpg, psycopg 3 (also a cursor), SQLAlchemy (also a session) or Django"


class Answer(NamedTuple):
    """What the function returned, and whether that waits for a commit; if not, it is stored already."""

    text: str
    pending: bool


async def by_asyncpg(connection: Any, calls: str, namespace: str) -> Answer:
    text = await connection.fetchval(DOLLAR, calls, namespace)
    return Answer(text, connection.is_in_transaction())


def by_psycopg(given: Any, calls: str, namespace: str) -> Answer:
    # Through a cursor of our own: the caller's may be in the middle of something, and give rows of any shape.
    connection = getattr(given, "connection", given)
    with connection.cursor(row_factory=first_column) as cursor:
        text = cursor.execute(PERCENT, (calls, namespace)).fetchone()
    return Answer(text, connection.info.transaction_status != IDLE)


async def by_psycopg_async(given: Any, calls: str, namespace: str) -> Answer:
    connection = getattr(given, "connection", given)
    async with connection.cursor(row_factory=first_column) as cursor:
        await cursor.execute(PERCENT, (calls, namespace))
        text = await cursor.fetchone()
    return Answer(text, connection.info.transaction_status != IDLE)


def by_sqlalchemy(given: Any, calls: str, namespace: str) -> Answer:
    connection = given.connection() if callable(getattr(given, "connection", None)) else given
    refuse_other(connection.dialect.name)
    found = connection.execute(sqlalchemy_text(), {"calls": calls, "namespace": namespace})
    return Answer(found.scalar_one(), not commits_itself(connection))


async def by_sqlalchemy_async(given: Any, calls: str, namespace: str) -> Answer:
    connection = given if hasattr(given, "sync_connection") else await given.connection()
    refuse_other(connection.dialect.name)
    found = await connection.execute(sqlalchemy_text(), {"calls": calls, "namespace": namespace})
    return Answer(found.scalar_one(), not commits_itself(connection.sync_connection))


def by_django(connection: Any, calls: str, namespace: str) -> Answer:
    refuse_other(connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(PERCENT, [calls, namespace])
        [text] = cursor.fetchone()
    return Answer(text, not connection.get_autocommit())


Plain = Callable[[Any, str, str], Answer]
Async = Callable[[Any, str, str], Awaitable[Answer]]

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


def plain_way(connection: object) -> Plain:
    """How to call the function on this connection; raises ConfigError if that cannot be."""
    for kind in kinds(connection):
        if kind in PLAIN:
            return PLAIN[kind]
        if kind in ASYNC:
            raise ConfigError(f"{shown(connection)} is for async code: await enqueue_in, or enqueue_many_in")
    raise unknown(connection)


def async_way(connection: object) -> Async:
    for kind in kinds(connection):
        if kind in ASYNC:
            return ASYNC[kind]
        if kind in PLAIN:
            raise ConfigError(f"{shown(connection)} is for plain code: use enqueue_in_sync, or enqueue_many_in_sync")
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
            f"to enqueue in a transaction, both have to be in one PostgreSQL, and this is {database}:"
            " enqueue through the server instead, after your commit"
        )


def commits_itself(connection: Any) -> bool:
    """Whether SQLAlchemy has set the driver to commit each statement; not every driver can be asked."""
    try:
        return bool(connection.dialect.detect_autocommit_setting(connection.connection.dbapi_connection))
    except (AttributeError, NotImplementedError):
        return False


def sqlalchemy_text() -> Any:
    return sys.modules["sqlalchemy"].text(NAMED)


def first_column(_cursor: object) -> Callable[[Any], Any]:
    """As psycopg wants it: what makes a row of the values."""
    return lambda values: values[0]
