"""Finished runs, counted by minute and by hour.

Settling notes the ids of each batch that it finishes; here they are looked up and counted, and the note is dropped in the
transaction that adds the counts. With one process on the file nothing can be committed late, and nothing is counted twice.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

import msgspec

from mainspring.domain.queues.rollup import EDGES, Rollup, Spread, Step, coarser, merge, single
from mainspring.domain.runs.run import RunState
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import ID_SIZE, array, batch, cut_ids
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days, day_of
from mainspring.store.sqlite.rows import MICROSECOND, instant, instant_or_none, micros

BATCHES = 64
"""How many notes are counted at once."""

read_counts = msgspec.json.Decoder(tuple[int, ...]).decode


class Note(msgspec.Struct, frozen=True):
    """Runs that one transaction finished."""

    position: int
    at: int
    ids: bytes


KEY = ("at", "line", "job", "state")


class SqliteRollups:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def roll_up(self, *, until: datetime, span: timedelta) -> datetime | None:
        days = await self._days.known()
        # Counting is a reader's work: beside it the writer goes on.
        notes, end = await self._connection.read(lambda c: next_notes(c, self._sql, until, span))
        found = await self._connection.read(lambda c: count(c, self._sql, days, notes))
        return await self._connection.write(lambda c: add(c, self._sql, notes, found, end))

    async def rolled_until(self) -> datetime | None:
        return await self._connection.read(lambda c: instant_or_none(c.execute(self._sql.rolled_until).fetchone()[0]))

    async def read(
        self, step: Step, *, lines: Sequence[int], since: datetime, until: datetime, job: int | None = None
    ) -> list[Rollup]:
        parameters = {
            "step": int(step),
            "lines": array(lines),
            "since": micros(since),
            "until": micros(until),
            "job": job,
        }
        rows = await self._connection.read(lambda c: c.execute(self._sql.read_rollups, parameters).fetchall())
        return self._sql.aside.read("rollups", rows, rollup_row, *KEY)

    async def prune(self, step: Step, *, before: datetime) -> int:
        parameters = {"step": int(step), "before": micros(before)}
        return await self._connection.write(lambda c: c.execute(self._sql.prune_rollups, parameters).rowcount)


def next_notes(c: sqlite3.Connection, sql: Queries, until: datetime, span: timedelta) -> tuple[list[Note], datetime]:
    """The oldest notes, and the instant up to which they go."""
    rows = c.execute(sql.next_finished, {"until": micros(until), "limit": BATCHES})
    found = sql.aside.read("finished", rows, note_row, "position")
    notes = [note for note in found if note.at < found[0].at + span // MICROSECOND]
    whole = len(notes) == len(found) < BATCHES
    return notes, until if whole else instant(notes[-1].at)


def note_row(row: sqlite3.Row) -> Note:
    note = Note(*row)
    if not isinstance(note.at, int) or not isinstance(note.ids, bytes) or len(note.ids) % ID_SIZE:
        raise ValueError("is no note of runs that have finished")
    return note


def count(c: sqlite3.Connection, sql: Queries, days: Sequence[str], notes: Sequence[Note]) -> list[Rollup]:
    """The runs that the notes name, by minute."""
    found: list[Rollup] = []
    for day, mates in groupby(notes, key=lambda note: day_of(instant(note.at))):
        if day in days:
            found += count_day(c, sql, day, list(mates))
    return merge(found)


def count_day(c: sqlite3.Connection, sql: Queries, day: str, notes: Sequence[Note]) -> list[Rollup]:
    ids = [run for note in notes for run in cut_ids(note.ids.hex())]
    instants = [note.at for note in notes for _ in range(len(note.ids) // ID_SIZE)]
    text = sql.finished_runs.format(day=day, wait_bucket=bucket("m.wait"), duration_bucket=bucket("m.duration"))
    return [finished_row(row) for row in c.execute(text, batch(ids, instants))]


def bucket(column: str) -> str:
    """The number of the bucket into which a value falls."""
    arms = " ".join(f"WHEN {column} < {edge} THEN {number}" for number, edge in enumerate(EDGES))
    return f"CASE WHEN {column} IS NULL THEN NULL {arms} ELSE {len(EDGES)} END"


def add(
    c: sqlite3.Connection, sql: Queries, notes: Sequence[Note], found: Sequence[Rollup], end: datetime
) -> datetime | None:
    """Add the counts and drop the notes they are of; None if somebody else has."""
    positions = [note.position for note in notes]
    named = {"positions": array(positions), "first": min(positions, default=0), "last": max(positions, default=0)}
    if c.execute(sql.count_finished, named).fetchone()[0] < len(notes):
        return None
    c.execute(sql.drop_finished, named)
    put(c, sql, Step.MINUTE, found)
    put(c, sql, Step.HOUR, coarser(found, Step.HOUR))
    c.execute(sql.move_rolled, {"until": micros(end)})
    return end


def put(c: sqlite3.Connection, sql: Queries, step: Step, new: Sequence[Rollup]) -> None:
    times = array(sorted({micros(one.at) for one in new}))
    touched = {one.key for one in new}
    rows = sql.aside.read("rollups", c.execute(sql.rollups_at, {"step": int(step), "times": times}), rollup_row, *KEY)
    for one in merge([*(row for row in rows if row.key in touched), *new]):
        c.execute(sql.put_rollup, {"step": int(step), **columns(one)})


def columns(one: Rollup) -> dict[str, object]:
    return {
        "at": micros(one.at),
        "line": one.line,
        "job": one.job,
        "state": int(one.state),
        "runs": one.runs,
        "wait_sum": one.wait.sum,
        "wait_max": one.wait.max,
        "duration_sum": one.duration.sum,
        "duration_max": one.duration.max,
        "waits": msgspec.json.encode(one.wait.counts),
        "durations": msgspec.json.encode(one.duration.counts),
    }


def finished_row(row: sqlite3.Row) -> Rollup:
    return Rollup(
        at=instant(row["at"]),
        line=row["line"],
        job=row["job"],
        state=RunState(row["state"]),
        runs=row["runs"],
        wait=single(row["wait_sum"], row["wait_bucket"], row["runs"], row["wait_max"]),
        duration=single(row["duration_sum"], row["duration_bucket"], row["runs"], row["duration_max"]),
    )


def rollup_row(row: sqlite3.Row) -> Rollup:
    return Rollup(
        at=instant(row["at"]),
        line=row["line"],
        job=row["job"],
        state=RunState(row["state"]),
        runs=row["runs"],
        wait=Spread(row["wait_sum"], row["wait_max"], read_counts(row["waits"])),
        duration=Spread(row["duration_sum"], row["duration_max"], read_counts(row["durations"])),
    )
