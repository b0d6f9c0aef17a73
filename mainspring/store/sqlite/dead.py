"""Runs that failed for good, on SQLite."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import marks_of
from mainspring.domain.runs.cancel import steering_entry
from mainspring.domain.runs.dead_letter import COUNT_MAX, Cause, DeadGroup, DeadLetter, Discard, Discarded
from mainspring.store.acts.audit import write_audit
from mainspring.store.dead_letter_paging import (
    INSTANT_FIRST,
    INSTANT_LAST,
    KINDS_MAX,
    look_of,
    page_of,
    page_of_kinds,
    start_of,
)
from mainspring.store.interface import DeadFilter, DeadPage
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import array, batch, printable
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, micros
from mainspring.store.sqlite.tx import SqliteTx, finish


class SqliteDead:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def groups(
        self, namespace: str, *, job: str | None = None, after: tuple[datetime, bytes] | None = None, limit: int
    ) -> list[DeadGroup]:
        def read(c: sqlite3.Connection) -> list[DeadGroup]:
            found = c.execute(self._sql.dead_kinds, {"namespace": namespace, "job": job, "most": KINDS_MAX})
            kinds = [(instant(row["last_at"]), row["fingerprint"]) for row in found]
            shown = {"namespace": namespace, "most": COUNT_MAX}
            return [
                group_row(c.execute(self._sql.dead_group, {**shown, "fingerprint": fingerprint}).fetchone())
                for fingerprint in page_of_kinds(kinds, after, limit)
            ]

        return await self._connection.read(read)

    async def get(self, namespace: str, run: RunId) -> DeadLetter | None:
        row = await self._connection.read(
            lambda c: c.execute(self._sql.dead_letter, {"namespace": namespace, "run": run}).fetchone()
        )
        return None if row is None else letter_row(row)

    async def discard(self, namespace: str, runs: Sequence[RunId], said: Discarded) -> list[RunId]:
        return await self._connection.write(lambda c: discard(c, self._sql, namespace, runs, said, before=INSTANT_LAST))

    async def count(self, query: DeadFilter, *, most: int) -> int:
        parameters = {
            "namespace": query.namespace,
            "job": query.job,
            "queue": query.queue,
            "since": micros(query.since or INSTANT_FIRST),
            "until": micros(query.until or INSTANT_LAST),
            "fingerprint": query.fingerprint,
            "most": most,
        }
        statement = chosen(self._sql.count_dead, query)
        found: int = await self._connection.read(lambda c: c.execute(statement, parameters).fetchone()[0])
        return found

    async def list(self, query: DeadFilter) -> DeadPage:
        at, run = start_of(query)
        parameters = {
            "namespace": query.namespace,
            "at": micros(at),
            "run": run,
            "until": micros(query.until or INSTANT_LAST),
            "fingerprint": query.fingerprint,
            "marks": array(marks_of(query.labels, query.tags)),
            "look": look_of(query),
        }
        statement = chosen(self._sql.dead_letters, query)
        rows = await self._connection.read(lambda c: c.execute(statement, parameters).fetchall())
        return page_of([(letter_row(row), bool(row["marked"])) for row in rows], query)


def chosen(statement: str, query: DeadFilter) -> str:
    """The index that brings the rows in their order."""
    if query.fingerprint is None:
        return statement.format(index="dead_listed", only="")
    return statement.format(index="dead_kinds", only="AND d.fingerprint = :fingerprint")


def bury(c: sqlite3.Connection, sql: Queries, day: str, causes: Mapping[RunId, Cause], now: int) -> None:
    """Add runs that have just failed to the dead, in the transaction that has moved them to history."""
    if not causes:
        return
    rows = c.execute(sql.died.format(day=day), batch(list(causes), now=now)).fetchall()
    found = [(row["id"], row["job"], causes[row["id"]]) for row in rows]
    words = [(printable(cause.error), printable(cause.message)) for _, _, cause in found]
    fingerprints = b"".join(cause.fingerprint(job) for _, job, cause in found)
    parameters = batch([run for run, _, _ in found], words, fingerprints=fingerprints, now=now)
    c.execute(sql.add_dead.format(day=day), parameters)


def discard(
    c: sqlite3.Connection, sql: Queries, namespace: str, runs: Sequence[RunId], said: Discarded, *, before: datetime
) -> list[RunId]:
    found = hold_dead(c, sql, namespace, runs, before=before)
    c.execute(sql.discard, batch(found, now=micros(said.now), by=said.actor.name, reason=said.reason))
    details: dict[str, object] = {"reason": said.reason}
    for run in found:
        entry = steering_entry("run.discard", run, namespace=namespace, actor=said.actor, now=said.now, details=details)
        finish(write_audit(SqliteTx(c, sql), entry))
    return found


def hold_dead(
    c: sqlite3.Connection, sql: Queries, namespace: str, runs: Sequence[RunId], *, before: datetime
) -> list[RunId]:
    parameters = batch(runs, namespace=namespace, before=micros(before))
    return [row["run"] for row in c.execute(sql.hold_dead, parameters)]


def group_row(row: sqlite3.Row) -> DeadGroup:
    known = dict(row)
    return DeadGroup(**{**known, "first_at": instant(row["first_at"]), "last_at": instant(row["last_at"])})


def letter_row(row: sqlite3.Row) -> DeadLetter:
    gone = row["discarded_at"]
    return DeadLetter(
        run=row["run"],
        job=row["job"],
        queue=row["queue"],
        fingerprint=row["fingerprint"],
        error=row["error"],
        message=row["message"],
        failed_at=instant(row["failed_at"]),
        reason=row["reason"],
        discarded=None if gone is None else Discard(instant(gone), row["discarded_by"], row["discard_reason"]),
    )
