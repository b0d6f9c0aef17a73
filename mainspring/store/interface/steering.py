"""Runs that somebody cancels or has run again, and runs whose time is up."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.cancel import Cancelled, CancelRequest, Retried


class Steering(Protocol):
    """Each change is one transaction with its audit entries, and starts with the locks of the rows it decides about."""

    async def cancel(
        self, namespace: str, runs: Sequence[RunId], *, reason: str, actor: Actor, now: datetime
    ) -> dict[RunId, Cancelled]:
        """Cancel what nobody works on; note on the others that they are to be; say what became of each that exists.

        A claim or an outcome under way for one of them finishes first. From the commit on, a run that was queued or waiting
        is final, and one that is running never runs again, whatever its attempt ends with. A run that has ended, or was
        cancelled before, is not changed.
        """

    async def wishes(self, sessions: Sequence[SessionId]) -> list[CancelRequest]:
        """The attempts of these sessions that are to be cancelled."""

    async def retry(
        self,
        namespace: str,
        run: RunId,
        *,
        force: bool,
        reason: str,
        actor: Actor,
        now: datetime,
        input: bytes | None = None,  # noqa: A002 the word of the API
    ) -> Retried | None:
        """Put a run that has ended back into its line, due now, with another input if given; None if there is no such run.

        Changes nothing if it is live, or has succeeded and is not forced. Its failures and losses count from zero again, the
        number of its attempts goes on, and what is known of them stays. A deadline that has passed is dropped.
        """

    async def expire(self, *, now: datetime, limit: int) -> list[RunId]:
        """Fail runs that nobody works on and whose deadline has come, earliest first, at most so many; return them."""

    async def next_deadline(self) -> datetime | None:
        """The earliest deadline of a run that nobody works on, passed or to come."""
