"""Executor sessions and servers, and the upkeep of the database."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.domain.cluster.invariants import GRACE, LOOK, Violation
from mainspring.domain.cluster.server import Server, ServerState
from mainspring.domain.cluster.session import Abilities, Opened, Session, SessionLoad
from mainspring.domain.cluster.usage import ClusterUsage
from mainspring.domain.cluster.watch import DatabaseWatch
from mainspring.domain.ids import ServerId, SessionId

NO_SPECS: Mapping[str, str] = {}
NO_LOADS: Mapping[SessionId, SessionLoad] = {}


class ClusterStore(Protocol):
    """Executor sessions, servers, and the upkeep of the database."""

    async def open_session(
        self, session: Session, *, specs: Mapping[str, str] = NO_SPECS, now: datetime
    ) -> Opened | None:
        """Add the session, or move a living one to this server; None if it was given up as dead, or is another's.

        A session is another's if its namespace or its seal is not the same: ids can be seen, seals cannot.

        It is opened cordoned if there is a cordon for its executor. `specs` leads from a job to the digest of what the
        session's code says of it.
        """

    async def kin(self, session: SessionId) -> list[SessionId]:
        """Other sessions with its seal, of one start of an executor, that may still have attempts."""

    async def renew(
        self,
        sessions: Sequence[SessionId],
        *,
        lease_until: datetime,
        loads: Mapping[SessionId, SessionLoad] = NO_LOADS,
    ) -> list[SessionId]:
        """Extend the leases of those not dead, and keep how busy they are; return them."""

    async def drain_session(self, session: SessionId) -> None:
        """Mark it as taking no new work."""

    async def resize_session(self, session: SessionId, abilities: Abilities) -> None:
        """Keep what a living one says of itself since its pools were resized."""

    async def close_session(self, session: SessionId, *, now: datetime) -> None:
        """Mark it dead at its own request; attempts that it still held are reclaimed."""

    async def sessions(self) -> list[Session]:
        """All that are not dead."""

    async def expire(self, *, before: datetime, now: datetime) -> list[SessionId]:
        """Mark dead the sessions whose lease ended before that instant; return all dead ones not yet at rest.

        A claim or an eager create under way for one of them either finishes first or finds it dead.
        """

    async def mark_reclaimed(self) -> None:
        """Note of dead sessions that hold no attempt any more that there is nothing left to reclaim."""

    async def join(self, server: Server, *, now: datetime) -> list[Server]:
        """Add or renew this server, but for its state; return all whose lease has not lapsed."""

    async def servers(self, *, now: datetime) -> list[Server]:
        """All whose lease has not lapsed, by name."""

    async def set_server_state(
        self, name: str, state: ServerState, *, actor: Actor, reason: str, now: datetime
    ) -> list[Server]:
        """Drain or resume the living servers of a name and return them; raises NotFoundError if there are none."""

    async def leave(self, server: ServerId) -> None: ...

    async def prepare_history(self, *, now: datetime, days: int) -> None:
        """Make sure that the partitions of history for today and the next days exist."""

    async def prune(self, *, before: datetime) -> list[str]:
        """Drop the partitions of history that hold nothing newer, and return their names.

        Also deletes keys, search terms, progress, checkpoints and dead letters of dropped runs, sessions that died before that,
        bulk operations that were over by then, tokens that were revoked or had expired, and counts of events last seen before.
        """

    async def forget_payloads(self) -> bool:
        """Delete some payloads of ended runs that history does not keep; True: there may be more."""

    async def watch(self, *, now: datetime) -> DatabaseWatch:
        """The condition of the database, and who holds back vacuum; it ends nothing."""

    async def facts(self, *, now: datetime) -> StoreFacts:
        """The database for an operator who is to trust it, with its condition; looking takes no lock."""

    async def usage(self) -> ClusterUsage:
        """Leases, duties and days of history. On PostgreSQL the sizes of days wait for tables that are being dropped."""

    async def violations(self, *, now: datetime, grace: timedelta = GRACE, look: int = LOOK) -> list[Violation]:
        """The invariants of `domain/cluster/invariants.py` that do not hold, in their order; each question reads at most
        `look` rows."""
