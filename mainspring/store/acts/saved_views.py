"""Queries of runs that people keep under names."""

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.insights.saved_view import SHARED_BY_ALL, SavedView, check_number
from mainspring.store.acts.access import number_change
from mainspring.store.acts.audit import write_audit
from mainspring.store.tx import Acts, Row, Tx, reads, struct_of, writes


class SavedViewActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes
    async def save(self, tx: Tx, view: SavedView, *, entry: AuditEntry) -> None:
        # One writer at a time, so that two cannot both be the last that fits.
        await number_change(tx)
        count = await tx.one("other_saved_views", namespace=view.namespace, owner=view.owner, name=view.name)
        check_number(count["count"] if count else 0)
        await tx.run("save_view", **msgspec.structs.asdict(view))
        await write_audit(tx, entry)

    @writes
    async def delete(self, tx: Tx, namespace: str, owner: str, name: str, *, entry: AuditEntry) -> bool:
        gone = await tx.run("delete_saved_view", namespace=namespace, owner=owner, name=name)
        if gone:
            await write_audit(tx, entry)
        return bool(gone)

    @reads
    async def list(self, tx: Tx, namespace: str, owner: str) -> "list[SavedView]":
        rows = await tx.all("saved_views", namespace=namespace, owner=owner)
        found = tx.aside.read("saved_views", rows, view_row, "namespace", "owner", "name")
        return sorted(found, key=lambda view: (view.owner == SHARED_BY_ALL, view.name))


def view_row(row: Row) -> SavedView:
    return struct_of(SavedView, row)
