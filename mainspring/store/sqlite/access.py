"""Access tokens and namespaces."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec

from mainspring.domain.access.permissions import NAMESPACE_ALL, AuditEntry, Namespace, Role, check_empty
from mainspring.domain.access.token import AccessToken, check_active, last_admin, rules_all
from mainspring.errors import ConflictError, NotFoundError
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface import AccessChanges, TokenFilter
from mainspring.store.sql import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, instant_or_none, micros
from mainspring.store.sqlite.tx import SqliteTx, finish

T = TypeVar("T")
Change = Callable[[sqlite3.Connection, int], T]
"""Statements that make one change, which has the number given."""

INSTANTS = ("replaced_until", "expires_at", "rotated_at", "revoked_at", "last_used_at")


class SqliteAccess:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def changes(self, *, since: int) -> AccessChanges:
        aside = self._sql.aside

        def read(c: sqlite3.Connection) -> AccessChanges:
            version: int = c.execute(self._sql.access_version).fetchone()["version"]
            if version == since and not aside.count("tokens"):
                return AccessChanges(version, [], None)
            # A token that could not be read is looked for until it can be: who repairs it by hand leaves its number.
            first = 0 if aside.count("tokens") else since
            tokens = aside.read("tokens", c.execute(self._sql.changed_tokens, {"since": first}), token_row, "id")
            return AccessChanges(version, tokens, [row["name"] for row in c.execute(self._sql.namespaces)])

        return await self._connection.read(read)

    async def found(self, tokens: Sequence[AccessToken], entries: Sequence[AuditEntry]) -> bool:
        def add_all(c: sqlite3.Connection, version: int) -> bool:
            if holds(c, self._sql.has_tokens):
                return False
            for token, entry in zip(tokens, entries, strict=True):
                c.execute(self._sql.add_token, token_values(token) | {"version": version})
                finish(write_audit(SqliteTx(c, self._sql), entry))
            return True

        return await self._change(add_all)

    async def create_token(self, token: AccessToken, entry: AuditEntry) -> None:
        def create(c: sqlite3.Connection, version: int) -> None:
            known = holds(c, self._sql.has_namespace, name=token.namespace)
            if not known and token.namespace != NAMESPACE_ALL:
                raise NotFoundError("namespace", token.namespace)
            if not c.execute(self._sql.add_token, token_values(token) | {"version": version}).rowcount:
                raise ConflictError("token", token.id, "exists already")
            finish(write_audit(SqliteTx(c, self._sql), entry))

        await self._change(create)

    async def rotate_token(
        self, token: str, digest: bytes, *, overlap_until: datetime, now: datetime, entry: AuditEntry
    ) -> AccessToken:
        def rotate(c: sqlite3.Connection, version: int) -> AccessToken:
            check_active(self._token(c, token), now)
            until = micros(overlap_until)
            values = {"id": token, "digest": digest, "until": until, "now": micros(now), "version": version}
            c.execute(self._sql.rotate_token, values)
            finish(write_audit(SqliteTx(c, self._sql), entry))
            return self._token(c, token)

        return await self._change(rotate)

    async def revoke_token(self, token: str, *, now: datetime, entry: AuditEntry) -> AccessToken:
        def revoke(c: sqlite3.Connection, version: int) -> AccessToken:
            found = self._token(c, token)
            if found.revoked_at is not None:
                return found
            if rules_all(found, now) and not holds(c, self._sql.has_other_admin, id=token, now=micros(now)):
                raise last_admin(found)
            c.execute(self._sql.revoke_token, {"id": token, "now": micros(now), "version": version})
            finish(write_audit(SqliteTx(c, self._sql), entry))
            return msgspec.structs.replace(found, revoked_at=now)

        return await self._change(revoke)

    async def token(self, token: str) -> AccessToken | None:
        row = await self._connection.read(lambda c: c.execute(self._sql.token, {"id": token}).fetchone())
        return None if row is None else self._sql.aside.one("tokens", row, token_row, "id")

    async def tokens(self, query: TokenFilter) -> list[AccessToken]:
        at, behind = query.before or (None, None)
        values = {
            "namespace": query.namespace,
            "role": query.role,
            "active_at": None if query.active_at is None else micros(query.active_at),
            "at": None if at is None else micros(at),
            "behind": behind,
        }

        async def fetch(limit: int) -> Sequence[sqlite3.Row]:
            wanted = values | {"limit": limit}
            return await self._connection.read(lambda c: c.execute(self._sql.list_tokens, wanted).fetchall())

        return await self._sql.aside.first("tokens", query.limit, fetch, token_row, "id")

    async def note_uses(self, uses: Mapping[str, datetime]) -> None:
        rows = [{"id": token, "at": micros(at)} for token, at in uses.items()]
        await self._connection.write(lambda c: c.executemany(self._sql.note_use, rows))

    async def forget_tokens(self, *, dead_before: datetime) -> int:
        values = {"before": micros(dead_before)}
        return await self._connection.write(lambda c: c.execute(self._sql.forget_tokens, values).rowcount)

    async def namespaces(self) -> list[Namespace]:
        rows = await self._connection.read(lambda c: c.execute(self._sql.namespaces).fetchall())
        return self._sql.aside.read("namespaces", rows, namespace_row, "name", whole=True)

    async def create_namespace(self, namespace: Namespace, entry: AuditEntry) -> None:
        created_at = None if namespace.created_at is None else micros(namespace.created_at)
        values = {"name": namespace.name, "description": namespace.description, "created_at": created_at}

        def create(c: sqlite3.Connection, _version: int) -> None:
            if not c.execute(self._sql.add_namespace, values).rowcount:
                raise ConflictError("namespace", namespace.name, "exists already")
            finish(write_audit(SqliteTx(c, self._sql), entry))

        await self._change(create)

    async def delete_namespace(self, name: str, *, now: datetime, entry: AuditEntry) -> None:
        values = {"name": name, "now": micros(now)}

        def delete(c: sqlite3.Connection, _version: int) -> None:
            if not holds(c, self._sql.has_namespace, name=name):
                raise NotFoundError("namespace", name)
            check_empty(name, dict(c.execute(self._sql.held_by_namespace, values).fetchone()))
            c.execute(self._sql.delete_namespace, {"name": name})
            c.execute(self._sql.delete_rules, {"name": name})
            c.execute(self._sql.delete_counts, {"name": name})
            c.execute(self._sql.delete_calendar_versions, {"name": name})
            c.execute(self._sql.delete_calendars, {"name": name})
            finish(write_audit(SqliteTx(c, self._sql), entry))

        await self._change(delete)

    async def _change(self, change: Change[T]) -> T:
        return await self._connection.write(
            lambda c: change(c, c.execute(self._sql.number_change).fetchone()["version"])
        )

    def _token(self, c: sqlite3.Connection, token: str) -> AccessToken:
        row = c.execute(self._sql.token, {"id": token}).fetchone()
        if row is None:
            raise NotFoundError("token", token)
        return self._sql.aside.one("tokens", row, token_row, "id")


def holds(c: sqlite3.Connection, question: str, **values: object) -> bool:
    return bool(c.execute(question, values).fetchone()[0])


def token_values(token: AccessToken) -> dict[str, object]:
    return {
        "id": token.id,
        "name": token.name,
        "role": token.role.value,
        "namespace": token.namespace,
        "queues": msgspec.json.encode(token.queues).decode(),
        "digest": token.digest,
        "created_by": token.created_by,
        "created_at": micros(token.created_at),
        "expires_at": None if token.expires_at is None else micros(token.expires_at),
    }


def token_row(row: sqlite3.Row) -> AccessToken:
    fields = dict(row)
    fields |= {name: instant_or_none(row[name]) for name in INSTANTS}
    fields |= {"role": Role(row["role"]), "created_at": instant(row["created_at"])}
    return AccessToken(**fields | {"queues": tuple(msgspec.json.decode(row["queues"]))})


def namespace_row(row: sqlite3.Row) -> Namespace:
    return Namespace(**dict(row) | {"created_at": instant_or_none(row["created_at"])})
