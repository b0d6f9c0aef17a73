"""The store that ships on a database in memory, and what stands between it and the servers: time, faults, fail-overs."""

import asyncio
import random
import sqlite3
from contextlib import closing
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from mainspring.errors import StoreUnavailableError
from mainspring.store.sqlite.store import SqliteStore
from mainspring.store.sqlite.transactions import Act, Writer
from mainspring.store.sqlite.tx import load_queries
from mainspring.testing.clock import FakeClock
from proof.sim.audit import Audit
from proof.sim.clock import SimClock
from proof.sim.loop import Process, SimLoop
from proof.sim.sometimes import Sometimes

T = TypeVar("T")

LATENCY = (0.0002, 0.004)
_images: dict[tuple[datetime, str], bytes] = {}


def image_at(start: datetime) -> bytes:
    """A database with its schema and its first days, made once per process and way of making days."""
    made_by = load_queries().add_logs_day
    if (start, made_by) not in _images:
        _images[start, made_by] = asyncio.run(make_image(start))
    return _images[start, made_by]


async def make_image(start: datetime) -> bytes:
    store = SqliteStore(connection := Direct(Writer(":memory:")), clock=FakeClock(start))
    await store.migrate()
    await store.cluster.prepare_history(now=start, days=2)
    return connection.writer._connection.serialize()


class Direct:
    """A connection without anything in between."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    async def write(self, act: Act[T]) -> T:
        return answered(self.writer, act)

    async def read(self, act: Act[T]) -> T:
        return answered(self.writer, act)

    async def close(self) -> None:
        """The writer stays open: others use it."""


def answered(writer: Writer, act: Act[T]) -> T:
    [answer] = writer.commit([act])
    if answer.error is not None:
        raise answer.error
    value: T = answer.value
    return value


class Weather(msgspec.Struct):
    """How the store is doing at present, for everybody or as seen by one server."""

    away: bool = False
    refuses: float = 0.0
    """Share of calls that fail before anything was done."""
    mutes: float = 0.0
    """Share of calls that are done, and whose answer is lost."""
    slow: float = 1.0


class Database:
    """One for all servers."""

    def __init__(self, loop: SimLoop, clock: SimClock, start: datetime, sometimes: Sometimes) -> None:
        self.loop = loop
        self.clock = clock
        self.start = start
        self.weather = Weather()
        self.sometimes = sometimes
        self._writer = Writer(":memory:")
        self._connection = self._writer._connection
        self._connection.deserialize(image_at(start))
        self.audit = Audit(self._connection, start.timestamp())
        self.audit.watch()
        self._standby: tuple[sqlite3.Connection, int] | None = None

    def commit(self, act: Act[T]) -> T:
        try:
            return answered(self._writer, act)
        finally:
            self.audit.note(self.loop.time())

    def look(self, act: Act[T]) -> T:
        """A read needs no transaction of its own: nothing else happens meanwhile."""
        return act(self._connection)

    def rows(self, query: str, *parameters: object) -> list[Any]:
        """For the harness alone."""
        return self._connection.execute(query, parameters).fetchall()

    def stop_replicating(self) -> None:
        """From now on the standby hears of nothing more."""
        standby = sqlite3.connect(":memory:")
        self._connection.backup(standby)
        self._standby = standby, len(self.audit.changes)

    def fail_over(self) -> int:
        """The standby takes over; say how many changes nobody knows of any more."""
        if self._standby is None:
            return 0
        (standby, count), self._standby = self._standby, None
        self.audit.let_go()
        with closing(standby):
            standby.backup(self._connection)
        self.audit.watch()
        lost = self.audit.forget_since(count)
        if lost:
            self.sometimes.reach("fail-over lost commits")
        return lost

    def close(self) -> None:
        self._writer.close()


class SimConnection:
    """One server's way to the database."""

    def __init__(self, database: Database, process: Process, draws: random.Random) -> None:
        self._database = database
        self._process = process
        self._draws = draws
        self.weather = Weather()

    async def write(self, act: Act[T]) -> T:
        return await self._call(act, writes=True)

    async def read(self, act: Act[T]) -> T:
        return await self._call(act, writes=False)

    async def close(self) -> None:
        """Nothing is kept."""

    async def _call(self, act: Act[T], *, writes: bool) -> T:
        refused, muted, there, back = (self._draws.random() for _ in range(4))
        # Most calls of fair weather take one turn, not two: that halves what a trial costs.
        if writes or there < 0.6 or self._weather_is_bad:
            await self._travel()
        if self._is_away or self._fails(refused, "refuses"):
            self._reach("commit unknown, not applied", writes=writes)
            raise StoreUnavailableError("the connection broke")
        value = self._database.commit(act) if writes else self._database.look(act)
        if back < 0.25 or self._weather_is_bad:
            await self._travel()
        if self._is_away or self._fails(muted, "mutes"):
            self._reach("commit unknown, applied", writes=writes)
            raise StoreUnavailableError("the connection broke before the answer came")
        return value

    async def _travel(self) -> None:
        slow = self._database.weather.slow * self.weather.slow
        await asyncio.sleep(self._draws.uniform(*LATENCY) * slow)

    @property
    def _is_away(self) -> bool:
        return self._database.weather.away or self.weather.away

    @property
    def _weather_is_bad(self) -> bool:
        return self._database.weather.slow > 1 or self.weather.slow > 1

    def _fails(self, drawn: float, how: str) -> bool:
        shares: tuple[float, float] = getattr(self._database.weather, how), getattr(self.weather, how)
        return drawn < max(shares)

    def _reach(self, what: str, *, writes: bool) -> None:
        if writes:
            self._database.sometimes.reach(what)
