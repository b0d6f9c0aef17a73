"""Access tokens, the namespaces that they reach, and the audit log."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import AuditEntry, Namespace
from mainspring.domain.access.token import AccessToken


class AccessChanges(msgspec.Struct, frozen=True):
    """Changes since a version."""

    version: int
    tokens: list[AccessToken]
    namespaces: list[str] | None
    """The names of all, or None: nothing is new."""


class TokenFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which tokens to list, newest first; `before` is the last one on the page before."""

    id: str | None = None
    namespace: str | None = None
    """None: all, those for every namespace among them."""
    role: str | None = None
    active_at: datetime | None = None
    """Only those neither revoked nor expired by then."""
    before: tuple[datetime, str] | None = None
    limit: int = 50


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries to list, newest first; `before` is the place of the last one on the page before."""

    namespace: str | None = None
    """None: of every namespace."""
    actor: str | None = None
    kind: str | None = None
    key: str | None = None
    since: datetime | None = None
    before: tuple[datetime, int] | None = None
    limit: int = 50


class Access(Protocol):
    """Access tokens, namespaces and the audit log.

    Changes are made one after the other, each with its entry in the audit log. Acts write the entries that record them, in the
    same transaction; no act updates or deletes one.
    """

    async def changes(self, *, since: int) -> AccessChanges:
        """The tokens that were changed after that version; 0 asks for all."""

    async def create_tokens(
        self, tokens: Sequence[AccessToken], entries: Sequence[AuditEntry], *, first: bool = False
    ) -> bool:
        """Add tokens; with `first` only to a store that has none: otherwise False, and nothing is changed.

        Raises NotFoundError for an unknown namespace, ConflictError for an id that is taken.
        """

    async def rotate_token(
        self, token: str, digest: bytes, *, overlap_until: datetime, now: datetime, entry: AuditEntry
    ) -> AccessToken:
        """Give a token another secret; the one before is good until `overlap_until`, the one before that is no more.

        Raises NotFoundError, and ConflictError for a token that is revoked or expired.
        """

    async def revoke_token(self, token: str, *, now: datetime, entry: AuditEntry) -> AccessToken:
        """End a token for good; one that is revoked already stays as it is.

        Raises NotFoundError, and ConflictError for the last active admin token of all namespaces.
        """

    async def tokens(self, query: TokenFilter) -> list[AccessToken]: ...

    async def note_uses(self, uses: Mapping[str, datetime]) -> None:
        """Keep when tokens were used last."""

    async def namespaces(self) -> list[Namespace]:
        """All, by name."""

    async def create_namespace(self, namespace: Namespace, entry: AuditEntry) -> None:
        """Raises ConflictError if there is one of that name."""

    async def delete_namespace(self, name: str, *, now: datetime, entry: AuditEntry) -> None:
        """Raises NotFoundError, and ConflictError while it holds jobs, live runs, executors or active tokens."""

    async def append_audit(self, entry: AuditEntry) -> None:
        """For acts that change nothing in this store."""

    async def audit(self, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        """A page of entries with their positions; instant and position are an entry's place in the order."""
