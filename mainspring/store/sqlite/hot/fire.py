"""Writing what moves of triggers say: rows, entries in the ledger and runs, on SQLite."""

import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, born_at_millis
from mainspring.domain.runs.cancel import CancelRequest, Operator
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.prepared import without
from mainspring.domain.triggers.trigger import Ended, Move, Moved, Trigger
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import array, batch, cut_ids
from mainspring.store.sqlite.days import SKEW_MAX, day_of
from mainspring.store.sqlite.hot.create import add_marks, insert
from mainspring.store.sqlite.rows import instant, micros
from mainspring.store.sqlite.steering import cancel
from mainspring.store.sqlite.trigger_rows import write_rows

REPLACED = "the next instant of its trigger has come"
FIRER = Actor("trigger")

Entry = tuple[Trigger, datetime, NewRun]
_integers = msgspec.json.Decoder(list[int]).decode
_pairs = msgspec.json.Decoder(list[tuple[int, int]]).decode


def write_moves(
    c: sqlite3.Connection,
    sql: Queries,
    days: Sequence[str],
    moves: Sequence[Move],
    now: datetime,
    *,
    stored: Collection[int] = (),
) -> tuple[Moved, list[Trigger]]:
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
    wishes, cancelled = cancel_replaced(c, sql, days, moves, now)
    made = [run for _, _, run in entries if run.id not in lost]
    return Moved(triggers=len(moves), runs=made, wishes=wishes, cancelled=cancelled), triggers


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


def skip(c: sqlite3.Connection, sql: Queries, moves: Sequence[Move], now: int) -> None:
    rows = [
        (move.trigger.id, micros(span.first), micros(span.last), span.reason.value)
        for move in moves
        for span in move.skips
    ]
    c.execute(sql.skip, {"rows": array(rows), "now": now})


def cancel_replaced(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], moves: Sequence[Move], now: datetime
) -> tuple[list[CancelRequest], list[RunId]]:
    """Cancel runs as anybody would; return the attempts to stop, and the runs that are over."""
    wishes: list[CancelRequest] = []
    over: list[RunId] = []
    cancelling = sorted((move for move in moves if move.cancels), key=lambda move: move.trigger.namespace)
    for namespace, several in groupby(cancelling, key=lambda move: move.trigger.namespace):
        runs = sorted({run for move in several for run in move.cancels})
        by = Operator(namespace=namespace, actor=FIRER, reason=REPLACED, now=now)
        found, changed = cancel(c, sql, day_of(now), since(days, runs), runs, by)
        wishes += [one.wish for one in found.values() if one.wish is not None]
        over += [run for run in changed if found[run].state is RunState.CANCELLED]
    return wishes, over


def find_ended(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], triggers: Sequence[Trigger], now: datetime
) -> dict[RunId, Ended]:
    """Those of their pending runs that are over."""
    runs = [run for trigger in triggers for run in trigger.pending]
    if not runs:
        return {}
    live = set(cut_ids(c.execute(sql.live_states, batch(runs)).fetchone()[0]))
    over = [run for run in runs if run not in live]
    ended = {run: Ended(run, None, now) for run in over}
    for day in since(days, runs):
        found, states = c.execute(sql.ended_on.format(day=day), batch(over)).fetchone()
        for run, (state, at) in zip(cut_ids(found), _pairs(states), strict=True):
            ended[run] = Ended(run, RunState(state), instant(at))
    return ended


def since(days: Sequence[str], runs: Sequence[RunId]) -> list[str]:
    """The days on which these may have ended."""
    first = day_of(instant(born_at_millis(min(runs)) * 1000) - SKEW_MAX)
    return [day for day in days if day >= first]
