"""Connections that are lent and given back.

The driver brings a pool of its own. It starts two asyncio tasks for each loan, which cost more than a short statement does
here, and would do for us what we need not: reset, count, retire. This one keeps the connection that was used last on top.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import asyncpg

if TYPE_CHECKING:
    Connection: TypeAlias = asyncpg.Connection[Any]
else:
    Connection = asyncpg.Connection


class Lending:
    """At most `size` connections, made when they are needed and kept. A caller that finds none free waits in line."""

    def __init__(self, connect: Callable[[], Awaitable[Connection]], *, size: int, patience: float) -> None:
        self._connect = connect
        self._places = size
        """Connections that may still be made."""
        self._patience = patience
        self._idle: list[Connection] = []
        self._lent: set[Connection] = set()
        self._line: deque[asyncio.Future[Connection | None]] = deque()
        self._closed = False

    @property
    def lent(self) -> int:
        return len(self._lent)

    @property
    def idle(self) -> int:
        return len(self._idle)

    async def borrow(self) -> Connection:
        """Raises the errors of connecting, and TimeoutError if none comes free in time."""
        connection = self._take_idle()
        if connection is None and self._places:
            self._places -= 1
            connection = await self._make()
        elif connection is None:
            connection = await self._wait()
        self._lent.add(connection)
        return connection

    def give_back(self, connection: Connection) -> None:
        self._lent.discard(connection)
        if self._closed:
            connection.terminate()
        elif connection.is_closed():
            self._pass_on(None)
        else:
            self._pass_on(connection)

    def close(self) -> None:
        """Break off all of them, even busy ones."""
        self._closed = True
        for connection in (*self._idle, *self._lent):
            connection.terminate()
        self._idle.clear()
        for turn in self._line:
            if not turn.done():
                turn.set_exception(asyncpg.InterfaceError("the store was closed"))
        self._line.clear()

    def _take_idle(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
            self._places += 1
        return None

    async def _make(self) -> Connection:
        """Fill a place that was taken for it."""
        try:
            return await self._connect()
        except BaseException:
            self._pass_on(None)
            raise

    async def _wait(self) -> Connection:
        turn: asyncio.Future[Connection | None] = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        try:
            async with asyncio.timeout(self._patience):
                connection = await turn
        except BaseException:
            # It may have been given one in the very moment in which it gave up.
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._pass_on(turn.result())
            raise
        return connection or await self._make()

    def _pass_on(self, connection: Connection | None) -> None:
        """Give it to the first in line; None is the place of one that is no more."""
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(connection)
                return
        if connection is None:
            self._places += 1
        else:
            self._idle.append(connection)
