"""Sign-ins, and the tries before them."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.access.sign_in import SignIn, Tries
from mainspring.store.acts.access import number_change
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.users.rows import sign_in_row
from mainspring.store.tx import Acts, Tx, reads, writes, writes_once

NOBODY = ""
SIGN_IN_FIELDS = ("id", "digest", "token", "address", "browser", "created_at", "expires_at", "seen_at")


class SignInActs(Acts):
    """The contracts are in `store/interface/access.py`."""

    @writes
    async def sign_in(self, tx: Tx, made: SignIn, tries: Sequence[str], entry: AuditEntry) -> None:
        await insert_sign_in(tx, made, await number_change(tx))
        await forgive(tx, tries)
        await write_audit(tx, entry)

    @writes
    async def end_sign_in(self, tx: Tx, sign_in: str, *, now: datetime, entry: AuditEntry) -> None:
        if await tx.run("end_sign_in", id=sign_in, now=now, version=await number_change(tx)):
            await write_audit(tx, entry)

    @writes
    async def end_sign_ins(self, tx: Tx, user: str, *, but: str, now: datetime, entry: AuditEntry) -> int:
        version = await number_change(tx)
        ended = await tx.run("end_sign_ins_of", person=user, but=but, now=now, version=version)
        await write_audit(tx, entry)
        return ended

    @reads
    async def find_sign_in(self, tx: Tx, sign_in: str) -> SignIn | None:
        rows = await tx.all("sign_in", id=sign_in)
        return next(iter(tx.aside.read("sign_ins", rows, sign_in_row, "id")), None)

    @reads
    async def sign_ins(self, tx: Tx, user: str, *, limit: int) -> list[SignIn]:
        return await tx.aside.first(
            "sign_ins", limit, lambda most: tx.all("sign_ins_of", person=user, limit=most), sign_in_row, "id"
        )

    @writes_once
    async def note_seen(self, tx: Tx, seen: Mapping[str, datetime]) -> None:
        # In one order for all servers, so that two of them do not wait for each other.
        await tx.batch("note_seen", [{"id": sign_in, "at": at} for sign_in, at in sorted(seen.items())])

    @writes
    async def count_try(self, tx: Tx, keys: Sequence[str], *, now: datetime) -> datetime | None:
        found = [await lock_tries(tx, key, now) for key in sorted(keys)]
        if waits := [until for tries in found if (until := tries.wait(now)) is not None]:
            return max(waits)
        await tx.batch("count_tries", [msgspec.structs.asdict(tries.count(now)) for tries in found])
        return None


async def insert_sign_in(tx: Tx, made: SignIn, version: int) -> None:
    values = {name: getattr(made, name) for name in SIGN_IN_FIELDS}
    await tx.run("add_sign_in", **values, person=made.user, version=version)


async def forgive(tx: Tx, tries: Sequence[str]) -> None:
    await tx.batch("forgive_tries", [{"key": key} for key in tries])


async def lock_tries(tx: Tx, key: str, now: datetime) -> Tries:
    await tx.run("begin_tries", key=key, now=now)
    row = await tx.one("tries", key=key)
    assert row is not None
    return Tries(**dict(row))
