"""Executors as operators see and steer them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.pools import PoolChange, PoolWish
from mainspring.domain.cluster.session import Cordon, Presence, RunOnExecutor
from mainspring.domain.ids import SessionId

ID_FIRST = SessionId(bytes(16))


class PresenceFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which living sessions to list, by executor and id; `after` is the last one on the page before."""

    namespace: str
    executor: str | None = None
    after: tuple[str, SessionId] = ("", ID_FIRST)
    limit: int = 50


class ExecutorStore(Protocol):
    """Living sessions, and the cordons that keep executors from taking anything new.

    A cordon is by name, so that it outlives a restart; it is set and taken back in one transaction with the state of the
    living sessions and an audit entry.
    """

    async def held(self, sessions: Sequence[SessionId], *, limit: int) -> list[RunOnExecutor]:
        """Some of the runs that these sessions have."""

    async def cordon(self, cordon: Cordon, *, actor: Actor) -> Cordon:
        """Let the executors of that name take nothing new, from the commit on; return the cordon that now holds.

        A claim or an eager create under way for one of them finishes first. Replaces the cordon they had, unless that
        has the same reason and is no drain either: then nothing is changed. Raises `NotFoundError` if no executor of
        that name was ever seen.
        """

    async def uncordon(self, namespace: str, executor: str, *, actor: Actor, reason: str, now: datetime) -> bool:
        """Let them take work again; False if they had no cordon, and nothing was changed.

        Raises `NotFoundError` if no executor of that name is remembered.
        """

    async def cordons(self) -> list[Cordon]: ...

    async def apply_cordons(self) -> None:
        """Mark as cordoned the sessions that were opened in the very moment of a cordon."""

    async def resize(self, change: PoolChange, *, actor: Actor) -> None:
        """Want other sizes for pools of the executors of a name, or take such wishes back.

        Pools that the change does not name are left as they are. Raises `NotFoundError` if no executor of that name is
        remembered.
        """

    async def pool_wishes(self) -> Sequence[PoolWish]:
        """All of them, by namespace, executor and pool."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: PresenceFilter) -> list[Presence]:
        """A page of the sessions that are not dead."""
