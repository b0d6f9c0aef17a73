"""Executors: who is there, and keeping them from new work."""

from datetime import timedelta

import msgspec

from mainspring.client.calls import AsyncCall, given, part
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.executors import ExecutorPage, ExecutorSessions

PATH = "/api/v1/executors"


def list_executors(*, limit: int = 50, cursor: str | None = None) -> Request[ExecutorPage]:
    return Request("GET", PATH, _page, params=given(limit=str(limit), cursor=cursor))


def get_executor(name: str) -> Request[ExecutorSessions]:
    return Request("GET", f"{PATH}/{part(name)}", _detail)


def cordon(name: str, reason: str) -> Request[ExecutorSessions]:
    return Request("POST", f"{PATH}/{part(name)}/cordon", _detail, body=json_bytes({"reason": reason}))


def uncordon(name: str, reason: str) -> Request[ExecutorSessions]:
    return Request("POST", f"{PATH}/{part(name)}/uncordon", _detail, body=json_bytes({"reason": reason}))


def drain(name: str, reason: str, grace: float | timedelta | None) -> Request[ExecutorSessions]:
    seconds = grace.total_seconds() if isinstance(grace, timedelta) else grace
    said = {"reason": reason} if seconds is None else {"reason": reason, "grace": seconds}
    return Request("POST", f"{PATH}/{part(name)}/drain", _detail, body=json_bytes(said))


class AsyncExecutors:
    """`client.executors` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> ExecutorSessions:
        return await self._call(get_executor(name))

    async def cordon(self, name: str, *, reason: str = "") -> ExecutorSessions:
        """Let it take nothing new, over restarts too; what it has goes on."""
        return await self._call(cordon(name, reason))

    async def uncordon(self, name: str, *, reason: str = "") -> ExecutorSessions:
        return await self._call(uncordon(name, reason))

    async def drain(self, name: str, *, reason: str = "", grace: float | timedelta | None = None) -> ExecutorSessions:
        """Cordon it, and let it finish or hand back what it has; it stays connected, and idle."""
        return await self._call(drain(name, reason, grace))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> ExecutorPage:
        return await self._call(list_executors(limit=limit, cursor=cursor))


_page = msgspec.json.Decoder(ExecutorPage).decode
_detail = msgspec.json.Decoder(ExecutorSessions).decode
