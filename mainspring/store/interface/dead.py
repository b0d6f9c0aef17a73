"""Runs that failed for good, and acts on many runs at once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.operation import Piece, Stepped, Sweep, SweepId
from mainspring.domain.ids import RunId
from mainspring.domain.runs.dead_letter import DeadGroup, DeadLetter, Discarded


class DeadFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which dead letters, oldest first; discarded ones are none."""

    namespace: str
    fingerprint: bytes | None = None
    job: str | None = None
    queue: str | None = None
    tags: tuple[str, ...] = ()
    labels: dict[str, str] = {}
    """All of them."""
    since: datetime | None = None
    until: datetime | None = None
    """When they failed: not before `since`, and before `until`."""
    after: tuple[datetime, RunId] | None = None
    """The last one on the page before."""
    limit: int = 50


class DeadPage(msgspec.Struct, frozen=True):
    """Some that match. There may be fewer than asked for, even none, and yet more to come: then `next` is given."""

    letters: list[DeadLetter]
    next: tuple[datetime, RunId] | None = None


class Dead(Protocol):
    """Every run that settles as failed is added in the same transaction, and taken out by the retry that revives it."""

    async def groups(
        self, namespace: str, *, job: str | None = None, after: tuple[datetime, bytes] | None = None, limit: int
    ) -> list[DeadGroup]:
        """By fingerprint, the one seen last first; `after` is the last of the page before: its instant and fingerprint."""

    async def get(self, namespace: str, run: RunId) -> DeadLetter | None:
        """Also one that is discarded."""

    async def discard(self, namespace: str, runs: Sequence[RunId], said: Discarded) -> list[RunId]:
        """Have these listed no more; say which were. Their state stays, and each is audited."""

    async def count(self, query: DeadFilter, *, most: int) -> int:
        """How many match, counted so far; tags and labels are not looked at."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: DeadFilter) -> DeadPage: ...


class Sweeps(Protocol):
    """Each change compares the version: from an older one it changes nothing."""

    async def create(self, sweep: Sweep, entry: AuditEntry) -> None: ...

    async def get(self, namespace: str, sweep: SweepId) -> Sweep | None: ...

    async def live(self, *, limit: int) -> list[Sweep]:
        """Those that are not over, of all namespaces, oldest first."""

    async def step(self, sweep: Sweep, piece: Piece, *, now: datetime) -> Stepped | None:
        """Act on these runs and move the sweep on, in one transaction; None, and nothing done, if another server was faster.

        Of a retry or a discard, only what had failed before the sweep was made is touched.
        """

    async def save(self, sweep: Sweep, entry: AuditEntry | None = None) -> bool:
        """Store the sweep if the one before, by its version, is still what is stored."""

    async def children(
        self, namespace: str, parents: Sequence[tuple[RunId, RunId | None]], *, limit: int
    ) -> list[list[RunId]]:
        """The first children of each parent behind one of its children, by id."""

    async def prune(self, *, before: datetime) -> int:
        """Delete those that were over by then."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, namespace: str, *, before: SweepId | None, limit: int) -> list[Sweep]:
        """Newest first."""
