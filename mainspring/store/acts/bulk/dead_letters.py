"""Runs that failed for good."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import marks_of
from mainspring.domain.runs.cancel import steering_entry
from mainspring.domain.runs.dead_letter import COUNT_MAX, DeadGroup, DeadLetter, Discard, Discarded
from mainspring.store.acts.audit import write_audits
from mainspring.store.acts.bulk.dead_letter_paging import (
    INSTANT_FIRST,
    INSTANT_LAST,
    KINDS_MAX,
    look_of,
    page_of,
    page_of_kinds,
    start_of,
)
from mainspring.store.interface.bulk import DeadFilter, DeadPage
from mainspring.store.sql import Filled
from mainspring.store.tx import Acts, Row, Tx, reads, reads_together, writes

ALL = {"place": "d.namespace || '' = :namespace", "index": "dead_listed", "only": ""}
GROUP = {
    "place": "d.namespace = :namespace AND d.fingerprint = :fingerprint",
    "index": "dead_kinds",
    "only": "AND d.fingerprint = :fingerprint",
}
"""How each database is led to the index that brings the rows in their order: PostgreSQL by `place`, SQLite by the others."""


class DeadLetterActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads_together
    async def dead_groups(
        self,
        tx: Tx,
        namespace: str,
        *,
        job: str | None = None,
        after: tuple[datetime, bytes] | None = None,
        limit: int,
    ) -> list[DeadGroup]:
        await tx.run("pin_plans")
        found = await tx.all("dead_kinds", namespace=namespace, job=job, most=KINDS_MAX)
        page = page_of_kinds(((row["last_at"], row["fingerprint"]) for row in found), after, limit)
        rows = await tx.all("dead_groups", namespace=namespace, fingerprints=page, most=COUNT_MAX)
        groups = [DeadGroup(**dict(row)) for row in rows]
        return sorted(groups, key=lambda group: (group.last_at, group.fingerprint), reverse=True)

    @reads
    async def dead_letter(self, tx: Tx, namespace: str, run: RunId) -> DeadLetter | None:
        row = await tx.one("dead_letter", namespace=namespace, run=run)
        return None if row is None else letter_row(row)

    @writes
    async def discard(self, tx: Tx, namespace: str, runs: Sequence[RunId], said: Discarded) -> list[RunId]:
        return await discard(tx, namespace, runs, said, before=INSTANT_LAST)

    @reads_together
    async def count_dead(self, tx: Tx, query: DeadFilter, *, most: int) -> int:
        await tx.run("pin_plans")
        row = await tx.one(
            by_index("count_dead", query),
            namespace=query.namespace,
            fingerprint=query.fingerprint,
            since=query.since or INSTANT_FIRST,
            until=query.until or INSTANT_LAST,
            job=query.job,
            queue=query.queue,
            most=most,
        )
        count: int = row["count"] if row else 0
        return count

    @reads_together
    async def dead_letters(self, tx: Tx, query: DeadFilter) -> DeadPage:
        at, run = start_of(query)
        await tx.run("pin_plans")
        rows = await tx.all(
            by_index("dead_letters", query),
            namespace=query.namespace,
            fingerprint=query.fingerprint,
            at=at,
            run=run,
            marks=[*marks_of(query.labels, query.tags)],
            until=query.until or INSTANT_LAST,
            look=look_of(query),
        )
        return page_of([(letter_row(row), bool(row["marked"])) for row in rows], query)


def by_index(statement: str, query: DeadFilter) -> Filled:
    return Filled(statement, ALL if query.fingerprint is None else GROUP)


async def discard(tx: Tx, namespace: str, runs: Sequence[RunId], said: Discarded, *, before: datetime) -> list[RunId]:
    found = await lock_dead(tx, namespace, runs, before=before)
    if found:
        await tx.run("discard", ids=found, now=said.now, by=said.actor.name, reason=said.reason)
    details: dict[str, object] = {"reason": said.reason}
    entries = [
        steering_entry("run.discard", run, namespace=namespace, actor=said.actor, now=said.now, details=details)
        for run in found
    ]
    await write_audits(tx, entries)
    return found


async def lock_dead(tx: Tx, namespace: str, runs: Sequence[RunId], *, before: datetime) -> list[RunId]:
    """Lock those that had died before an instant and are not discarded."""
    return [
        row["run"]
        for row in await tx.all("lock_dead", ids=list(runs))
        if row["namespace"] == namespace and row["discarded_at"] is None and row["failed_at"] < before
    ]


def letter_row(row: Row) -> DeadLetter:
    gone = row["discarded_at"]
    return DeadLetter(
        run=row["run"],
        job=row["job"],
        queue=row["queue"],
        fingerprint=row["fingerprint"],
        error=row["error"],
        message=row["message"],
        failed_at=row["failed_at"],
        reason=row["reason"],
        discarded=None if gone is None else Discard(gone, row["discarded_by"], row["discard_reason"]),
    )
