"""Executors and servers: listing them, and keeping them from new work."""

from collections.abc import Mapping
from datetime import timedelta

from mainspring.client.calls import AsyncCall, ask
from mainspring.client.values import plain_seconds
from mainspring.contract.cluster import AddressBookList, DatabaseInfo, DoctorReport, ServerInfo, ServerList
from mainspring.contract.executors import ExecutorPage, ExecutorSessions
from mainspring.contract.operations import cluster, executors


class AsyncExecutors:
    """`client.executors` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> ExecutorSessions:
        return await self._call(ask(executors.GET_EXECUTOR, name))

    async def cordon(self, name: str, *, reason: str = "") -> ExecutorSessions:
        """Stop sending new runs to it, across restarts; running attempts continue."""
        return await self._call(ask(executors.CORDON_EXECUTOR, name, body=executors.CordonBody(reason=reason)))

    async def uncordon(self, name: str, *, reason: str = "") -> ExecutorSessions:
        return await self._call(ask(executors.UNCORDON_EXECUTOR, name, body=executors.CordonBody(reason=reason)))

    async def drain(self, name: str, *, reason: str = "", grace: float | timedelta | None = None) -> ExecutorSessions:
        """Cordon it and let it finish or hand back its attempts; it stays connected, and idle."""
        body = {"reason": reason} if grace is None else {"reason": reason, "grace": plain_seconds(grace)}
        return await self._call(ask(executors.DRAIN_EXECUTOR, name, body=body))

    async def resize(
        self, name: str, pools: Mapping[str, tuple[int, int, int] | None], *, reason: str = ""
    ) -> ExecutorSessions:
        """Change the sizes of its pools, each as (core, max, queue), across restarts; None: the size it was started with."""
        sizes = {pool: None if size is None else pool_size(size) for pool, size in pools.items()}
        return await self._call(ask(executors.RESIZE_EXECUTOR, name, body={"pools": sizes, "reason": reason}))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> ExecutorPage:
        query = executors.ExecutorQuery(limit=limit, cursor=cursor)
        return await self._call(ask(executors.LIST_EXECUTORS, query=query))


def pool_size(size: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip(("core", "max", "queue"), size, strict=True))


class AsyncServers:
    """`client.servers` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def drain(self, name: str, *, reason: str = "") -> ServerInfo:
        """Send its executors and callers elsewhere; it stays, idle, until it is resumed or started again."""
        return await self._call(ask(cluster.DRAIN_SERVER, name, body=cluster.ServerReasonBody(reason=reason)))

    async def resume(self, name: str, *, reason: str = "") -> ServerInfo:
        """Let a drained server take executors and runs again."""
        return await self._call(ask(cluster.RESUME_SERVER, name, body=cluster.ServerReasonBody(reason=reason)))

    async def list(self) -> ServerList:
        """The servers that are alive, by name."""
        return await self._call(ask(cluster.LIST_SERVERS))

    async def address_books(self) -> AddressBookList:
        """The address books in which the server that answers makes itself known, and how each takes it."""
        return await self._call(ask(cluster.LIST_ADDRESS_BOOKS))

    async def database(self) -> DatabaseInfo:
        """The condition of their database: its size, its connections, who holds back vacuum, what a commit survives."""
        return await self._call(ask(cluster.GET_DATABASE))

    async def examine(self) -> DoctorReport:
        """What the doctor finds of the database, the secrets, the servers and the invariants, with a remedy for each."""
        return await self._call(ask(cluster.EXAMINE))
