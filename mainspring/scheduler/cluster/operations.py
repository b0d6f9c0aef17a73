"""Operations on servers: list, drain, resume."""

import asyncio
from collections.abc import Callable, Sequence

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.server import AnnouncedBook, Server, ServerState
from mainspring.errors import ConflictError
from mainspring.scheduler.cluster.known_servers import KnownServers
from mainspring.scheduler.operations.executors import check_reason
from mainspring.store.interface import Store


class ServerOperations:
    """What operators want of a server stands in its row, which each server reads whenever it renews its own."""

    def __init__(self, store: Store, clock: Clock, renewal: asyncio.Event, known: KnownServers) -> None:
        self.known = known
        self.books: Callable[[], Sequence[AnnouncedBook]] = tuple
        """The address books in which this server makes itself known, as they are now."""
        self._store = store
        self._clock = clock
        self._renewal = renewal

    async def drain(self, name: str, *, actor: Actor, reason: str) -> Server:
        """Send its executors and callers elsewhere; it stays, idle. Raises ConflictError for the last that takes work."""
        servers = await self.list()
        if not any(one.state is ServerState.LIVE and one.name != name for one in servers):
            raise ConflictError("server", name, "is the last one that takes work: start another one first")
        return await self._steer(name, ServerState.DRAINING, actor, reason)

    async def resume(self, name: str, *, actor: Actor, reason: str) -> Server:
        """Let it take executors and runs again; nothing changes if it did."""
        return await self._steer(name, ServerState.LIVE, actor, reason)

    async def _steer(self, name: str, state: ServerState, actor: Actor, reason: str) -> Server:
        check_reason(reason)
        now = self._clock.now()
        steered = await self._store.cluster.set_server_state(name, state, actor=actor, reason=reason, now=now)
        self._renewal.set()
        return steered[0]

    async def list(self) -> list[Server]:
        """All that are alive."""
        return await self._store.cluster.servers(now=self._clock.now())
