"""Backfills of triggers: rows that servers work off, and what each of them made."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.backfill import Backfill, BackfillFire, BackfillId, Piece, Stepped
from mainspring.domain.runs.run import NewRun


class Backfills(Protocol):
    """Each change compares the version: from an older one it changes nothing."""

    async def create(self, backfill: Backfill, entry: AuditEntry) -> None: ...

    async def get(self, namespace: str, backfill: BackfillId) -> Backfill | None: ...

    async def live(self, *, limit: int) -> list[Backfill]:
        """Those that are not over, of all namespaces, oldest first."""

    async def step(self, backfill: Backfill, piece: Piece, runs: Sequence[NewRun], *, now: datetime) -> Stepped | None:
        """Make the run of each of the piece's instants and move the backfill on, in one transaction; None, and nothing done,
        if another server was faster.

        An instant that the ledger knows gets no run, unless the backfill is to run all again; then the ledger stays as it is.
        """

    async def save(self, backfill: Backfill, entry: AuditEntry | None = None) -> bool:
        """Store the backfill if the one before, by its version, is still what is stored."""

    async def fires(self, backfill: BackfillId, *, after: datetime | None, limit: int) -> list[BackfillFire]:
        """What it has made, behind an instant, oldest first."""

    async def fires_of(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[BackfillFire]:
        """What all backfills made for a trigger, from `since` to before `until`, oldest instant first."""

    async def prune(self, *, before: datetime) -> int:
        """Delete those that were asked for before that and are over, with what is known of them; return how many."""

    # Last in the class: behind it, `list` names this method.
    async def list(
        self, namespace: str, *, trigger: str | None, before: BackfillId | None, limit: int
    ) -> list[Backfill]:
        """Newest first."""
