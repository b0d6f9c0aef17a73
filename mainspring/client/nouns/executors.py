"""Executors: who is there, and keeping them from new work."""

from datetime import datetime, timedelta

import msgspec

from mainspring.client.calls import AsyncCall, SyncCall, given, part
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes

PATH = "/api/v1/executors"


class PoolInfo(msgspec.Struct, frozen=True):
    """A pool's size; `room` is how many attempts it may hold in all, and `taken` how many it holds."""

    pool: str
    core: int
    max: int
    queue: int
    room: int
    taken: int | None = None


class LoadInfo(msgspec.Struct, frozen=True):
    """How busy an executor was at its last beat; `cpu` is a share of one core, `memory` in bytes."""

    cpu: float
    memory: int
    running: int
    waiting: int
    at: datetime
    strays: int = 0
    """Threads that go on with attempts which were given up."""


class BlockedInfo(msgspec.Struct, frozen=True):
    """A handler that kept the executor's event loop from all others; `place` is where in its code it was."""

    handler: str
    run: str
    seconds: float
    at: datetime
    place: str


class StuckInfo(msgspec.Struct, frozen=True):
    """A pool whose slots are held by `strays`, given up and going on, and `waits`, for runs that need the same pool."""

    pool: str
    strays: int = 0
    waits: int = 0


class CordonInfo(msgspec.Struct, frozen=True):
    at: datetime
    actor: str
    reason: str
    drain_at: datetime | None = None
    grace: float = 0.0


class ExecutorInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A living session of an executor: one start of it."""

    name: str
    namespace: str
    session: str
    state: str
    """`live`, `draining` or `cordoned`."""
    server: str
    host: str
    code_version: str
    labels: dict[str, str] = {}
    queues: list[str] = []
    handlers: int
    pools: list[PoolInfo] = []
    load: LoadInfo | None = None
    opened_at: datetime
    lease_until: datetime
    lease_age: float
    blocked: list[BlockedInfo] = []
    """Handlers that lately blocked its event loop, the newest last."""
    stuck: list[StuckInfo] = []
    """Pools without a usable slot."""
    cordon: CordonInfo | None = None


class ExecutorPage(msgspec.Struct, frozen=True):
    """Some executors by name; `next` is the cursor of the page behind."""

    executors: list[ExecutorInfo]
    next: str | None


class HeldRun(msgspec.Struct, frozen=True):
    id: str
    job: str
    attempt: int
    claimed_at: datetime
    session: str


class ExecutorDetail(msgspec.Struct, frozen=True, kw_only=True):
    """The executors of one name, with some of the runs that they have."""

    name: str
    namespace: str
    cordon: CordonInfo | None = None
    sessions: list[ExecutorInfo] = []
    handlers: dict[str, str] = {}
    runs: list[HeldRun] = []
    more: bool = False


def list_executors(*, limit: int = 50, cursor: str | None = None) -> Request[ExecutorPage]:
    return Request("GET", PATH, _page, params=given(limit=str(limit), cursor=cursor))


def get_executor(name: str) -> Request[ExecutorDetail]:
    return Request("GET", f"{PATH}/{part(name)}", _detail)


def cordon(name: str, reason: str) -> Request[ExecutorDetail]:
    return Request("POST", f"{PATH}/{part(name)}/cordon", _detail, body=json_bytes({"reason": reason}))


def uncordon(name: str, reason: str) -> Request[ExecutorDetail]:
    return Request("POST", f"{PATH}/{part(name)}/uncordon", _detail, body=json_bytes({"reason": reason}))


def drain(name: str, reason: str, grace: float | timedelta | None) -> Request[ExecutorDetail]:
    seconds = grace.total_seconds() if isinstance(grace, timedelta) else grace
    said = {"reason": reason} if seconds is None else {"reason": reason, "grace": seconds}
    return Request("POST", f"{PATH}/{part(name)}/drain", _detail, body=json_bytes(said))


class AsyncExecutors:
    """`client.executors` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> ExecutorDetail:
        return await self._call(get_executor(name))

    async def cordon(self, name: str, *, reason: str = "") -> ExecutorDetail:
        """Let it take nothing new, over restarts too; what it has goes on."""
        return await self._call(cordon(name, reason))

    async def uncordon(self, name: str, *, reason: str = "") -> ExecutorDetail:
        return await self._call(uncordon(name, reason))

    async def drain(self, name: str, *, reason: str = "", grace: float | timedelta | None = None) -> ExecutorDetail:
        """Cordon it, and let it finish or hand back what it has; it stays connected, and idle."""
        return await self._call(drain(name, reason, grace))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> ExecutorPage:
        return await self._call(list_executors(limit=limit, cursor=cursor))


class Executors:
    """`client.executors` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> ExecutorDetail:
        return self._call(get_executor(name))

    def cordon(self, name: str, *, reason: str = "") -> ExecutorDetail:
        """Let it take nothing new, over restarts too; what it has goes on."""
        return self._call(cordon(name, reason))

    def uncordon(self, name: str, *, reason: str = "") -> ExecutorDetail:
        return self._call(uncordon(name, reason))

    def drain(self, name: str, *, reason: str = "", grace: float | timedelta | None = None) -> ExecutorDetail:
        """Cordon it, and let it finish or hand back what it has; it stays connected, and idle."""
        return self._call(drain(name, reason, grace))

    def list(self, *, limit: int = 50, cursor: str | None = None) -> ExecutorPage:
        return self._call(list_executors(limit=limit, cursor=cursor))


_page = msgspec.json.Decoder(ExecutorPage).decode
_detail = msgspec.json.Decoder(ExecutorDetail).decode
