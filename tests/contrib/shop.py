"""An app whose jobs the tests enqueue, and a database of a shop to enqueue from."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from mainspring import App, AsyncClient, Client
from mainspring.clock import SystemClock
from mainspring.store import open_store
from tests.support.postgres import Postgres

ORDERS = "CREATE TABLE orders (number integer PRIMARY KEY)"


class Shop:
    """An app that reaches a server, if there is one."""

    def __init__(self, url: str = "http://127.0.0.1:9", token: str = "any") -> None:
        self.app = app = App("shop", client=AsyncClient(url, token=token), sync_client=Client(url, token=token))

        @app.job
        async def pack(order: int, note: str = "") -> str:
            return f"packed {order}{note}"

        @app.job(name="bill", queue="money", priority=7)
        def bill(order: int) -> int:
            return order * 100

        @app.job
        def ship(lines: list[int]) -> int:
            return sum(lines)

        self.pack, self.bill, self.ship = pack, bill, ship


async def register(url: str, shop: Shop) -> None:
    """Let the database know the jobs, as the first hello of an executor does."""
    store = await open_store(url)
    try:
        await store.jobs.register("default", [handler.spec for handler in shop.app], now=SystemClock().now())
    finally:
        await store.close()


@contextmanager
def shop_database(postgres: Postgres) -> Iterator[str]:
    """A migrated database that knows the jobs and has a table of the shop's own."""
    url = asyncio.run(postgres.create_migrated())
    asyncio.run(register(url, Shop()))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ORDERS)
    yield url
    asyncio.run(postgres.drop_database(url))


class Onlooker:
    """Sees what is committed, on a connection of its own."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)

    def all(self, statement: str, *values: object) -> list[Any]:
        return self._connection.execute(statement.encode(), values).fetchall()

    def execute(self, statement: str) -> None:
        self._connection.execute(statement.encode())

    def runs(self) -> list[str]:
        return [str(run) for (run,) in self.all("SELECT id FROM mainspring.runs ORDER BY id")]

    def orders(self) -> list[int]:
        return [number for (number,) in self.all("SELECT number FROM orders ORDER BY number")]

    def wipe(self) -> None:
        self.execute("TRUNCATE mainspring.runs, mainspring.keys, mainspring.marks, orders")

    def close(self) -> None:
        self._connection.close()
