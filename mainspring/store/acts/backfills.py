"""Backfills of triggers."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.backfill import Backfill, BackfillFire, BackfillId, Piece, Stepped, after_step
from mainspring.domain.ids import first_at
from mainspring.domain.runs.run import NewRun
from mainspring.store.acts.audit import write_audit
from mainspring.store.paging import ID_LAST
from mainspring.store.tx import Acts, Row, Transactions, Tx, holds, reads, writes, writes_once

MakeRuns = Callable[[Any, Backfill, Sequence[datetime], Sequence[NewRun], datetime], Awaitable[list[NewRun]]]
"""Makes the runs of these instants in a transaction of its database, and enters them; returns those that were made."""

_decode = msgspec.json.Decoder(Backfill).decode


class BackfillActs(Acts):
    """See `store/interface/` for what each method promises."""

    def __init__(self, transactions: Transactions, make_runs: MakeRuns) -> None:
        super().__init__(transactions)
        self._make_runs = make_runs

    @writes
    async def create(self, tx: Tx, backfill: Backfill, entry: AuditEntry) -> None:
        await tx.run("add_backfill", **stored(backfill))
        await write_audit(tx, entry)

    @reads
    async def get(self, tx: Tx, namespace: str, backfill: BackfillId) -> Backfill | None:
        row = await tx.one("backfill", namespace=namespace, id=backfill)
        return None if row is None else tx.aside.one("backfills", row, backfill_row, "id")

    @reads
    async def live(self, tx: Tx, *, limit: int) -> list[Backfill]:
        return await tx.aside.first(
            "backfills", limit, lambda limit: tx.all("live_backfills", limit=limit), backfill_row, "id"
        )

    @writes
    async def step(
        self, tx: Tx, backfill: Backfill, piece: Piece, runs: Sequence[NewRun], *, now: datetime
    ) -> Stepped | None:
        if not await holds(tx, "lock_backfill", **stored(backfill)):
            return None
        made = await self._make_runs(tx, backfill, piece.instants, runs, now) if runs else []
        saved = after_step(backfill, piece, [run.id for run in made], now)
        await tx.run("save_backfill", **stored(saved))
        return Stepped(saved, made)

    @writes
    async def save(self, tx: Tx, backfill: Backfill, entry: AuditEntry | None = None) -> bool:
        saved = await tx.run("save_backfill", **stored(backfill)) > 0
        if saved and entry is not None:
            await write_audit(tx, entry)
        return saved

    @reads
    async def fires(self, tx: Tx, backfill: BackfillId, *, after: datetime | None, limit: int) -> list[BackfillFire]:
        rows = await tx.all("backfill_fires", backfill=backfill, after=after, limit=limit)
        return list(map(fire_row, rows))

    @reads
    async def fires_of(
        self, tx: Tx, trigger: int, *, since: datetime, until: datetime, limit: int
    ) -> list[BackfillFire]:
        rows = await tx.all("backfilled_for_trigger", trigger=trigger, since=since, until=until, limit=limit)
        return list(map(fire_row, rows))

    @writes_once
    async def prune(self, tx: Tx, *, before: datetime) -> int:
        return await tx.run("prune_backfills", before=first_at(before))

    @reads
    async def list(
        self, tx: Tx, namespace: str, *, trigger: str | None, before: BackfillId | None, limit: int
    ) -> list[Backfill]:
        wanted = {"namespace": namespace, "trigger_name": trigger, "before": before or ID_LAST}
        return await tx.aside.first(
            "backfills", limit, lambda limit: tx.all("backfills", **wanted, limit=limit), backfill_row, "id"
        )


def stored(backfill: Backfill) -> dict[str, object]:
    return {
        "id": backfill.id,
        "namespace": backfill.namespace,
        "trigger_name": backfill.spec.name,
        "live": not backfill.state.final,
        "version": backfill.version,
        "body": msgspec.json.encode(backfill),
    }


def fire_row(row: Row) -> BackfillFire:
    return BackfillFire(row["fire_at"], row["run"], row["backfill"])


def backfill_row(row: Row) -> Backfill:
    return _decode(row["body"])
