"""A store whose every statement waits to be let on, so that the explorer decides what happens when."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

from mainspring.errors import MainspringError
from mainspring.store.interface import Store
from mainspring.store.postgres import store as store_module
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.store import PostgresStore

T = TypeVar("T")

COMMIT = "commit"


class Actor:
    """One store and what it is doing: at rest before its next step, under way, or done."""

    def __init__(self, name: str, moved: asyncio.Event) -> None:
        self.name = name
        self.pid: int | None = None
        """The connection that it has a statement under way on."""
        self.next_step: str | None = None
        """What it does when it is let on; None while it is under way or done."""
        self.answer: object = None
        self._moved = moved
        self._go = asyncio.Event()
        self._act: asyncio.Task[None] | None = None

    @property
    def done(self) -> bool:
        return self._act is None or self._act.done()

    @property
    def under_way(self) -> bool:
        return not self.done and self.next_step is None

    def begin(self, act: Coroutine[Any, Any, object]) -> None:
        self._act = asyncio.create_task(self._perform(act))
        self._act.add_done_callback(lambda _: self._moved.set())

    def let_on(self) -> None:
        self.next_step = None
        self._go.set()

    async def reach(self, step: str) -> None:
        """Wait before a step until it is this actor's turn."""
        self.next_step = step
        self._moved.set()
        await self._go.wait()
        self._go.clear()

    async def finish(self) -> object:
        """The answer of what it did, or the error that it was refused with."""
        assert self._act is not None
        await self._act
        return self.answer

    async def stop(self) -> None:
        if self._act is not None:
            self._act.cancel()
            await asyncio.gather(self._act, return_exceptions=True)

    async def _perform(self, act: Coroutine[Any, Any, object]) -> None:
        try:
            self.answer = await act
        except MainspringError as error:
            self.answer = error


class SteppedConnection:
    """A connection inside a transaction, each of whose statements is a step of its actor."""

    def __init__(self, connection: Any, actor: Actor) -> None:
        self._connection = connection
        self._actor = actor

    async def fetch(self, sql: str, *arguments: object) -> Any:
        return await self._step(self._connection.fetch, sql, *arguments)

    async def fetchrow(self, sql: str, *arguments: object) -> Any:
        return await self._step(self._connection.fetchrow, sql, *arguments)

    async def fetchval(self, sql: str, *arguments: object) -> Any:
        return await self._step(self._connection.fetchval, sql, *arguments)

    async def execute(self, sql: str, *arguments: object) -> Any:
        return await self._step(self._connection.execute, sql, *arguments)

    async def executemany(self, sql: str, rows: object) -> Any:
        return await self._step(self._connection.executemany, sql, rows)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """There is one already: its commit is a step of its own."""
        yield

    async def _step(self, statement: Callable[..., Awaitable[T]], sql: str, *arguments: object) -> T:
        await self._actor.reach(" ".join(sql.split())[:60])
        return await statement(sql, *arguments)


class SteppedDatabase(Database):
    """Runs each piece of work in a transaction whose statements and whose commit are steps.

    A statement on its own commits by itself, but not in the same moment: until then, others see nothing of it and wait for
    its locks. Here that moment can be drawn out.
    """

    def __init__(self, url: str, actor: Actor) -> None:
        super().__init__(url, size=1, application=f"actor {actor.name}", hot=True)
        self._actor = actor

    async def run(self, work: Callable[[Any], Awaitable[T]]) -> T:
        async with self.connection() as connection:
            self._actor.pid = connection.get_server_pid()
            async with connection.transaction():
                answer = await work(SteppedConnection(connection, self._actor))
                await self._actor.reach(COMMIT)
            return answer


def stepped_store(url: str, actor: Actor) -> Store:
    """The store that servers use, over stepped connections."""
    whole = vars(store_module)["Database"]
    setattr(store_module, "Database", lambda *_, **__: SteppedDatabase(url, actor))  # noqa: B010 it is a class
    try:
        return cast("Store", PostgresStore(url, listen_url="off"))
    finally:
        setattr(store_module, "Database", whole)  # noqa: B010
