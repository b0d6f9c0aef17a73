"""Triggers that wait to be called, on PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.triggers.spec import Event, HookAuth
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.webhook import Hook
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.called import EventCount, Rotate
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.trigger_rows import trigger_row
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries


class PostgresCalled:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def hook(self, hook: str) -> tuple[Hook, Trigger] | None:
        rows = await self._database.fetch(self._sql["find_hook"], hook)
        return (hook_row(rows[0]), self._sql.aside.one("triggers", rows[0], trigger_row, "id")) if rows else None

    async def hook_of(self, trigger: int) -> Hook | None:
        rows = await self._database.fetch(self._sql["hook_of"], trigger)
        return hook_row(rows[0]) if rows else None

    async def rotate_hook(self, trigger: int, rotate: Rotate, *, entry: AuditEntry) -> Hook | None:
        async def work(connection: "asyncpg.Connection[Any]") -> Hook | None:
            if await connection.fetchrow(self._sql["hold_called"], trigger) is None:
                return None
            row = await connection.fetchrow(self._sql["hook_of"], trigger)
            made = rotate(None if row is None else hook_row(row))
            await connection.execute(self._sql["put_hook"], trigger, *hook_values(made))
            await write_audit(PostgresTx(connection, self._sql), entry)
            return made

        return await self._database.transaction(work)

    async def subscribers(self, namespace: str, types: Sequence[str], *, limit: int) -> list[Trigger]:
        rows = await self._database.fetch(self._sql["subscribers"], namespace, list(types), limit)
        return self._sql.aside.read("triggers", rows, trigger_row, "id")

    async def count_events(self, counts: Sequence[EventCount]) -> None:
        await self._database.execute(
            self._sql["count_events"],
            [count.namespace for count in counts],
            [count.type for count in counts],
            [count.told for count in counts],
            [count.matched for count in counts],
            [count.unmatched for count in counts],
            [count.first_at for count in counts],
            [count.last_at for count in counts],
        )

    async def event_counts(self, namespace: str, *, after: str, limit: int) -> list[EventCount]:
        rows = await self._database.fetch(self._sql["event_counts"], namespace, after, limit)
        return [EventCount(**dict(row)) for row in rows]

    async def forget_events(self, *, before: datetime) -> int:
        return await self._database.execute(self._sql["forget_events"], before)


async def keep_subscriptions(
    connection: "asyncpg.Connection[Any]", sql: Queries, triggers: Sequence[Trigger], olds: Mapping[int, Trigger]
) -> None:
    """Write down which events these triggers wait for now, in the transaction that changes them."""
    events = [trigger for trigger in triggers if isinstance(trigger.spec.when, Event)]
    others = [old.id for trigger in triggers if (old := olds.get(trigger.id)) and isinstance(old.spec.when, Event)]
    if events or others:
        await connection.execute(sql["unsubscribe"], [*others, *(trigger.id for trigger in events)])
    if events:
        await connection.execute(
            sql["subscribe"],
            [trigger.id for trigger in events],
            [trigger.namespace for trigger in events],
            [trigger.spec.when.type for trigger in events if isinstance(trigger.spec.when, Event)],
        )


def hook_row(row: asyncpg.Record) -> Hook:
    return Hook(
        id=row["hook_id"],
        auth=HookAuth(row["auth"]),
        secret=row["secret"],
        old_secret=row["old_secret"],
        old_until=row["old_until"],
        made_at=row["made_at"],
    )


def hook_values(hook: Hook) -> tuple[object, ...]:
    return hook.id, hook.auth.value, hook.secret, hook.old_secret, hook.old_until, hook.made_at
