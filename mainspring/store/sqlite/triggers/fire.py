"""Writes moves of triggers: rows, entries in the ledger and runs, on SQLite."""

import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby

import msgspec

from mainspring.domain.ids import RunId, born_at_millis
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.trigger import EndedRun, MovedTriggers, Trigger, TriggerMove, without
from mainspring.store.acts.triggers.replaced import cancel_replaced
from mainspring.store.sql import Queries
from mainspring.store.sqlite.days import SKEW_MAX, day_of
from mainspring.store.sqlite.hot.create import add_marks, insert
from mainspring.store.sqlite.rows import array, batch, cut_ids, instant, micros
from mainspring.store.sqlite.triggers.rows import write_rows
from mainspring.store.sqlite.tx import SqliteTx, drive

Entry = tuple[Trigger, datetime, NewRun]
_integers = msgspec.json.Decoder(list[int]).decode
_pairs = msgspec.json.Decoder(list[tuple[int, int]]).decode


def write_moves(
    c: sqlite3.Connection,
    sql: Queries,
    moves: Sequence[TriggerMove],
    now: datetime,
    *,
    stored: Collection[int] = (),
) -> tuple[MovedTriggers, list[Trigger]]:
    """Write moves of triggers that exist, some of which are stored like that already; return what they came to, and the
    triggers as they now are."""
    entries = [(move.trigger, at, run) for move in moves for at, run in move.fires]
    lost = enter(c, sql, entries, micros(now))
    triggers = [without(move, lost) for move in moves]
    changed = [
        one for one, move in zip(triggers, moves, strict=True) if one.id not in stored or one is not move.trigger
    ]
    c.execute(sql.rewrite_triggers, write_rows(changed))
    skip(c, sql, moves, micros(now))
    replaces = any(move.cancels for move in moves)
    wishes, cancelled = drive(cancel_replaced(SqliteTx(c, sql), moves, now)) if replaces else ([], [])
    made = [run for _, _, run in entries if run.id not in lost]
    return MovedTriggers(triggers=len(moves), runs=made, wishes=wishes, cancelled=cancelled), triggers


def enter(c: sqlite3.Connection, sql: Queries, entries: Sequence[Entry], now: int) -> set[RunId]:
    """Enter instants and make their runs; return the runs that are not made, because their instants had been entered."""
    instants = [(trigger.id, micros(at)) for trigger, at, _ in entries]
    before = set(_integers(c.execute(sql.entered, {"rows": array(instants)}).fetchone()[0]))
    wanted = [entry for place, entry in enumerate(entries) if place not in before]
    if wanted:
        runs = [run for _, _, run in wanted]
        rows = [(trigger.id, micros(at)) for trigger, at, _ in wanted]
        c.execute(sql.enter, batch([run.id for run in runs], rows))
        insert(c, sql, runs, now)
        for namespace, several in groupby(wanted, key=lambda entry: entry[0].namespace):
            add_marks(c, sql, namespace, [run for _, _, run in several])
    return {entries[place][2].id for place in before}


def skip(c: sqlite3.Connection, sql: Queries, moves: Sequence[TriggerMove], now: int) -> None:
    rows = [
        (move.trigger.id, micros(span.first), micros(span.last), span.reason.value)
        for move in moves
        for span in move.skips
    ]
    c.execute(sql.skip, {"rows": array(rows), "now": now})


def find_ended(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], triggers: Sequence[Trigger], now: datetime
) -> dict[RunId, EndedRun]:
    """Those of their pending runs that are over."""
    runs = [run for trigger in triggers for run in trigger.pending]
    if not runs:
        return {}
    live = set(cut_ids(c.execute(sql.live_states, batch(runs)).fetchone()[0]))
    over = [run for run in runs if run not in live]
    ended = {run: EndedRun(run, None, now) for run in over}
    for day in since(days, runs):
        found, states = c.execute(sql.ended_on.format(day=day), batch(over)).fetchone()
        for run, (state, at) in zip(cut_ids(found), _pairs(states), strict=True):
            ended[run] = EndedRun(run, RunState(state), instant(at))
    return ended


def since(days: Sequence[str], runs: Sequence[RunId]) -> list[str]:
    """The days on which these may have ended."""
    first = day_of(instant(born_at_millis(min(runs)) * 1000) - SKEW_MAX)
    return [day for day in days if day >= first]
