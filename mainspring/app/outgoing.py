"""Runs on their way from an app to a server: through the hooks, over a client, back as typed handles."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from mainspring.app.middleware import EnqueueHooks
from mainspring.executor.handlers.registry import Handlers

if TYPE_CHECKING:
    from mainspring.client.handles import RunHandle
    from mainspring.client.sync.handles import SyncRunHandle
    from mainspring.client.transport.requests import Enqueue


class Sends(Protocol):
    """A client, or a transaction of the caller's."""

    async def send(self, wanted: "Enqueue") -> "RunHandle[Any]": ...

    async def enqueue_many(self, wanted: "Iterable[Enqueue]") -> "tuple[RunHandle[Any], ...]": ...


class SendsSync(Protocol):
    def send(self, wanted: "Enqueue") -> "SyncRunHandle[Any]": ...

    def enqueue_many(self, wanted: "Iterable[Enqueue]") -> "tuple[SyncRunHandle[Any], ...]": ...


class Outgoing:
    """The asyncio side of `enqueue` and `enqueue_many`."""

    def __init__(self, client: Sends, hooks: EnqueueHooks, handlers: Handlers) -> None:
        self._client = client
        self._hooks = hooks
        self._handlers = handlers

    async def one(self, call: "Enqueue") -> "RunHandle[Any]":
        wanted = await self._hooks.before(call)
        handle = self._typed(wanted, await self._client.send(wanted))
        await self._hooks.after(wanted, handle)
        return handle

    async def many(self, calls: "Iterable[Enqueue]") -> "tuple[RunHandle[Any], ...]":
        wanted = [await self._hooks.before(call) for call in calls] if self._hooks else tuple(calls)
        handles = tuple(map(self._typed, wanted, await self._client.enqueue_many(wanted)))
        for each, handle in zip(wanted, handles, strict=True) if self._hooks else ():
            await self._hooks.after(each, handle)
        return handles

    def _typed(self, wanted: "Enqueue", handle: "RunHandle[Any]") -> "RunHandle[Any]":
        handler = self._handlers.get(wanted.job)
        return handle if handler is None else handle.reading(handler.read_result)


class OutgoingSync:
    """The same from plain code."""

    def __init__(self, client: SendsSync, hooks: EnqueueHooks, handlers: Handlers) -> None:
        self._client = client
        self._hooks = hooks
        self._handlers = handlers

    def one(self, call: "Enqueue") -> "SyncRunHandle[Any]":
        wanted = self._hooks.before_sync(call)
        handle = self._typed(wanted, self._client.send(wanted))
        self._hooks.after_sync(wanted, handle)
        return handle

    def many(self, calls: "Iterable[Enqueue]") -> "tuple[SyncRunHandle[Any], ...]":
        wanted = [self._hooks.before_sync(call) for call in calls] if self._hooks else tuple(calls)
        handles = tuple(map(self._typed, wanted, self._client.enqueue_many(wanted)))
        for each, handle in zip(wanted, handles, strict=True) if self._hooks else ():
            self._hooks.after_sync(each, handle)
        return handles

    def _typed(self, wanted: "Enqueue", handle: "SyncRunHandle[Any]") -> "SyncRunHandle[Any]":
        handler = self._handlers.get(wanted.job)
        return handle if handler is None else handle.reading(handler.read_result)
