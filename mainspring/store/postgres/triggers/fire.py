"""Writes moves of triggers: rows, entries in the ledger and runs, all by arrays, on PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import asyncpg

from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.trigger import EndedRun, Follow, MovedTriggers, Trigger, TriggerMove, pausing, without
from mainspring.store.acts.triggers.replaced import cancel_replaced
from mainspring.store.postgres.cooperative import each
from mainspring.store.postgres.hot.history import search_from
from mainspring.store.postgres.pool import Connection
from mainspring.store.postgres.triggers.prepared import withdraw
from mainspring.store.postgres.triggers.rows import definition_columns, only_advanced, progress_columns
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

Entry = tuple[Trigger, datetime, NewRun]


async def write_moves(
    connection: Connection, sql: Queries, moves: Sequence[TriggerMove], stored: Mapping[int, Trigger], now: datetime
) -> tuple[MovedTriggers, list[Trigger]]:
    """Write moves of triggers that exist and are locked, and are stored like that; return what they came to, and the
    triggers as they now are."""
    entries = [(move.trigger, at, run) for move in moves for at, run in move.fires]
    lost = await enter(connection, sql, entries, now)
    triggers = [without(move, lost) for move in moves] if lost else [move.trigger for move in moves]
    await write_triggers(connection, sql, triggers, stored)
    await skip(connection, sql, moves, now)
    wishes, cancelled = await cancel_replaced(PostgresTx(connection, sql), moves, now)
    made = [run for _, _, run in entries if run.id not in lost]
    return MovedTriggers(triggers=len(moves), runs=made, wishes=wishes, cancelled=cancelled), triggers


async def enter(connection: Connection, sql: Queries, entries: Sequence[Entry], now: datetime) -> set[RunId]:
    """Enter instants and make their runs; return the runs that were not made, because their instants had been entered."""
    if not entries:
        return set()
    runs = [run for _, _, run in entries]
    rows = await connection.fetch(
        sql["fire"],
        [trigger.id for trigger, _, _ in entries],
        [at for _, at, _ in entries],
        [run.id for run in runs],
        [run.job for run in runs],
        [run.line for run in runs],
        [run.priority for run in runs],
        [run.due_at for run in runs],
        [run.deadline_at for run in runs],
        [run.extra for run in runs],
        [run.input for run in runs],
        now,
    )
    lost = {row["run"] for row in rows}
    marked = [
        (trigger.namespace, mark, run.id) for trigger, _, run in entries if run.id not in lost for mark in run.marks
    ]
    if marked:
        await connection.execute(sql["mark_fires"], *map(list, zip(*marked, strict=True)))
    return lost


async def write_triggers(
    connection: Connection, sql: Queries, triggers: Sequence[Trigger], stored: Mapping[int, Trigger]
) -> None:
    """Each by the shortest statement that does; one that was inserted a moment ago is written already."""
    changed = [trigger for trigger in triggers if trigger is not stored[trigger.id]]
    advanced = {trigger.id for trigger in changed if only_advanced(trigger, stored[trigger.id])}
    await rewrite(connection, sql, [trigger for trigger in changed if trigger.id not in advanced])
    await advance(connection, sql, [trigger for trigger in changed if trigger.id in advanced])
    await rule_anew(connection, sql, [each for each in changed if each.ruled_at != stored[each.id].ruled_at])


async def advance(connection: Connection, sql: Queries, triggers: Sequence[Trigger]) -> None:
    if triggers:
        await connection.execute(
            sql["advance_triggers"],
            [trigger.id for trigger in triggers],
            [trigger.next_due for trigger in triggers],
            [trigger.act_at for trigger in triggers],
            [trigger.last_fire_at for trigger in triggers],
            [trigger.fired for trigger in triggers],
        )


async def rewrite(connection: Connection, sql: Queries, triggers: Sequence[Trigger]) -> None:
    if triggers:
        await connection.execute(
            sql["rewrite_triggers"],
            [trigger.id for trigger in triggers],
            *definition_columns(triggers),
            *progress_columns(triggers),
            [trigger.updated_at for trigger in triggers],
        )


async def rule_anew(connection: Connection, sql: Queries, triggers: Sequence[Trigger]) -> None:
    if triggers:
        instants = [trigger.ruled_at for trigger in triggers]
        await connection.execute(sql["rule_anew"], [trigger.id for trigger in triggers], instants)


async def skip(connection: Connection, sql: Queries, moves: Sequence[TriggerMove], now: datetime) -> None:
    spans = [(move.trigger.id, span) for move in moves for span in move.skips]
    if spans:
        await connection.execute(
            sql["skip"],
            [trigger for trigger, _ in spans],
            [span.first for _, span in spans],
            [span.last for _, span in spans],
            [span.reason.value for _, span in spans],
            now,
        )


async def follow(
    connection: Connection, sql: Queries, stored: Mapping[int, Trigger], decide: Follow, now: datetime
) -> MovedTriggers:
    """Move triggers of whose pending runs some have ended."""
    ended = await find_ended(connection, sql, list(stored.values()), now)

    def move(trigger: Trigger) -> TriggerMove:
        return decide(trigger, [ended[run] for run in trigger.pending if run in ended])

    moves = dict(zip(stored, await each(list(stored.values()), move), strict=True))
    still = [trigger for trigger in stored.values() if pausing(trigger, moves[trigger.id])]
    for trigger in (await withdraw(connection, sql, still, now)).values():
        moves[trigger.id] = move(trigger)
    return (await write_moves(connection, sql, list(moves.values()), stored, now))[0]


async def find_ended(
    connection: Connection, sql: Queries, triggers: Sequence[Trigger], now: datetime
) -> dict[RunId, EndedRun]:
    """Those of their pending runs that are over."""
    runs = [run for trigger in triggers for run in trigger.pending]
    if not runs:
        return {}
    rows = await connection.fetch(sql["ended_runs"], runs, search_from(min(runs)))
    return {row["run"]: ended_row(row, now) for row in rows}


def ended_row(row: asyncpg.Record, now: datetime) -> EndedRun:
    if row["state"] is None:
        return EndedRun(row["run"], None, now)
    return EndedRun(row["run"], RunState(row["state"]), row["finished_at"])
