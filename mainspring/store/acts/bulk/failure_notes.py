"""Notes, owners and mutes of kinds of failures."""

from datetime import datetime

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.failure_note import FailureNote, Mute
from mainspring.store.acts.audit import write_audit
from mainspring.store.tx import Acts, Row, Tx, reads, writes

KEY = ("namespace", "fingerprint")


class FailureNoteActs(Acts):
    """The contracts are in `store/interface/bulk.py`."""

    @reads
    async def failure_notes(self, tx: Tx, namespace: str) -> dict[bytes, FailureNote]:
        rows = await tx.all("failure_notes", namespace=namespace)
        return dict(tx.aside.read("failure_notes", rows, note_row, *KEY))

    @writes
    async def note_failure(
        self, tx: Tx, namespace: str, fingerprint: bytes, note: str, *, by: str, now: datetime, entry: AuditEntry
    ) -> bool:
        if await tx.one("is_failure_open", namespace=namespace, fingerprint=fingerprint) is None:
            return False
        await tx.run("note_failure", namespace=namespace, fingerprint=fingerprint, note=note, by=by, now=now)
        await write_audit(tx, entry)
        return True

    @writes
    async def assign_failure(
        self, tx: Tx, namespace: str, fingerprint: bytes, owner: str, *, by: str, now: datetime, entry: AuditEntry
    ) -> bool:
        if await tx.one("is_failure_open", namespace=namespace, fingerprint=fingerprint) is None:
            return False
        await tx.run("assign_failure", namespace=namespace, fingerprint=fingerprint, owner=owner, by=by, now=now)
        await write_audit(tx, entry)
        return True

    @writes
    async def mute_failure(self, tx: Tx, namespace: str, fingerprint: bytes, mute: Mute, *, entry: AuditEntry) -> bool:
        if await tx.one("is_failure_open", namespace=namespace, fingerprint=fingerprint) is None:
            return False
        said = {"at": mute.at, "until": mute.until, "by": mute.by, "reason": mute.reason}
        await tx.run("mute_failure", namespace=namespace, fingerprint=fingerprint, **said)
        await write_audit(tx, entry)
        return True

    @writes
    async def unmute_failure(self, tx: Tx, namespace: str, fingerprint: bytes, *, entry: AuditEntry) -> bool:
        ended = await tx.run("unmute_failure", namespace=namespace, fingerprint=fingerprint)
        if ended:
            await write_audit(tx, entry)
        return bool(ended)


def note_row(row: Row) -> tuple[bytes, FailureNote]:
    mute = None
    if row["muted_at"] is not None:
        mute = Mute(at=row["muted_at"], until=row["muted_until"], by=row["muted_by"], reason=row["mute_reason"])
    names = ("note", "noted_by", "noted_at", "owner", "owned_by", "owned_at")
    note = FailureNote(**{name: row[name] for name in names}, mute=mute)
    return row["fingerprint"], note
