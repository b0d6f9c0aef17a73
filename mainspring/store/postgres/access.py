"""Access tokens and namespaces, on PostgreSQL."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import asyncpg
import msgspec

from mainspring.domain.access.permissions import NAMESPACE_ALL, AuditEntry, Namespace, Role, check_empty
from mainspring.domain.access.token import AccessToken, check_active, last_admin, rules_all
from mainspring.errors import ConflictError, NotFoundError
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface import AccessChanges, TokenFilter
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

T = TypeVar("T")
Change = Callable[["asyncpg.Connection[Any]", int], Awaitable[T]]
"""Statements that make one change, which has the number given."""


class PostgresAccess:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def changes(self, *, since: int) -> AccessChanges:
        version: int = await self._database.fetchval(self._sql["access_version"])
        aside = self._sql.aside
        if version == since and not aside.count("tokens"):
            return AccessChanges(version, [], None)
        # A token that could not be read is looked for until it can be: who repairs it by hand leaves its number as it is.
        rows = await self._database.fetch(self._sql["changed_tokens"], 0 if aside.count("tokens") else since)
        names = [namespace.name for namespace in await self.namespaces()]
        return AccessChanges(version, aside.read("tokens", rows, token_row, "id"), names)

    async def found(self, tokens: Sequence[AccessToken], entries: Sequence[AuditEntry]) -> bool:
        async def add_all(connection: "asyncpg.Connection[Any]", version: int) -> bool:
            if await connection.fetchval(self._sql["has_tokens"]):
                return False
            for token, entry in zip(tokens, entries, strict=True):
                await connection.execute(self._sql["add_token"], *token_values(token), version)
                await write_audit(PostgresTx(connection, self._sql), entry)
            return True

        if await self._database.fetchval(self._sql["has_tokens"]):
            return False
        return await self._change(add_all)

    async def create_token(self, token: AccessToken, entry: AuditEntry) -> None:
        async def create(connection: "asyncpg.Connection[Any]", version: int) -> None:
            known = await connection.fetchval(self._sql["has_namespace"], token.namespace)
            if not known and token.namespace != NAMESPACE_ALL:
                raise NotFoundError("namespace", token.namespace)
            if await connection.execute(self._sql["add_token"], *token_values(token), version) == "INSERT 0 0":
                raise ConflictError("token", token.id, "exists already")
            await write_audit(PostgresTx(connection, self._sql), entry)

        await self._change(create)

    async def rotate_token(
        self, token: str, digest: bytes, *, overlap_until: datetime, now: datetime, entry: AuditEntry
    ) -> AccessToken:
        async def rotate(connection: "asyncpg.Connection[Any]", version: int) -> AccessToken:
            check_active(await self._token(connection, token), now)
            await connection.execute(self._sql["rotate_token"], token, digest, overlap_until, now, version)
            await write_audit(PostgresTx(connection, self._sql), entry)
            return await self._token(connection, token)

        return await self._change(rotate)

    async def revoke_token(self, token: str, *, now: datetime, entry: AuditEntry) -> AccessToken:
        async def revoke(connection: "asyncpg.Connection[Any]", version: int) -> AccessToken:
            found = await self._token(connection, token)
            if found.revoked_at is not None:
                return found
            if rules_all(found, now) and not await connection.fetchval(self._sql["has_other_admin"], token, now):
                raise last_admin(found)
            await connection.execute(self._sql["revoke_token"], token, now, version)
            await write_audit(PostgresTx(connection, self._sql), entry)
            return msgspec.structs.replace(found, revoked_at=now)

        return await self._change(revoke)

    async def token(self, token: str) -> AccessToken | None:
        rows = await self._database.fetch(self._sql["token"], token)
        return self._sql.aside.one("tokens", rows[0], token_row, "id") if rows else None

    async def tokens(self, query: TokenFilter) -> list[AccessToken]:
        at, behind = query.before or (None, None)
        wanted = (query.namespace, query.role, query.active_at, at, behind)
        fetch = partial(self._database.fetch, self._sql["list_tokens"], *wanted)
        return await self._sql.aside.first("tokens", query.limit, fetch, token_row, "id")

    async def note_uses(self, uses: Mapping[str, datetime]) -> None:
        await self._database.execute(self._sql["note_uses"], list(uses), list(uses.values()))

    async def forget_tokens(self, *, dead_before: datetime) -> int:
        return await self._database.execute(self._sql["forget_tokens"], dead_before)

    async def namespaces(self) -> list[Namespace]:
        rows = await self._database.fetch(self._sql["namespaces"])
        return self._sql.aside.read("namespaces", rows, lambda row: Namespace(**dict(row)), "name", whole=True)

    async def create_namespace(self, namespace: Namespace, entry: AuditEntry) -> None:
        values = (namespace.name, namespace.description, namespace.created_at)

        async def create(connection: "asyncpg.Connection[Any]", _version: int) -> None:
            if await connection.execute(self._sql["add_namespace"], *values) == "INSERT 0 0":
                raise ConflictError("namespace", namespace.name, "exists already")
            await write_audit(PostgresTx(connection, self._sql), entry)

        await self._change(create)

    async def delete_namespace(self, name: str, *, now: datetime, entry: AuditEntry) -> None:
        async def delete(connection: "asyncpg.Connection[Any]", _version: int) -> None:
            if not await connection.fetchval(self._sql["has_namespace"], name):
                raise NotFoundError("namespace", name)
            held = await connection.fetchrow(self._sql["held_by_namespace"], name, now)
            check_empty(name, dict(held or {}))
            await connection.execute(self._sql["delete_namespace"], name)
            await write_audit(PostgresTx(connection, self._sql), entry)

        await self._change(delete)

    async def _change(self, change: Change[T]) -> T:
        async def numbered(connection: "asyncpg.Connection[Any]") -> T:
            return await change(connection, await connection.fetchval(self._sql["number_change"]))

        return await self._database.transaction(numbered)

    async def _token(self, connection: "asyncpg.Connection[Any]", token: str) -> AccessToken:
        row = await connection.fetchrow(self._sql["token"], token)
        if row is None:
            raise NotFoundError("token", token)
        return self._sql.aside.one("tokens", row, token_row, "id")


def token_values(token: AccessToken) -> tuple[object, ...]:
    return (
        token.id,
        token.name,
        token.role.value,
        token.namespace,
        list(token.queues),
        token.digest,
        token.created_by,
        token.created_at,
        token.expires_at,
    )


def token_row(row: asyncpg.Record) -> AccessToken:
    fields = dict(row)
    return AccessToken(**fields | {"role": Role(fields["role"]), "queues": tuple(fields["queues"])})
