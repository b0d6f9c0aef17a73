"""Triggers, and the ledger of their instants, on SQLite."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.trigger import (
    AGAIN,
    Decide,
    EntryOf,
    Fire,
    Follow,
    MovedTriggers,
    Revise,
    Trigger,
    TriggerMove,
    pausing,
)
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.webhooks import keep_subscriptions
from mainspring.store.interface.triggers import TriggerFilter
from mainspring.store.sql import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import DayTables
from mainspring.store.sqlite.rows import KNOWN_FIRST, KNOWN_LAST, array, cut_ids, instant, instant_or_none, micros
from mainspring.store.sqlite.triggers.fire import find_ended, skip, write_moves
from mainspring.store.sqlite.triggers.prepared import take_back, withdraw
from mainspring.store.sqlite.triggers.rows import (
    Found,
    TriggerRow,
    fetch,
    list_statement,
    read_triggers,
    trigger_row,
    write_rows,
)
from mainspring.store.sqlite.tx import SqliteTx, drive


class SqliteTriggers:
    """The contracts are in `store/interface/`."""

    def __init__(self, connection: Connection, queries: Queries, days: DayTables) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def change(self, namespace: str, names: Sequence[str], revise: Revise, *, now: datetime) -> list[Trigger]:
        await self._days.at(now)
        return await self._connection.write(lambda c: change(c, self._sql, namespace, names, revise, now))

    async def discard(self, namespace: str, name: str, entry: EntryOf, *, now: datetime) -> bool:
        return await self._connection.write(lambda c: discard(c, self._sql, namespace, name, entry, now))

    async def fire(self, decide: Decide, *, now: datetime, limit: int) -> MovedTriggers:
        await self._days.at(now)
        return await self._connection.write(lambda c: fire(c, self._sql, decide, now, limit))

    async def follow(self, decide: Follow, *, now: datetime, limit: int) -> MovedTriggers:
        await self._days.at(now)
        days = await self._days.known()
        return await self._connection.write(lambda c: follow(c, self._sql, days, decide, now, limit))

    async def put_off(self, triggers: Sequence[int], *, until: datetime) -> None:
        await self._connection.write(lambda c: put_off(c, self._sql, triggers, until))

    async def pending(self, *, limit: int) -> list[bytes]:
        digits = await self._connection.read(
            lambda c: c.execute(self._sql.pending_runs, {"limit": limit}).fetchone()[0]
        )
        return cut_ids(digits)[:limit]

    async def next_act(self) -> datetime | None:
        row = await self._connection.read(lambda c: c.execute(self._sql.next_act).fetchone())
        return None if row is None else instant_or_none(row["act_at"])

    async def overdue(self, *, before: datetime, limit: int) -> list[Trigger]:
        return await self._fetch(self._sql.overdue_triggers, {"before": micros(before), "limit": limit})

    async def touch(self, namespace: str, *, calendar: str, now: datetime) -> int:
        parameters = {"namespace": namespace, "calendar": calendar, "now": micros(now)}
        return await self._connection.write(lambda c: c.execute(self._sql.touch_triggers, parameters).rowcount)

    async def attended(self) -> datetime | None:
        row = await self._connection.read(lambda c: c.execute(self._sql.attended).fetchone())
        return None if row is None else instant(row["at"])

    async def attend(self, *, before: datetime | None, now: datetime) -> bool:
        statement = self._sql.attend_first if before is None else self._sql.attend
        known = {"first": KNOWN_FIRST, "last": KNOWN_LAST}
        parameters = {"now": micros(now)} if before is None else {"now": micros(now), "before": micros(before), **known}
        return await self._connection.write(lambda c: c.execute(statement, parameters).rowcount) > 0

    async def recall(self, *, since: datetime, now: datetime, after: int, limit: int) -> int | None:
        return await self._connection.write(lambda c: recall(c, self._sql, since, now, after, limit))

    async def count(self, fires: Mapping[int, int], *, now: datetime) -> None:
        parameters = {"rows": array(list(fires.items())), "now": micros(now)}
        await self._connection.write(lambda c: c.execute(self._sql.count_fires, parameters).rowcount)

    async def get(self, namespace: str, name: str) -> Trigger | None:
        named: dict[str, object] = {"namespace": namespace, "name": name}
        rows = await self._connection.read(lambda c: fetch(c, self._sql, self._sql.get_trigger, named))
        return self._sql.aside.one("triggers", rows[0], trigger_row, "id") if rows else None

    async def fires(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[Fire]:
        parameters = {"trigger": trigger, "since": micros(since), "until": micros(until), "limit": limit}
        rows = await self._connection.read(lambda c: c.execute(self._sql.list_fires, parameters).fetchall())
        return [Fire(instant(row["fire_at"]), row["run"]) for row in rows]

    async def skips(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[Span]:
        parameters = {"trigger": trigger, "since": micros(since), "until": micros(until), "limit": limit}
        rows = await self._connection.read(lambda c: c.execute(self._sql.list_skips, parameters).fetchall())
        return self._sql.aside.read("skips", rows, span_row, "first_at")

    async def rules(self, namespace: str | None, *, after: int, limit: int) -> list[Trigger]:
        return await self._first(self._sql.rule_triggers, {"namespace": namespace, "after": after}, limit)

    async def newest(self) -> int:
        row = await self._connection.read(lambda c: c.execute(self._sql.newest_trigger).fetchone())
        return int(row[0])

    async def _fetch(self, query: str, parameters: dict[str, object]) -> "list[Trigger]":
        rows = await self._connection.read(lambda c: fetch(c, self._sql, query, parameters))
        return read_triggers(self._sql, rows)

    async def _first(self, query: str, parameters: dict[str, object], limit: int) -> "list[Trigger]":
        async def some(limit: int) -> Sequence[Found]:
            wanted = parameters | {"limit": limit}
            return await self._connection.read(lambda c: fetch(c, self._sql, query, wanted))

        return await self._sql.aside.first("triggers", limit, some, trigger_row, "id")

    async def reach(self, query: TriggerFilter, *, look: int) -> str | None:
        statement, values = list_statement(self._sql.trigger_reach, query.led)
        found = await self._connection.read(lambda c: c.execute(statement, values | {"before": look - 1}).fetchone())
        return None if found is None else str(found[0])

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: TriggerFilter) -> list[Trigger]:
        return await self._first(*list_statement(self._sql.list_triggers, query), query.limit)


def discard(c: sqlite3.Connection, sql: Queries, namespace: str, name: str, entry: EntryOf, now: datetime) -> bool:
    """Delete a trigger without reading more of its row than its id."""
    gone = [row[0] for row in c.execute(sql.trigger_id, {"namespace": namespace, "name": name})]
    if gone:
        take_back(c, sql, gone, now, now)
        c.execute(sql.delete_triggers, {"rows": array(gone)})
        for number in gone:
            drive(write_audit(SqliteTx(c, sql), entry(number)))
    return bool(gone)


def change(
    c: sqlite3.Connection,
    sql: Queries,
    namespace: str,
    names: Sequence[str],
    revise: Revise,
    now: datetime,
) -> list[Trigger]:
    parameters: dict[str, object] = {"namespace": namespace, "rows": array(sorted(set(names)))}
    rows = fetch(c, sql, sql.hold_triggers, parameters)
    held = {row.id: sql.aside.one("triggers", row, trigger_row, "id") for row in rows}
    withdrawn = withdraw(c, sql, list(held.values()), now)
    changes = revise({trigger.name: trigger for trigger in (held | withdrawn).values()})
    moves = add(c, sql, namespace, list(changes.moves))
    new = {move.trigger.id for move in moves} - held.keys()
    _, triggers = write_moves(c, sql, moves, now, stored=new)
    drive(keep_subscriptions(SqliteTx(c, sql), triggers, held))
    gone = [move.trigger.id for move in changes.deletes]
    skip(c, sql, changes.deletes, micros(now))
    c.execute(sql.delete_triggers, {"rows": array(gone)})
    settled = {*gone, *(move.trigger.id for move in moves)}
    c.execute(
        sql.rewrite_triggers, write_rows([trigger for trigger in withdrawn.values() if trigger.id not in settled])
    )
    for entry in changes.entries:
        drive(write_audit(SqliteTx(c, sql), entry))
    return triggers


def add(c: sqlite3.Connection, sql: Queries, namespace: str, moves: list[TriggerMove]) -> list[TriggerMove]:
    """Insert new triggers; the same moves, of triggers that all have their ids."""
    new = [move.trigger for move in moves if not move.trigger.id]
    if not new:
        return moves
    c.execute(sql.add_triggers, {**write_rows(new), "namespace": namespace})
    named: dict[str, object] = {"namespace": namespace, "rows": array([trigger.name for trigger in new])}
    numbers = dict(zip((trigger.name for trigger in new), numbers_of(c, sql, named), strict=True))
    return [
        move
        if move.trigger.id
        else msgspec.structs.replace(move, trigger=msgspec.structs.replace(move.trigger, id=numbers[move.trigger.name]))
        for move in moves
    ]


def numbers_of(c: sqlite3.Connection, sql: Queries, parameters: dict[str, object]) -> list[int]:
    return msgspec.json.decode(c.execute(sql.trigger_numbers, parameters).fetchone()[0], type=list[int])


def fire(c: sqlite3.Connection, sql: Queries, decide: Decide, now: datetime, limit: int) -> MovedTriggers:
    rows = fetch(c, sql, sql.due_triggers, {"now": micros(now), "limit": limit})
    held = {trigger.id: trigger for trigger in read_triggers(sql, rows)}
    put_off(c, sql, [row.id for row in rows if row.id not in held], now + AGAIN)
    touched = [row.id for row in rows if isinstance(row, TriggerRow) and row.touched and row.id in held]
    if touched:
        held |= withdraw(c, sql, [held[number] for number in touched], now)
    return write_moves(c, sql, [decide(trigger) for trigger in held.values()], now)[0]


def recall(c: sqlite3.Connection, sql: Queries, since: datetime, now: datetime, after: int, limit: int) -> int | None:
    if c.execute(sql.attended).fetchone()["at"] != micros(since):
        return None
    page: dict[str, object] = {"after": after, "since": micros(since), "limit": limit}
    rows = fetch(c, sql, sql.hold_fired, page)
    back = withdraw(c, sql, read_triggers(sql, rows), now, since=since)
    c.execute(sql.rewrite_triggers, write_rows(list(back.values())))
    return rows[-1].id if rows else None


def put_off(c: sqlite3.Connection, sql: Queries, triggers: Sequence[int], until: datetime) -> None:
    if triggers:
        c.execute(sql.put_off_triggers, {"rows": array(list(triggers)), "until": micros(until)})


def follow(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], decide: Follow, now: datetime, limit: int
) -> MovedTriggers:
    triggers = read_triggers(sql, fetch(c, sql, sql.followed_triggers, {"limit": limit}))
    ended = find_ended(c, sql, days, triggers, now)

    def move(trigger: Trigger) -> TriggerMove:
        return decide(trigger, [ended[run] for run in trigger.pending if run in ended])

    moves = {trigger.id: move(trigger) for trigger in triggers}
    still = [trigger for trigger in triggers if pausing(trigger, moves[trigger.id])]
    for trigger in withdraw(c, sql, still, now).values():
        moves[trigger.id] = move(trigger)
    return write_moves(c, sql, list(moves.values()), now)[0]


def span_row(row: sqlite3.Row) -> Span:
    return Span(instant(row["first_at"]), instant(row["last_at"]), SkipReason(row["reason"]))
