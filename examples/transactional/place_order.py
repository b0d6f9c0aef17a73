"""Place an order and enqueue its packing in one transaction, with the library of your choice."""

import argparse
import asyncio
import os

import asyncpg
import psycopg
from jobs import app, pack
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

URL = os.environ["DATABASE_URL"]
TABLE = "CREATE TABLE IF NOT EXISTS orders (number integer PRIMARY KEY)"


class OutOfStockError(Exception):
    """What may go wrong after the run was enqueued."""


async def with_asyncpg(number: int, *, fail: bool) -> str:
    connection = await asyncpg.connect(URL)
    try:
        async with connection.transaction():
            await connection.execute("INSERT INTO orders VALUES ($1)", number)
            run = await pack.enqueue_in(connection, order=number)
            if fail:
                raise OutOfStockError
    finally:
        await connection.close()
    return await run.result(timeout=30)


async def with_sqlalchemy(number: int, *, fail: bool) -> str:
    engine = create_async_engine(make_url(URL).set(drivername="postgresql+asyncpg"))
    try:
        async with AsyncSession(engine) as session, session.begin():
            await session.execute(text("INSERT INTO orders VALUES (:number)"), {"number": number})
            run = await pack.enqueue_in(session, order=number)
            if fail:
                raise OutOfStockError
    finally:
        await engine.dispose()
    return await run.result(timeout=30)


def with_psycopg(number: int, *, fail: bool) -> str:
    with psycopg.connect(URL) as connection:
        connection.execute("INSERT INTO orders VALUES (%s)", [number])
        run = pack.enqueue_in_sync(connection, order=number)
        if fail:
            raise OutOfStockError
    return run.result(timeout=30)


async def place(library: str, number: int, *, fail: bool) -> str:
    match library:
        case "psycopg":
            return await asyncio.to_thread(with_psycopg, number, fail=fail)
        case "sqlalchemy":
            return await with_sqlalchemy(number, fail=fail)
        case _:
            return await with_asyncpg(number, fail=fail)


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("number", type=int)
    parser.add_argument("--with", dest="library", choices=["asyncpg", "psycopg", "sqlalchemy"], default="asyncpg")
    parser.add_argument("--fail", action="store_true")
    given = parser.parse_args()
    with psycopg.connect(URL) as connection:
        connection.execute(TABLE)
    try:
        print(await place(given.library, given.number, fail=given.fail))
    except OutOfStockError:
        print("out of stock: no order, and nothing to pack")
    finally:
        await app.client.close()
        app.sync_client.close()


if __name__ == "__main__":
    asyncio.run(main())
