"""Async transactions of each kind: the same few steps, as people write them with each library."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import asyncpg
import psycopg
from psycopg.rows import dict_row
from sqlalchemy import NullPool, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncSession, async_scoped_session, async_sessionmaker, create_async_engine

ORDER = "INSERT INTO orders (number) VALUES ({})"


class AsyncTransaction:
    """What a test does inside: the connection to pass on, a statement of one's own, and a savepoint."""

    def __init__(
        self,
        connection: Any,
        execute: Callable[[str], Awaitable[Any]],
        savepoint: Callable[[], AbstractAsyncContextManager[Any]],
    ) -> None:
        self.connection = connection
        self._execute = execute
        self.savepoint = savepoint

    async def order(self, number: int) -> None:
        await self._execute(ORDER.format(number))


@asynccontextmanager
async def asyncpg_connection(url: str) -> AsyncIterator[AsyncTransaction]:
    connection = await asyncpg.connect(url)
    try:
        # As many do: values of type json go through the json module. What we pass must not.
        await connection.set_type_codec("json", schema="pg_catalog", encoder=repr, decoder=repr)
        async with connection.transaction():
            yield AsyncTransaction(connection, connection.execute, connection.transaction)
    finally:
        await connection.close()


@asynccontextmanager
async def asyncpg_pool(url: str) -> AsyncIterator[AsyncTransaction]:
    async with asyncpg.create_pool(url, min_size=0) as pool, pool.acquire() as connection, connection.transaction():
        yield AsyncTransaction(connection, connection.execute, connection.transaction)


@asynccontextmanager
async def psycopg_connection(url: str) -> AsyncIterator[AsyncTransaction]:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        yield AsyncTransaction(connection, lambda sql: connection.execute(sql.encode()), connection.transaction)


@asynccontextmanager
async def psycopg_cursor(url: str) -> AsyncIterator[AsyncTransaction]:
    async with (
        await psycopg.AsyncConnection.connect(url, row_factory=dict_row) as connection,
        connection.cursor() as cursor,
    ):
        yield AsyncTransaction(cursor, lambda sql: cursor.execute(sql.encode()), connection.transaction)


@asynccontextmanager
async def sqlalchemy_connection(url: str) -> AsyncIterator[AsyncTransaction]:
    engine = create_async_engine(make_url(url).set(drivername="postgresql+asyncpg"), poolclass=NullPool)
    async with engine.begin() as connection:
        yield AsyncTransaction(connection, lambda sql: connection.execute(text(sql)), connection.begin_nested)


@asynccontextmanager
async def sqlalchemy_session(url: str) -> AsyncIterator[AsyncTransaction]:
    engine = create_async_engine(make_url(url).set(drivername="postgresql+asyncpg"), poolclass=NullPool)
    async with AsyncSession(engine) as session, session.begin():
        yield AsyncTransaction(session, lambda sql: session.execute(text(sql)), session.begin_nested)


@asynccontextmanager
async def sqlalchemy_psycopg(url: str) -> AsyncIterator[AsyncTransaction]:
    engine = create_async_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    scoped = async_scoped_session(async_sessionmaker(engine), scopefunc=asyncio.current_task)
    try:
        async with scoped.begin():
            yield AsyncTransaction(scoped, lambda sql: scoped.execute(text(sql)), scoped.begin_nested)
    finally:
        await scoped.remove()


WAYS = (
    asyncpg_connection,
    asyncpg_pool,
    psycopg_connection,
    psycopg_cursor,
    sqlalchemy_connection,
    sqlalchemy_session,
    sqlalchemy_psycopg,
)
