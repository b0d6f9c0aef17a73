"""What people want of triggers, done as one, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg
import msgspec

from mainspring.domain.triggers.trigger import Move, Revise, Trigger
from mainspring.store.postgres.audit import write_audits
from mainspring.store.postgres.called import keep_subscriptions
from mainspring.store.postgres.firing import rewrite, write_moves
from mainspring.store.postgres.lending import Connection
from mainspring.store.postgres.prepared import withdraw
from mainspring.store.postgres.trigger_rows import definition_columns, progress_columns, trigger_row
from mainspring.store.queries import Queries


class Raced(Exception):  # noqa: N818 — nothing is wrong: it is done again with what others made
    """Somebody else has made a trigger of that name meanwhile."""


async def revise_triggers(
    connection: Connection, sql: Queries, namespace: str, names: Sequence[str], revise: Revise, now: datetime
) -> list[Trigger]:
    rows = await connection.fetch(sql["hold_triggers"], namespace, sorted(set(names)))
    stored = {row["id"]: trigger_row(row) for row in rows}
    withdrawn = await withdraw(connection, sql, list(stored.values()), now)
    changes = revise({trigger.name: trigger for trigger in (stored | withdrawn).values()})
    new = await add(connection, sql, namespace, [move.trigger for move in changes.moves if not move.trigger.id])
    moves = [identified(move, new) for move in changes.moves]
    stored |= {trigger.id: trigger for trigger in new.values()}
    _, triggers = await write_moves(connection, sql, moves, stored, now)
    await keep_subscriptions(connection, sql, triggers, stored)
    gone = [trigger.id for trigger in changes.deletes]
    await connection.execute(sql["delete_triggers"], gone)
    settled = {*gone, *(move.trigger.id for move in moves)}
    await rewrite(connection, sql, [trigger for trigger in withdrawn.values() if trigger.id not in settled])
    await write_audits(connection, sql, changes.entries)
    return triggers


async def add(connection: Connection, sql: Queries, namespace: str, triggers: Sequence[Trigger]) -> dict[str, Trigger]:
    """Insert new triggers, by name; raises Raced if somebody else was faster with one."""
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


def identified(move: Move, new: dict[str, Trigger]) -> Move:
    """The same move, of a trigger that has its id by now."""
    return move if move.trigger.id else msgspec.structs.replace(move, trigger=new[move.trigger.name])
