"""Who changed what: append only."""

from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import AuditEntry


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


class Audit(Protocol):
    """Entries are also written by the acts they record, in the same transaction; nothing updates or deletes one."""

    async def append(self, entry: AuditEntry) -> None:
        """For acts that change nothing in this store."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        """A page of entries with their positions; instant and position are an entry's place in the order."""
