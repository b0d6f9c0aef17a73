"""Acts on many runs, a piece at a time."""

from collections.abc import Awaitable, Callable
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.operation import Piece, Stepped, Sweep, SweepId, after_step
from mainspring.domain.ids import first_at
from mainspring.store.acts.audit import write_audit
from mainspring.store.paging import ID_LAST
from mainspring.store.tx import Acts, Row, Tx, holds, reads, writes, writes_once

_decode = msgspec.json.Decoder(Sweep).decode


class SweepActs(Acts):
    """The verbs that both databases share; each adds `step` and `children`."""

    @writes
    async def create(self, tx: Tx, sweep: Sweep, entry: AuditEntry) -> None:
        await tx.run("add_sweep", **stored(sweep))
        await write_audit(tx, entry)

    @reads
    async def get(self, tx: Tx, namespace: str, sweep: SweepId) -> Sweep | None:
        row = await tx.one("sweep", namespace=namespace, id=sweep)
        return None if row is None else tx.aside.one("sweeps", row, sweep_row, "id")

    @reads
    async def live(self, tx: Tx, *, limit: int) -> list[Sweep]:
        return await tx.aside.first("sweeps", limit, lambda limit: tx.all("live_sweeps", limit=limit), sweep_row, "id")

    @writes
    async def save(self, tx: Tx, sweep: Sweep, entry: AuditEntry | None = None) -> bool:
        saved = await tx.run("save_sweep", **stored(sweep)) > 0
        if saved and entry is not None:
            await write_audit(tx, entry)
        return saved

    @writes_once
    async def prune(self, tx: Tx, *, before: datetime) -> int:
        return await tx.run("prune_sweeps", before=first_at(before))

    @reads
    async def list(self, tx: Tx, namespace: str, *, before: SweepId | None, limit: int) -> list[Sweep]:
        wanted = {"namespace": namespace, "before": before or ID_LAST}
        return await tx.aside.first(
            "sweeps", limit, lambda limit: tx.all("sweeps", **wanted, limit=limit), sweep_row, "id"
        )


async def advance(
    tx: Tx, sweep: Sweep, piece: Piece, now: datetime, apply: Callable[[], Awaitable[Stepped]]
) -> Stepped | None:
    """Apply a piece and store the sweep's progress; None, and nothing done, if the sweep is another one by now."""
    if not await holds(tx, "lock_sweep", **stored(sweep)):
        return None
    done = await apply()
    saved = after_step(sweep, piece, done.changed, now)
    await tx.run("save_sweep", **stored(saved))
    return msgspec.structs.replace(done, sweep=saved)


def stored(sweep: Sweep) -> dict[str, object]:
    return {
        "id": sweep.id,
        "namespace": sweep.namespace,
        "live": not sweep.state.final,
        "version": sweep.version,
        "body": msgspec.json.encode(sweep),
    }


def sweep_row(row: Row) -> Sweep:
    return _decode(row["body"])
