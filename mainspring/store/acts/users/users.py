"""Users and the links with which they choose a password."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.access.sign_in import SignIn
from mainspring.domain.access.user import FIRST_USER, Invitation, User, UserChange, last_admin_user, rules_as_user
from mainspring.domain.insights.saved_view import owner_named
from mainspring.errors import ConflictError, NotFoundError
from mainspring.store.acts.access import number_change
from mainspring.store.acts.audit import write_audit, write_audits
from mainspring.store.acts.users.rows import invitation_row, invitation_values, user_row, user_values
from mainspring.store.acts.users.sign_ins import NOBODY, SignInActs, forgive, insert_sign_in
from mainspring.store.tx import Tx, holds, reads, writes, writes_once


class UserActs(SignInActs):
    """The contracts are in `store/interface/access.py`."""

    @reads
    async def get(self, tx: Tx, name: str) -> User:
        return await read_user(tx, name)

    @reads
    async def find_subject(self, tx: Tx, subject: str) -> User | None:
        row = await tx.one("user_by_subject", subject=subject)
        return None if row is None else tx.aside.one("users", row, user_row, "id")

    @reads
    async def list(self, tx: Tx, *, after: str, limit: int) -> list[User]:
        return await tx.aside.first(
            "users", limit, lambda most: tx.all("list_users", after=after, limit=most), user_row, "id"
        )

    @reads
    async def has_any(self, tx: Tx) -> bool:
        return await holds(tx, "has_users")

    @writes
    async def create(self, tx: Tx, user: User, entry: AuditEntry, invitation: Invitation | None = None) -> None:
        await insert_user(tx, user, await number_change(tx))
        if invitation is not None:
            await tx.run("add_invitation", **invitation_values(invitation))
        await write_audit(tx, entry)

    @writes
    async def change(self, tx: Tx, name: str, change: UserChange, *, now: datetime, entry: AuditEntry) -> User:
        version = await number_change(tx)
        user = await read_user(tx, name)
        changed = change.apply(user, now)
        if rules_as_user(user) and not rules_as_user(changed):
            await keep_an_admin(tx, user, now)
        await tx.run(
            "change_user", **user_values(changed, "id", "display_name", "roles", "disabled_at"), version=version
        )
        await write_audit(tx, entry)
        return changed

    @writes
    async def delete(self, tx: Tx, name: str, *, now: datetime, entry: AuditEntry) -> None:
        version = await number_change(tx)
        user = await read_user(tx, name)
        if rules_as_user(user):
            await keep_an_admin(tx, user, now)
        await tx.run("end_sign_ins_of", person=user.id, but=NOBODY, now=now, version=version)
        await tx.run("delete_invitations", person=user.id)
        await tx.run("delete_views_of_owner", owner=owner_named(user.name))
        await tx.run("delete_preferences", owner=owner_named(user.name))
        await tx.run("delete_user", id=user.id)
        await write_audit(tx, entry)

    @writes
    async def invite(self, tx: Tx, invitation: Invitation, entry: AuditEntry) -> None:
        await number_change(tx)
        # Servers that start together each print a link for the first admin: all are good until one is used.
        if invitation.user != FIRST_USER:
            await tx.run("delete_invitations", person=invitation.user)
        await tx.run("add_invitation", **invitation_values(invitation))
        await write_audit(tx, entry)

    @reads
    async def find_invitation(self, tx: Tx, digest: bytes, *, now: datetime) -> tuple[Invitation, User | None] | None:
        row = await tx.one("invitation", digest=digest, now=now)
        if row is None:
            return None
        found = await tx.one("user_by_id", id=row["person"])
        return invitation_row(row), None if found is None else tx.aside.one("users", found, user_row, "id")

    @writes
    async def accept(
        self,
        tx: Tx,
        digest: bytes,
        user: User,
        sign_in: SignIn,
        *,
        tries: Sequence[str],
        now: datetime,
        entries: Sequence[AuditEntry],
    ) -> bool:
        version = await number_change(tx)
        row = await tx.one("invitation", digest=digest, now=now)
        if row is None:
            return False
        if row["person"] == FIRST_USER:
            # Another link of the same kind may have been used meanwhile.
            if await holds(tx, "has_users"):
                return False
            await insert_user(tx, user, version)
        else:
            await tx.run("set_password", id=user.id, password=user.password, now=now, version=version)
            await tx.run("end_sign_ins_of", person=user.id, but=NOBODY, now=now, version=version)
        await tx.run("delete_invitations", person=row["person"])
        await insert_sign_in(tx, sign_in, version)
        await forgive(tx, tries)
        await write_audits(tx, entries)
        return True

    @writes
    async def set_password(
        self, tx: Tx, user: User, password: str, *, but: str, tries: Sequence[str], now: datetime, entry: AuditEntry
    ) -> None:
        version = await number_change(tx)
        await forgive(tx, tries)
        await tx.run("set_password", id=user.id, password=password, now=now, version=version)
        await tx.run("end_sign_ins_of", person=user.id, but=but, now=now, version=version)
        await write_audit(tx, entry)

    @writes_once
    async def rehash(self, tx: Tx, user: User, password: str) -> None:
        await tx.run("rehash", id=user.id, password=password, old=user.password)


async def insert_user(tx: Tx, user: User, version: int) -> None:
    if not await tx.run("add_user", **user_values(user), version=version):
        raise ConflictError("user", user.name, "exists already")


async def keep_an_admin(tx: Tx, user: User, now: datetime) -> None:
    """Raises ConflictError if no other user could administer the cluster."""
    others = tx.aside.read("users", await tx.all("all_users"), user_row, "id")
    if any(rules_as_user(other) for other in others if other.id != user.id):
        return
    if not await holds(tx, "has_other_admin", id="", now=now):
        raise last_admin_user(user)


async def read_user(tx: Tx, name: str) -> User:
    row = await tx.one("user", name=name)
    if row is None:
        raise NotFoundError("user", name)
    return tx.aside.one("users", row, user_row, "id")
