"""Facts for alert rules."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.ids import RunId


class EndedCount(msgspec.Struct, frozen=True):
    """Runs of a job that left a line; without a state, they failed for good."""

    line: int
    job: int
    state: int | None
    runs: int
    error: str = ""


class NewFingerprint(msgspec.Struct, frozen=True):
    """A kind of failure of a job, and how often it was seen."""

    job: int
    fingerprint: str
    runs: int
    error: str
    first_at: datetime
    """When it was first seen."""


class TriggerFact(msgspec.Struct, frozen=True):
    """A trigger, or an executor, that is in some state since an instant."""

    namespace: str
    name: str
    job: str
    at: datetime


class StillFlow(msgspec.Struct, frozen=True):
    """A run of a job that is in some state since an instant."""

    job: int
    run: bytes
    at: datetime


class ExpiringToken(msgspec.Struct, frozen=True):
    id: str
    name: str
    namespace: str
    at: datetime


class FindingStore(Protocol):
    """Each question is asked once for all rules, and reads little more than it returns."""

    async def ended(self, *, since: datetime) -> list[EndedCount]:
        """By the roll-ups."""

    async def dead(self, *, since: datetime) -> list[EndedCount]:
        """Runs that failed for good since then, also those that no roll-up has counted yet."""

    async def new_fingerprints(self, *, since: datetime, now: datetime) -> list[NewFingerprint]:
        """Kinds of open dead letters that had not been seen before, but for those that are muted."""

    async def open_dead(self) -> dict[int, int]:
        """Open dead letters by job."""

    async def marks(self) -> dict[int, datetime | None]:
        """By job, the minute in which a run of it last succeeded; jobs that never ended anything are left out."""

    async def late(self, *, before: datetime) -> list[TriggerFact]:
        """Active triggers that should have been moved by then."""

    async def paused(self) -> list[TriggerFact]:
        """Triggers that are paused."""

    async def triggers(self, *, overdue: datetime) -> Sequence[tuple[str, str, int]]:
        """Namespace, state and number of triggers: `active`, `paused`, or `overdue` if it should have been moved by then."""

    async def skips(self, *, since: datetime) -> Sequence[tuple[str, str, str, int]]:
        """Namespace, trigger, job, and the fire times skipped that neither an operator nor a calendar asked for."""

    async def fired(
        self, namespace: str, trigger: str, *, since: datetime, until: datetime
    ) -> list[tuple[datetime, RunId]]:
        """Fire times of a trigger with their runs, the newest first, up to 1,000."""

    async def skipped(self, namespace: str, trigger: str, *, since: datetime) -> list[datetime]:
        """When a trigger last skipped fire times that neither an operator nor a calendar asked for, once for each stretch."""

    async def running(self, *, before: datetime) -> list[StillFlow]:
        """Attempts under way since before then, the longest first."""

    async def lost(self, *, since: datetime) -> list[TriggerFact]:
        """Executors whose lease lapsed since then and that are not back."""

    async def strays(self) -> Sequence[tuple[str, str, int]]:
        """Namespace, name and strays of the executors that are there, as their last beats say."""

    async def stuck(self, *, before: datetime) -> list[StillFlow]:
        """Workflow runs that have not moved since then, the stillest first."""

    async def expiring(self, *, now: datetime, until: datetime) -> list[ExpiringToken]:
        """Good tokens that end before `until`."""
