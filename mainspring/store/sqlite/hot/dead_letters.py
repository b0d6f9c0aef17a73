"""Records runs that have just failed for good."""

import sqlite3
from collections.abc import Mapping

from mainspring.domain.ids import RunId
from mainspring.domain.runs.dead_letter import Cause
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import batch, printable


def record_dead_letters(c: sqlite3.Connection, sql: Queries, day: str, causes: Mapping[RunId, Cause], now: int) -> None:
    """Add runs that have just failed to the dead letters, in the transaction that has moved them to history."""
    if not causes:
        return
    rows = c.execute(sql.died.format(day=day), batch(list(causes), now=now)).fetchall()
    found = [(row["id"], row["job"], causes[row["id"]]) for row in rows]
    words = [(printable(cause.error), printable(cause.message)) for _, _, cause in found]
    fingerprints = b"".join(cause.fingerprint(job) for _, job, cause in found)
    parameters = batch([run for run, _, _ in found], words, fingerprints=fingerprints, now=now)
    c.execute(sql.add_dead.format(day=day), parameters)
