"""Applies changes of triggers as one, on PostgreSQL.

Many are written a slice at a time: between two statements the event loop serves others.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import TypeVar

import asyncpg
import msgspec

from mainspring.domain.triggers.trigger import EntryOf, Revise, Trigger, TriggerMove
from mainspring.domain.years import END
from mainspring.store.acts.audit import write_audits
from mainspring.store.acts.webhooks import keep_subscriptions
from mainspring.store.postgres.pool import Connection
from mainspring.store.postgres.triggers.fire import rewrite, skip, write_moves
from mainspring.store.postgres.triggers.prepared import withdraw
from mainspring.store.postgres.triggers.rows import definition_columns, progress_columns, trigger_row
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

T = TypeVar("T")

SLICE = 500
"""Triggers of one statement."""


class Raced(Exception):  # noqa: N818 — nothing is wrong: it is done again with what others made
    """Another transaction has made a trigger of that name meanwhile."""


async def revise_triggers(
    connection: Connection, sql: Queries, namespace: str, names: Sequence[str], revise: Revise, now: datetime
) -> list[Trigger]:
    stored = await hold(connection, sql, namespace, names)
    withdrawn: dict[int, Trigger] = {}
    for several in slices(stored.values()):
        withdrawn |= await withdraw(connection, sql, several, now)
    changes = revise({trigger.name: trigger for trigger in (stored | withdrawn).values()})
    triggers: list[Trigger] = []
    for moves in slices(changes.moves):
        triggers += await write(connection, sql, namespace, moves, stored, now)
    gone = [move.trigger.id for move in changes.deletes]
    await skip(connection, sql, changes.deletes, now)
    if gone:
        await connection.execute(sql["delete_triggers"], gone)
    settled = {*gone, *(trigger.id for trigger in triggers)}
    await rewrite(connection, sql, [trigger for trigger in withdrawn.values() if trigger.id not in settled])
    await write_audits(PostgresTx(connection, sql), changes.entries)
    return triggers


async def discard(
    connection: Connection, sql: Queries, namespace: str, name: str, entry: EntryOf, now: datetime
) -> bool:
    """Delete a trigger without reading more of its row than its id."""
    rows = await connection.fetch(sql["hold_triggers"], namespace, [name])
    gone = [row["id"] for row in rows]
    if gone:
        await connection.fetch(sql["withdraw"], gone, [END] * len(gone), now, now)
        await connection.execute(sql["delete_triggers"], gone)
        await write_audits(PostgresTx(connection, sql), [entry(number) for number in gone])
    return bool(gone)


async def hold(connection: Connection, sql: Queries, namespace: str, names: Sequence[str]) -> dict[int, Trigger]:
    """Lock those triggers of these names that are there, in the order of their names; by id."""
    stored: dict[int, Trigger] = {}
    for several in slices(sorted(set(names))):
        rows = await connection.fetch(sql["hold_triggers"], namespace, several)
        stored |= {row["id"]: sql.aside.one("triggers", row, trigger_row, "id") for row in rows}
    return stored


async def write(
    connection: Connection,
    sql: Queries,
    namespace: str,
    moves: Sequence[TriggerMove],
    stored: dict[int, Trigger],
    now: datetime,
) -> list[Trigger]:
    """Write moves of triggers that are held and are stored like that, and of new ones; the triggers as they now are."""
    new = await add(connection, sql, namespace, [move.trigger for move in moves if not move.trigger.id])
    known = stored | {trigger.id: trigger for trigger in new.values()} if new else stored
    _, triggers = await write_moves(connection, sql, [identified(move, new) for move in moves], known, now)
    await keep_subscriptions(PostgresTx(connection, sql), triggers, known)
    return triggers


async def add(connection: Connection, sql: Queries, namespace: str, triggers: Sequence[Trigger]) -> dict[str, Trigger]:
    """Insert new triggers, by name; raises Raced if another transaction was faster with one."""
    if not triggers:
        return {}
    columns = (
        [trigger.name for trigger in triggers],
        *definition_columns(triggers),
        *progress_columns(triggers),
        [trigger.created_at for trigger in triggers],
        [trigger.updated_at for trigger in triggers],
    )
    try:
        rows = await connection.fetch(sql["add_triggers"], namespace, *columns)
    except asyncpg.UniqueViolationError as error:
        raise Raced from error
    numbers = {row["name"]: row["id"] for row in rows}
    return {trigger.name: msgspec.structs.replace(trigger, id=numbers[trigger.name]) for trigger in triggers}


def identified(move: TriggerMove, new: dict[str, Trigger]) -> TriggerMove:
    """The same move, of a trigger that has its id by now."""
    return move if move.trigger.id else msgspec.structs.replace(move, trigger=new[move.trigger.name])


def slices(values: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(values)
    while several := list(islice(rest, SLICE)):
        yield several
