"""Who is there."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.cluster.session import Opened, ServerInfo, Session, SessionLoad
from mainspring.domain.ids import ServerId, SessionId

NO_SPECS: Mapping[str, str] = {}
NO_LOADS: Mapping[SessionId, SessionLoad] = {}


class Cluster(Protocol):
    """Executor sessions and servers."""

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

    async def close_session(self, session: SessionId, *, now: datetime) -> None:
        """Mark it dead at its own wish; what it still held is reclaimed."""

    async def sessions(self) -> list[Session]:
        """All that are not dead."""

    async def expire(self, *, before: datetime, now: datetime) -> list[SessionId]:
        """Mark dead the sessions whose lease ended before that instant; return all dead ones not yet at rest.

        A claim or an eager create under way for one of them either finishes first or finds it dead.
        """

    async def mark_reclaimed(self) -> None:
        """Note of dead sessions that hold no attempt any more that there is nothing left to reclaim."""

    async def forget(self, *, dead_before: datetime) -> int:
        """Delete sessions at rest that died before that instant; history that names them is pruned by then."""

    async def join(self, server: ServerInfo, *, now: datetime) -> list[ServerInfo]:
        """Add or renew this server; return all whose lease has not lapsed."""

    async def leave(self, server: ServerId) -> None: ...
