"""Bulk operations: sweeps and backfills, rows that servers work off a piece at a time."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk import backfill as backfills
from mainspring.domain.bulk import operation as sweeps
from mainspring.domain.bulk.backfill import Backfill, BackfillFire, BackfillId
from mainspring.domain.bulk.operation import Sweep, SweepId
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.metadata import child_mark
from mainspring.domain.runs.run import NewRun
from mainspring.errors import ConflictError
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.bulk.apply import apply
from mainspring.store.acts.bulk.dead_letters import DeadLetterActs
from mainspring.store.acts.bulk.failure_figures import FailureFigureActs
from mainspring.store.acts.bulk.failure_notes import FailureNoteActs
from mainspring.store.paging import ID_FIRST, ID_LAST
from mainspring.store.tx import Row, Transactions, Tx, holds, reads, writes, writes_history

FIRST = 1
"""The version of an operation that is new."""
O = TypeVar("O", Sweep, Backfill)  # noqa: E741 the operation
MakeRuns = Callable[[Any, Backfill, Sequence[datetime], Sequence[NewRun], datetime], Awaitable[list[NewRun]]]
"""Makes the runs of these fire times in a transaction of its database, and enters them; returns those that were made."""


class OperationKind(Generic[O]):
    """How the rows of a kind of operation are read; their statements are called by its name."""

    def __init__(self, name: str, kind: type[O]) -> None:
        self.name = name
        self.table = f"{name}s"
        self._decoder: msgspec.json.Decoder[O] = msgspec.json.Decoder(kind)

    def read(self, row: Row) -> O:
        return self._decoder.decode(row["body"])


SWEEP, BACKFILL = OperationKind("sweep", Sweep), OperationKind("backfill", Backfill)
KINDS: dict[type, OperationKind[Any]] = {Sweep: SWEEP, Backfill: BACKFILL}


class BulkActs(DeadLetterActs, FailureNoteActs, FailureFigureActs):
    """The contracts are in `store/interface/`."""

    def __init__(self, transactions: Transactions, make_runs: MakeRuns) -> None:
        super().__init__(transactions)
        self._make_runs = make_runs

    @writes
    async def save(self, tx: Tx, operation: Sweep | Backfill, entry: AuditEntry | None = None) -> bool:
        act = "add" if operation.version == FIRST else "save"
        saved = await tx.run(f"{act}_{KINDS[type(operation)].name}", **stored(operation)) > 0
        if saved and entry is not None:
            await write_audit(tx, entry)
        return saved

    @reads
    async def get(self, tx: Tx, kind: type[O], namespace: str, operation: SweepId | BackfillId) -> O | None:
        one = KINDS[kind]
        row = await tx.one(one.name, namespace=namespace, id=operation)
        return None if row is None else tx.aside.one(one.table, row, one.read, "id")

    @reads
    async def live(self, tx: Tx, kind: type[O], *, limit: int) -> list[O]:
        one = KINDS[kind]
        fetch = f"live_{one.table}"
        return await tx.aside.first(one.table, limit, lambda limit: tx.all(fetch, limit=limit), one.read, "id")

    @writes_history
    async def step_sweep(
        self, tx: Tx, sweep: Sweep, piece: sweeps.SweepPiece, *, now: datetime
    ) -> sweeps.SteppedSweep | None:
        if not await holds(tx, "lock_sweep", **stored(sweep)):
            return None
        done = await apply(tx, sweep, piece.runs, now)
        saved = sweeps.after_step(piece, done, now)
        await tx.run("save_sweep", **stored(saved))
        return msgspec.structs.replace(done, sweep=saved)

    @writes
    async def step_backfill(
        self, tx: Tx, backfill: Backfill, piece: backfills.BackfillPiece, runs: Sequence[NewRun], *, now: datetime
    ) -> backfills.SteppedBackfill | None:
        if not await holds(tx, "lock_backfill", **stored(backfill)):
            return None
        made = await self._make_runs(tx, backfill, piece.instants, runs, now) if runs else []
        saved = backfills.after_step(backfill, piece, [run.id for run in made], now)
        await tx.run("save_backfill", **stored(saved))
        return backfills.SteppedBackfill(saved, made)

    @reads
    async def children(
        self, tx: Tx, namespace: str, parents: Sequence[tuple[RunId, RunId | None]], *, limit: int
    ) -> list[list[RunId]]:
        found: list[list[RunId]] = [[] for _ in parents]
        rows = [
            {"turn": turn, "mark": child_mark(parent), "after": after or ID_FIRST}
            for turn, (parent, after) in enumerate(parents)
        ]
        for row in await tx.all("children", namespace=namespace, rows=rows, limit=limit) if rows else ():
            found[row["turn"]].append(row["run"])
        return found

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

    @reads
    async def list(
        self,
        tx: Tx,
        kind: type[O],
        namespace: str,
        *,
        trigger: str | None = None,
        before: SweepId | BackfillId | None,
        limit: int,
    ) -> list[O]:
        one = KINDS[kind]
        wanted = {"namespace": namespace, "trigger_name": trigger, "before": before or ID_LAST}
        return await tx.aside.first(
            one.table, limit, lambda limit: tx.all(one.table, **wanted, limit=limit), one.read, "id"
        )


def stored(operation: Sweep | Backfill) -> dict[str, object]:
    return {
        "id": operation.id,
        "namespace": operation.namespace,
        "trigger_name": operation.spec.name if isinstance(operation, Backfill) else None,
        "live": not operation.state.final,
        "version": operation.version,
        "body": msgspec.json.encode(operation),
    }


def fire_row(row: Row) -> BackfillFire:
    return BackfillFire(row["fire_at"], row["run"], row["backfill"])


async def move_sweep(tx: Tx, step: sweeps.SweepStep) -> None:
    """Write a sweep as it is after a step, whose transaction this is; raises ConflictError if another server was faster."""
    if not await holds(tx, "lock_sweep", **stored(step.before)):
        raise ConflictError("sweep", id_text(step.before.id), "has moved meanwhile")
    await tx.run("save_sweep", **stored(step.after))
