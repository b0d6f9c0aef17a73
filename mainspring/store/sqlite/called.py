"""Triggers that wait to be called."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.triggers.spec import Event, HookAuth
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.webhook import Hook
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.called import EventCount, Rotate
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import array
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, instant_or_none, micros, micros_or_none
from mainspring.store.sqlite.trigger_rows import fetch, read_triggers, trigger_row
from mainspring.store.sqlite.tx import SqliteTx, finish


class SqliteCalled:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def hook(self, hook: str) -> tuple[Hook, Trigger] | None:
        def act(c: sqlite3.Connection) -> tuple[Hook, Trigger] | None:
            row = c.execute(self._sql.find_hook, {"hook": hook}).fetchone()
            if row is None:
                return None
            [found] = fetch(c, self._sql, self._sql.called_trigger, {"trigger": row["trigger"]})
            return hook_row(row), self._sql.aside.one("triggers", found, trigger_row, "id")

        return await self._connection.read(act)

    async def hook_of(self, trigger: int) -> Hook | None:
        row = await self._connection.read(lambda c: c.execute(self._sql.hook_of, {"trigger": trigger}).fetchone())
        return None if row is None else hook_row(row)

    async def rotate_hook(self, trigger: int, rotate: Rotate, *, entry: AuditEntry) -> Hook | None:
        named = {"trigger": trigger}

        def act(c: sqlite3.Connection) -> Hook | None:
            if not c.execute(self._sql.has_trigger, named).fetchone()[0]:
                return None
            row = c.execute(self._sql.hook_of, named).fetchone()
            made = rotate(None if row is None else hook_row(row))
            c.execute(self._sql.put_hook, named | hook_values(made))
            finish(write_audit(SqliteTx(c, self._sql), entry))
            return made

        return await self._connection.write(act)

    async def subscribers(self, namespace: str, types: Sequence[str], *, limit: int) -> list[Trigger]:
        values: dict[str, object] = {"namespace": namespace, "types": array(types), "limit": limit}
        rows = await self._connection.read(lambda c: fetch(c, self._sql, self._sql.subscribers, values))
        return sorted(read_triggers(self._sql, rows), key=lambda trigger: trigger.id)

    async def count_events(self, counts: Sequence[EventCount]) -> None:
        rows = [
            (one.namespace, one.type, one.told, one.matched, one.unmatched, micros(one.first_at), micros(one.last_at))
            for one in counts
        ]
        await self._connection.write(lambda c: c.execute(self._sql.count_events, {"rows": array(rows)}))

    async def event_counts(self, namespace: str, *, after: str, limit: int) -> list[EventCount]:
        values = {"namespace": namespace, "after": after, "limit": limit}
        return await self._connection.read(
            lambda c: [count_row(row) for row in c.execute(self._sql.event_counts, values)]
        )

    async def forget_events(self, *, before: datetime) -> int:
        values = {"before": micros(before)}
        return await self._connection.write(lambda c: c.execute(self._sql.forget_events, values).rowcount)


def keep_subscriptions(
    c: sqlite3.Connection, sql: Queries, triggers: Sequence[Trigger], olds: Mapping[int, Trigger]
) -> None:
    """Write down which events these triggers wait for now, in the transaction that changes them."""
    others = [old.id for trigger in triggers if (old := olds.get(trigger.id)) and isinstance(old.spec.when, Event)]
    events = [
        (trigger.id, trigger.namespace, trigger.spec.when.type)
        for trigger in triggers
        if isinstance(trigger.spec.when, Event)
    ]
    if events or others:
        c.execute(sql.unsubscribe, {"triggers": array([*others, *(trigger for trigger, _, _ in events)])})
    if events:
        c.execute(sql.subscribe, {"rows": array(events)})


def hook_row(row: sqlite3.Row) -> Hook:
    return Hook(
        id=row["hook_id"],
        auth=HookAuth(row["auth"]),
        secret=row["secret"],
        old_secret=row["old_secret"],
        old_until=instant_or_none(row["old_until"]),
        made_at=instant(row["made_at"]),
    )


def hook_values(hook: Hook) -> dict[str, object]:
    return {
        "id": hook.id,
        "auth": hook.auth.value,
        "secret": hook.secret,
        "old_secret": hook.old_secret,
        "old_until": micros_or_none(hook.old_until),
        "made_at": micros(hook.made_at),
    }


def count_row(row: sqlite3.Row) -> EventCount:
    return EventCount(**dict(row) | {"first_at": instant(row["first_at"]), "last_at": instant(row["last_at"])})
