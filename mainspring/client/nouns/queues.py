"""Queues: how full, how fast, pause, resume, budgets."""

import msgspec

from mainspring.client.calls import AsyncCall, given, part
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.queues import NamespaceBudget, QueueInfo, QueuePage, QueueScaling, RatesInfo

PATH = "/api/v1/queues"


def list_queues(*, limit: int, cursor: str | None) -> Request[QueuePage]:
    return Request("GET", PATH, _page, params=given(limit=str(limit), cursor=cursor))


def get_queue(name: str) -> Request[QueueInfo]:
    return Request("GET", f"{PATH}/{part(name)}", _queue)


def get_rates(name: str, *, step: str, steps: int, job: str | None) -> Request[RatesInfo]:
    return Request("GET", f"{PATH}/{part(name)}/rates", _rates, params=given(step=step, steps=str(steps), job=job))


def get_scaling(name: str) -> Request[QueueScaling]:
    return Request("GET", f"{PATH}/{part(name)}/scaling", _scaling)


def pause_queue(name: str, *, reason: str, new: bool) -> Request[QueueInfo]:
    said = json_bytes({"reason": reason, "new": new})
    return Request("POST", f"{PATH}/{part(name)}/pause", _queue, body=said)


def resume_queue(name: str) -> Request[QueueInfo]:
    return Request("POST", f"{PATH}/{part(name)}/resume", _queue)


def set_budget(name: str, max_queued: int | None, *, new: bool) -> Request[QueueInfo]:
    said = json_bytes({"max_queued": max_queued, "new": new})
    return Request("PUT", f"{PATH}/{part(name)}/budget", _queue, body=said, repeatable=True)


def get_namespace_budget(namespace: str) -> Request[NamespaceBudget]:
    return Request("GET", f"/api/v1/namespaces/{part(namespace)}/budget", _namespace_budget)


def set_namespace_budget(namespace: str, max_queued: int | None) -> Request[NamespaceBudget]:
    said = json_bytes({"max_queued": max_queued})
    return Request("PUT", f"/api/v1/namespaces/{part(namespace)}/budget", _namespace_budget, body=said, repeatable=True)


class AsyncQueues:
    """`client.queues` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> QueueInfo:
        return await self._call(get_queue(name))

    async def rates(self, name: str, *, step: str = "minute", steps: int = 60, job: str | None = None) -> RatesInfo:
        """What passed through it, minute by minute or (`step="hour"`) hour by hour."""
        return await self._call(get_rates(name, step=step, steps=steps, job=job))

    async def scaling(self, name: str) -> QueueScaling:
        return await self._call(get_scaling(name))

    async def pause(self, name: str, *, reason: str = "", new: bool = False) -> QueueInfo:
        """Start nothing of it from now on; `new`: also if nobody has used that name yet."""
        return await self._call(pause_queue(name, reason=reason, new=new))

    async def resume(self, name: str) -> QueueInfo:
        return await self._call(resume_queue(name))

    async def set_budget(self, name: str, max_queued: int | None, *, new: bool = False) -> QueueInfo:
        """How many accepted runs may wait in it; None: any number."""
        return await self._call(set_budget(name, max_queued, new=new))

    async def namespace_budget(self, namespace: str) -> NamespaceBudget:
        return await self._call(get_namespace_budget(namespace))

    async def set_namespace_budget(self, namespace: str, max_queued: int | None) -> NamespaceBudget:
        """How many accepted runs may wait in all queues of a namespace together; None: any number."""
        return await self._call(set_namespace_budget(namespace, max_queued))

    async def list(self, *, limit: int = 100, cursor: str | None = None) -> QueuePage:
        return await self._call(list_queues(limit=limit, cursor=cursor))


_queue = msgspec.json.Decoder(QueueInfo).decode
_page = msgspec.json.Decoder(QueuePage).decode
_rates = msgspec.json.Decoder(RatesInfo).decode
_scaling = msgspec.json.Decoder(QueueScaling).decode
_namespace_budget = msgspec.json.Decoder(NamespaceBudget).decode
