"""Dead letters, and operations on many runs at once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, TypeVar

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.backfill import Backfill, BackfillFire, BackfillId, BackfillPiece, SteppedBackfill
from mainspring.domain.bulk.failure_note import FailureNote, Mute
from mainspring.domain.bulk.operation import SteppedSweep, Sweep, SweepId, SweepPiece
from mainspring.domain.ids import RunId
from mainspring.domain.runs.dead_letter import DeadGroup, DeadLetter, Discarded, FailureFigure
from mainspring.domain.runs.run import NewRun


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


O = TypeVar("O", Sweep, Backfill)  # noqa: E741 the operation


class BulkStore(Protocol):
    """Dead letters, and operations on many runs: sweeps over runs, and backfills of triggers.

    A run that settles as failed becomes a dead letter in the same transaction, and is none after the retry that revives it.
    An operation is a row with a version: a change from an older version changes nothing.
    """

    async def dead_groups(
        self, namespace: str, *, job: str | None = None, after: tuple[datetime, bytes] | None = None, limit: int
    ) -> list[DeadGroup]:
        """By fingerprint, the one seen last first; `after` is the last of the page before: its instant and fingerprint."""

    async def dead_letter(self, namespace: str, run: RunId) -> DeadLetter | None:
        """Also one that is discarded."""

    async def discard(self, namespace: str, runs: Sequence[RunId], said: Discarded) -> list[RunId]:
        """Take these off the list; return those that were on it. Their state stays, and each is audited."""

    async def count_dead(self, query: DeadFilter, *, most: int) -> int:
        """Count the matches up to `most`, without a look at tags and labels."""

    async def dead_letters(self, query: DeadFilter) -> DeadPage: ...

    async def failure_notes(self, namespace: str) -> dict[bytes, FailureNote]:
        """The notes, owners and mutes of kinds of failures, by fingerprint."""

    async def note_failure(
        self, namespace: str, fingerprint: bytes, note: str, *, by: str, now: datetime, entry: AuditEntry
    ) -> bool:
        """Write the note; False, and nothing done, for a kind of which no dead letter is open. The mute stays as it is."""

    async def assign_failure(
        self, namespace: str, fingerprint: bytes, owner: str, *, by: str, now: datetime, entry: AuditEntry
    ) -> bool:
        """The same for the owner; note and mute stay as they are."""

    async def failure_figures(
        self, namespace: str, fingerprints: Sequence[bytes], *, now: datetime
    ) -> list[FailureFigure]:
        """When these happened in the last day, and by which code, in the order asked for."""

    async def mute_failure(self, namespace: str, fingerprint: bytes, mute: Mute, *, entry: AuditEntry) -> bool:
        """The same for the mute; the note stays as it is."""

    async def unmute_failure(self, namespace: str, fingerprint: bytes, *, entry: AuditEntry) -> bool:
        """End the mute; False, and nothing done, if there is none."""

    async def get(self, kind: type[O], namespace: str, operation: SweepId | BackfillId) -> O | None: ...

    async def live(self, kind: type[O], *, limit: int) -> list[O]:
        """Those that are not over, of all namespaces, oldest first."""

    async def step_sweep(self, sweep: Sweep, piece: SweepPiece, *, now: datetime) -> SteppedSweep | None:
        """Act on these runs and advance the sweep, in one transaction; None, and nothing done, if another server was faster.

        A retry or a discard touches only runs that had failed before the sweep was created.
        """

    async def step_backfill(
        self, backfill: Backfill, piece: BackfillPiece, runs: Sequence[NewRun], *, now: datetime
    ) -> SteppedBackfill | None:
        """Make the run of each of the piece's fire times and advance the backfill, in one transaction; None, and nothing
        done, if another server was faster.

        A fire time that the ledger knows gets no run, unless the backfill is to run all again; then the ledger stays as it is.
        """

    async def save(self, operation: Sweep | Backfill, entry: AuditEntry | None = None) -> bool:
        """Store a new operation, or the next version of one; False, and nothing done, unless the version before is stored."""

    async def children(
        self, namespace: str, parents: Sequence[tuple[RunId, RunId | None]], *, limit: int
    ) -> list[list[RunId]]:
        """The first children of each parent after one of its children, by id."""

    async def fires(self, backfill: BackfillId, *, after: datetime | None, limit: int) -> list[BackfillFire]:
        """Runs that a backfill made, after a fire time, oldest first."""

    async def fires_of(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[BackfillFire]:
        """Runs that all backfills made for a trigger, from `since` to before `until`, oldest fire time first."""

    # Last in the class: after it, `list` names this method.
    async def list(
        self,
        kind: type[O],
        namespace: str,
        *,
        trigger: str | None = None,
        before: SweepId | BackfillId | None,
        limit: int,
    ) -> list[O]:
        """Newest first."""
