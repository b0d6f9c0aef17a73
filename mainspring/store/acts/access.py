"""Access tokens and namespaces."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import NAMESPACE_ALL, AuditEntry, Namespace, Role, check_empty
from mainspring.domain.access.token import AccessToken, check_active, last_admin, rules_all
from mainspring.errors import ConflictError, NotFoundError
from mainspring.store.acts.audit import AuditActs, write_audit, write_audits
from mainspring.store.acts.users.rows import sign_in_row, user_row
from mainspring.store.interface.access import AccessChanges, TokenFilter
from mainspring.store.tx import Row, Tx, holds, reads, writes, writes_once

TOKEN_FIELDS = ("id", "name", "namespace", "queues", "digest", "created_by", "created_at", "expires_at")
OF_NAMESPACE = (
    *("delete_rules", "delete_counts", "delete_calendar_versions", "delete_calendars"),
    *("delete_namespace_calls", "delete_namespace_changes", "delete_namespace_breakers", "delete_namespace_parked"),
    *("delete_namespace_definitions", "delete_namespace_alerts", "delete_namespace_notices"),
    *("delete_namespace_silences", "delete_namespace_votes", "delete_namespace_waits", "delete_namespace_shapes"),
    *("delete_namespace_told", "delete_namespace_views", "delete_namespace_notes", "delete_namespace"),
)
"""Statements that leave nothing of a namespace: another one of that name begins anew."""


class AccessActs(AuditActs):
    """The contracts are in `store/interface/`."""

    @reads
    async def changes(self, tx: Tx, *, since: int) -> AccessChanges:
        row = await tx.one("access_version")
        version: int = row["version"] if row else 0
        unreadable = sum(map(tx.aside.count, ("tokens", "users", "sign_ins")))
        if version == since and not unreadable:
            return AccessChanges(version, [], None)
        # A row that could not be read is looked for until it can be: who repairs it by hand leaves its number as it is.
        after = 0 if unreadable else since
        return AccessChanges(
            version,
            tx.aside.read("tokens", await tx.all("changed_tokens", since=after), token_row, "id"),
            [row["name"] for row in await tx.all("namespaces")],
            tx.aside.read("users", await tx.all("changed_users", since=after), user_row, "id"),
            tx.aside.read("sign_ins", await tx.all("changed_sign_ins", since=after), sign_in_row, "id"),
        )

    @writes
    async def create_tokens(
        self, tx: Tx, tokens: Sequence[AccessToken], entries: Sequence[AuditEntry], *, first: bool = False
    ) -> bool:
        if first and await holds(tx, "has_tokens"):
            return False
        version = await number_change(tx)
        # Asked again: another server may have been first while this one waited for its number.
        if first and await holds(tx, "has_tokens"):
            return False
        for token in tokens:
            if token.namespace != NAMESPACE_ALL and not await holds(tx, "has_namespace", name=token.namespace):
                raise NotFoundError("namespace", token.namespace)
            if not await tx.run("add_token", **token_values(token), version=version):
                raise ConflictError("token", token.id, "exists already")
        await write_audits(tx, entries)
        return True

    @writes
    async def rotate_token(
        self, tx: Tx, token: str, digest: bytes, *, overlap_until: datetime, now: datetime, entry: AuditEntry
    ) -> AccessToken:
        version = await number_change(tx)
        check_active(await read_token(tx, token), now)
        await tx.run("rotate_token", id=token, digest=digest, until=overlap_until, now=now, version=version)
        await write_audit(tx, entry)
        return await read_token(tx, token)

    @writes
    async def revoke_token(self, tx: Tx, token: str, *, now: datetime, entry: AuditEntry) -> AccessToken:
        version = await number_change(tx)
        found = await read_token(tx, token)
        if found.revoked_at is not None:
            return found
        if rules_all(found, now) and not await holds(tx, "has_other_admin", id=token, now=now):
            raise last_admin(found)
        await tx.run("revoke_token", id=token, now=now, version=version)
        await write_audit(tx, entry)
        return msgspec.structs.replace(found, revoked_at=now)

    @reads
    async def tokens(self, tx: Tx, query: TokenFilter) -> list[AccessToken]:
        if query.id is not None:
            return [tx.aside.one("tokens", row, token_row, "id") for row in await tx.all("token", id=query.id)]
        at, before = query.before or (None, None)
        wanted = {"namespace": query.namespace, "role": query.role, "active_at": query.active_at, "at": at}
        return await tx.aside.first(
            "tokens",
            query.limit,
            lambda limit: tx.all("list_tokens", **wanted, before=before, limit=limit),
            token_row,
            "id",
        )

    @writes_once
    async def note_uses(self, tx: Tx, uses: Mapping[str, datetime]) -> None:
        # In one order for all servers, so that two of them do not wait for each other.
        await tx.batch("note_use", [{"id": token, "at": at} for token, at in sorted(uses.items())])

    @reads
    async def namespaces(self, tx: Tx) -> list[Namespace]:
        rows = await tx.all("namespaces")
        return tx.aside.read("namespaces", rows, lambda row: Namespace(**dict(row)), "name", whole=True)

    @writes
    async def create_namespace(self, tx: Tx, namespace: Namespace, entry: AuditEntry) -> None:
        await number_change(tx)
        if not await tx.run("add_namespace", **msgspec.structs.asdict(namespace)):
            raise ConflictError("namespace", namespace.name, "exists already")
        await write_audit(tx, entry)

    @writes
    async def delete_namespace(self, tx: Tx, name: str, *, now: datetime, entry: AuditEntry) -> None:
        await number_change(tx)
        if not await holds(tx, "has_namespace", name=name):
            raise NotFoundError("namespace", name)
        held = await tx.one("held_by_namespace", name=name, now=now)
        check_empty(name, dict(held) if held else {})
        for statement in OF_NAMESPACE:
            await tx.run(statement, name=name)
        await write_audit(tx, entry)


async def number_change(tx: Tx) -> int:
    """Lock access, and number the change that follows."""
    row = await tx.one("number_change")
    version: int = row["version"] if row else 0
    return version


async def read_token(tx: Tx, token: str) -> AccessToken:
    row = await tx.one("token", id=token)
    if row is None:
        raise NotFoundError("token", token)
    return tx.aside.one("tokens", row, token_row, "id")


def token_values(token: AccessToken) -> dict[str, object]:
    return {"role": token.role.value, **{name: getattr(token, name) for name in TOKEN_FIELDS}}


def token_row(row: Row) -> AccessToken:
    fields = dict(row)
    return AccessToken(**fields | {"role": Role(fields["role"]), "queues": tuple(fields["queues"])})
