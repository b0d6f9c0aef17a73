"""Runs that are set aside, and when they go on."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.domain.runs.run import Suspension
from mainspring.domain.runs.suspension import Suspended


class Suspensions(Protocol):
    """Each change is one transaction with its audit entry, and starts with the lock of the row it decides about."""

    async def suspend(
        self, namespace: str, run: RunId, suspension: Suspension, *, actor: Actor, now: datetime
    ) -> Suspended | None:
        """Have a run wait that nobody works on, or note on it that its handler is to yield; None if there is no such run.

        Changes nothing if it has ended or is being cancelled. One that is suspended already gets the new reason and instant.
        """

    async def resume(self, namespace: str, run: RunId, *, reason: str, actor: Actor, now: datetime) -> Suspended | None:
        """Put a suspended run back into its line, or take the wish back if its handler has not yielded yet.

        It keeps the instant at which it was due. Changes nothing if it is not suspended; None if there is no such run.
        """

    async def resume_due(self, *, now: datetime, limit: int) -> dict[RunId, int]:
        """Put back into their lines the runs whose instant has come, earliest first, at most so many; return the lines."""

    async def next_resume(self) -> datetime | None:
        """The earliest instant at which a suspended run goes on, passed or to come."""

    async def wishes(self, sessions: Sequence[SessionId]) -> list[CancelRequest]:
        """The attempts of these sessions whose handlers are to yield."""

    async def find(self, runs: Sequence[RunId]) -> dict[RunId, Suspension]:
        """Why those of these runs that are suspended are, and until when."""
