"""Triggers, and the ledger of their instants, on PostgreSQL."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.trigger import AGAIN, Decide, EntryOf, Fire, Follow, MovedTriggers, Revise, Trigger
from mainspring.domain.years import END, FIRST
from mainspring.errors import StoreUnavailableError
from mainspring.store.interface.triggers import TriggerFilter
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.cooperative import each
from mainspring.store.postgres.hot.history import PostgresHistory
from mainspring.store.postgres.triggers.fire import follow, rewrite, write_moves
from mainspring.store.postgres.triggers.prepared import withdraw
from mainspring.store.postgres.triggers.revise import Raced, discard, revise_triggers
from mainspring.store.postgres.triggers.rows import list_statement, read_triggers, trigger_row
from mainspring.store.sql import Queries

LOOK = 10_000
ID_LAST = (1 << 63) - 1
RACES = 5
"""How often names that others take meanwhile are looked for anew."""


class PostgresTriggers:
    """The contracts are in `store/interface/`."""

    def __init__(self, database: Database, queries: Queries, history: PostgresHistory) -> None:
        self._database = database
        self._sql = queries
        self._history = history
        self._looked = 0
        self.look = LOOK
        """How many triggers that wait for runs are looked at in one go; the next ones come behind the last of them."""

    async def change(self, namespace: str, names: Sequence[str], revise: Revise, *, now: datetime) -> list[Trigger]:
        async def work(connection: "asyncpg.Connection[Any]") -> list[Trigger]:
            return await revise_triggers(connection, self._sql, namespace, names, revise, now)

        for _ in range(RACES):
            try:
                return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)
            except Raced:
                continue
        raise StoreUnavailableError("PostgreSQL: others kept making triggers of these names")

    async def discard(self, namespace: str, name: str, entry: EntryOf, *, now: datetime) -> bool:
        async def work(connection: "asyncpg.Connection[Any]") -> bool:
            return await discard(connection, self._sql, namespace, name, entry, now)

        return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)

    async def fire(self, decide: Decide, *, now: datetime, limit: int) -> MovedTriggers:
        async def work(connection: "asyncpg.Connection[Any]") -> MovedTriggers:
            rows = await connection.fetch(self._sql["due_triggers"], now, limit)
            stored = {trigger.id: trigger for trigger in await read_triggers(self._sql, rows)}
            await self._put_off(connection, [row["id"] for row in rows if row["id"] not in stored], now + AGAIN)
            touched = [stored[row["id"]] for row in rows if row["touched"] and row["id"] in stored]
            held = stored | await withdraw(connection, self._sql, touched, now)
            moves = await each(list(held.values()), decide)
            return (await write_moves(connection, self._sql, moves, stored, now))[0]

        # Mostly nothing is due: to learn that takes no transaction.
        first = await self.next_act()
        if first is None or first > now:
            return MovedTriggers()
        return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)

    async def follow(self, decide: Follow, *, now: datetime, limit: int) -> MovedTriggers:
        async def work(connection: "asyncpg.Connection[Any]") -> MovedTriggers:
            rows = await connection.fetch(self._sql["followed_triggers"], self._looked, until or ID_LAST, limit)
            stored = {trigger.id: trigger for trigger in await read_triggers(self._sql, rows)}
            return await follow(connection, self._sql, stored, decide, now)

        until = await self._database.fetchval(self._sql["waiting_until"], self._looked, self.look)
        moved = await self._history.with_partitions(lambda: self._database.transaction(work), now=now)
        if moved.triggers < limit:
            self._looked = until or 0
        return moved

    async def put_off(self, triggers: Sequence[int], *, until: datetime) -> None:
        async with self._database.connection() as connection:
            await self._put_off(connection, triggers, until)

    async def _put_off(self, connection: "asyncpg.Connection[Any]", triggers: Sequence[int], until: datetime) -> None:
        if triggers:
            await connection.execute(self._sql["put_off_triggers"], list(triggers), until)

    async def pending(self, *, limit: int) -> list[bytes]:
        return [row["run"] for row in await self._database.fetch(self._sql["pending_runs"], limit)]

    async def next_act(self) -> datetime | None:
        instant: datetime | None = await self._database.fetchval(self._sql["next_act"])
        return instant

    async def overdue(self, *, before: datetime, limit: int) -> list[Trigger]:
        rows = await self._read(self._sql["overdue_triggers"], before, limit)
        return self._sql.aside.read("triggers", rows, trigger_row, "id")

    async def touch(self, namespace: str, *, calendar: str, now: datetime) -> int:
        return await self._database.execute(self._sql["touch_triggers"], namespace, calendar, now)

    async def attended(self) -> datetime | None:
        instant: datetime | None = await self._database.fetchval(self._sql["attended"])
        return instant

    async def attend(self, *, before: datetime | None, now: datetime) -> bool:
        if before is None:
            return await self._database.execute(self._sql["attend_first"], now) > 0
        return await self._database.execute(self._sql["attend"], before, now, FIRST, END) > 0

    async def recall(self, *, since: datetime, now: datetime, after: int, limit: int) -> int | None:
        async def work(connection: "asyncpg.Connection[Any]") -> int | None:
            if await connection.fetchval(self._sql["hold_attended"]) != since:
                return None
            rows = await connection.fetch(self._sql["hold_fired"], after, since, limit)
            triggers = await read_triggers(self._sql, rows)
            back = await withdraw(connection, self._sql, triggers, now, since=since)
            await rewrite(connection, self._sql, list(back.values()))
            return rows[-1]["id"] if rows else None

        return await self._database.transaction(work)

    async def count(self, fires: Mapping[int, int], *, now: datetime) -> None:
        await self._database.execute(self._sql["count_fires"], list(fires), list(fires.values()), now)

    async def get(self, namespace: str, name: str) -> Trigger | None:
        rows = await self._database.fetch(self._sql["get_trigger"], namespace, name)
        return self._sql.aside.one("triggers", rows[0], trigger_row, "id") if rows else None

    async def fires(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[Fire]:
        rows = await self._database.fetch(self._sql["list_fires"], trigger, since, until, limit)
        return [Fire(row["fire_at"], row["run"]) for row in rows]

    async def skips(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[Span]:
        rows = await self._database.fetch(self._sql["list_skips"], trigger, since, until, limit)
        return self._sql.aside.read("skips", rows, span_row, "first_at")

    async def rules(self, namespace: str | None, *, after: int, limit: int) -> list[Trigger]:
        return await self._first(limit, lambda limit: self._read(self._sql["rule_triggers"], namespace, after, limit))

    async def newest(self) -> int:
        return int(await self._database.fetchval(self._sql["newest_trigger"]))

    async def _first(self, limit: int, fetch: Callable[[int], Awaitable[list[asyncpg.Record]]]) -> list[Trigger]:
        return await self._sql.aside.first("triggers", limit, fetch, trigger_row, "id")

    async def _read(self, statement: str, *values: object) -> list[asyncpg.Record]:
        """Triggers in the order of an index, without regard to statistics."""

        async def work(connection: "asyncpg.Connection[Any]") -> list[asyncpg.Record]:
            await connection.execute(self._sql["read_in_order"])
            rows: list[asyncpg.Record] = await connection.fetch(statement, *values)
            return rows

        return await self._database.transaction(work)

    async def reach(self, query: TriggerFilter, *, look: int) -> str | None:
        statement, values = list_statement(self._sql["trigger_reach"], query.led)
        return next((row["name"] for row in await self._read(statement, look - 1, *values)), None)

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: TriggerFilter) -> list[Trigger]:
        statement, values = list_statement(self._sql["list_triggers"], query)
        return await self._first(query.limit, lambda limit: self._read(statement, limit, *values))


def span_row(row: asyncpg.Record) -> Span:
    return Span(row["first_at"], row["last_at"], SkipReason(row["reason"]))
