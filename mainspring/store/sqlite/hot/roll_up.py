"""Counts finished runs on SQLite.

Settling notes the ids of each batch that it finishes; here they are looked up and counted, and the note is dropped in the
transaction that adds the counts. With one process on the file nothing can be committed late, and nothing is counted twice.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby

import msgspec

from mainspring.domain.queues.rollup import EDGES, Rolled, Rollup, merge
from mainspring.store.acts.rollups import add_rollups, finished_row
from mainspring.store.sql import Filled
from mainspring.store.sqlite.days import day_of
from mainspring.store.sqlite.rows import ID_SIZE, cut_ids
from mainspring.store.tx import Row, Transactions, Tx

BATCHES = 64
"""How many notes are counted at once."""


class Note(msgspec.Struct, frozen=True):
    """Runs that one transaction finished."""

    position: int
    at: datetime
    ids: bytes


async def roll_up(transactions: Transactions, until: datetime, span: timedelta) -> Rolled | None:
    # Counting is a reader's work: beside it the writer goes on.
    notes, end = await transactions.read(partial(next_notes, until=until, span=span))
    minutes = await transactions.read(partial(count, notes=notes))
    return await transactions.write(partial(add, notes=notes, minutes=minutes, end=end))


async def next_notes(tx: Tx, *, until: datetime, span: timedelta) -> tuple[list[Note], datetime]:
    """The oldest notes, and the instant up to which they go."""
    rows = await tx.all("next_finished", until=until, limit=BATCHES)
    found = tx.aside.read("finished", rows, note_row, "position")
    notes = [note for note in found if note.at < found[0].at + span]
    whole = len(notes) == len(found) < BATCHES
    return notes, until if whole else notes[-1].at


def note_row(row: Row) -> Note:
    note = Note(row["position"], row["at"], row["ids"])
    if not isinstance(note.ids, bytes) or len(note.ids) % ID_SIZE:
        raise ValueError("is no note of runs that have finished")
    return note


async def count(tx: Tx, *, notes: Sequence[Note]) -> list[Rollup]:
    """The runs that the notes name, by minute."""
    days = {row["name"].removeprefix("history_") for row in await tx.all("partitions")}
    found: list[Rollup] = []
    for day, mates in groupby(notes, key=lambda note: day_of(note.at)):
        if day in days:
            found += await count_day(tx, day, list(mates))
    return merge(found)


async def count_day(tx: Tx, day: str, notes: Sequence[Note]) -> list[Rollup]:
    named = [{"id": run, "at": note.at} for note in notes for run in cut_ids(note.ids.hex())]
    buckets = {"wait_bucket": bucket("m.wait"), "duration_bucket": bucket("m.duration")}
    rows = await tx.all(Filled("finished_runs", {"day": day, **buckets}), rows=named) if named else ()
    return list(map(finished_row, rows))


def bucket(column: str) -> str:
    """The number of the bucket into which a value falls."""
    arms = " ".join(f"WHEN {column} < {edge} THEN {number}" for number, edge in enumerate(EDGES))
    return f"CASE WHEN {column} IS NULL THEN NULL {arms} ELSE {len(EDGES)} END"


async def add(tx: Tx, *, notes: Sequence[Note], minutes: Sequence[Rollup], end: datetime) -> Rolled | None:
    """Add the counts and drop the notes they are of; None if another call has."""
    positions = [note.position for note in notes]
    named = {"positions": positions, "first": min(positions, default=0), "last": max(positions, default=0)}
    row = await tx.one("count_finished", **named)
    if row is None or row["there"] < len(notes):
        return None
    await tx.run("drop_finished", **named)
    await add_rollups(tx, minutes, until=end)
    return Rolled(end, minutes)
