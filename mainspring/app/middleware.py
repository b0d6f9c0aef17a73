"""Middleware: hooks before and after a run is enqueued, and around its attempts."""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import TYPE_CHECKING, Any

from mainspring.errors import ConfigError
from mainspring.executor.attempts.context import Context

if TYPE_CHECKING:
    from mainspring.client.handles import RunHandle
    from mainspring.client.sync.handles import SyncRunHandle
    from mainspring.client.transport.requests import Enqueue

Around = Iterator[None] | AsyncIterator[None] | AbstractContextManager[None] | AbstractAsyncContextManager[None]


class Middleware:
    """Hooks around enqueueing and handlers. Override the ones you need; the others cost nothing.

    The hooks of enqueueing may be async if only `enqueue` is used; plain ones serve `enqueue_sync` as well. In the same
    way an async `around` serves async handlers only, and a plain one all.
    """

    def before_enqueue(self, wanted: "Enqueue") -> "Enqueue | Awaitable[Enqueue]":
        """Return the run to enqueue, `wanted` or `wanted.replace(…)`; an exception reaches the caller."""
        return wanted

    def after_enqueue(self, wanted: "Enqueue", handle: "RunHandle[Any] | SyncRunHandle[Any]") -> Awaitable[None] | None:
        """The run is durable."""

    def around(self, ctx: Context, arguments: Mapping[str, Any]) -> Around:
        """Yield once, where the attempt runs; the handler's exception is raised at the `yield`."""
        raise NotImplementedError


Hook = Callable[..., Any]


class EnqueueHooks:
    """The hooks of enqueueing that middleware has overridden, in the order in which it was used."""

    def __init__(self) -> None:
        self._before: list[Hook] = []
        self._after: list[Hook] = []

    def add(self, middleware: Middleware) -> None:
        if overrides(middleware, "before_enqueue"):
            self._before.append(middleware.before_enqueue)
        if overrides(middleware, "after_enqueue"):
            self._after.append(middleware.after_enqueue)

    def __bool__(self) -> bool:
        return bool(self._before or self._after)

    async def before(self, wanted: "Enqueue") -> "Enqueue":
        for hook in self._before:
            found = hook(wanted)
            wanted = _checked(hook, wanted, await found if inspect.isawaitable(found) else found)
        return wanted

    async def after(self, wanted: "Enqueue", handle: "RunHandle[Any]") -> None:
        for hook in reversed(self._after):
            found = hook(wanted, handle)
            if inspect.isawaitable(found):
                await found

    def before_sync(self, wanted: "Enqueue") -> "Enqueue":
        for hook in self._before:
            _refuse_async(hook)
            wanted = _checked(hook, wanted, hook(wanted))
        return wanted

    def after_sync(self, wanted: "Enqueue", handle: "SyncRunHandle[Any]") -> None:
        for hook in reversed(self._after):
            _refuse_async(hook)
            hook(wanted, handle)


def overrides(middleware: Middleware, method: str) -> bool:
    return getattr(type(middleware), method, None) is not getattr(Middleware, method)


def _checked(hook: Hook, wanted: "Enqueue", found: "Enqueue") -> "Enqueue":
    if not isinstance(found, type(wanted)):
        raise ConfigError(f"{hook.__qualname__} has to return the run to ask for, not {type(found).__name__}")
    return found


def _refuse_async(hook: Hook) -> None:
    if inspect.iscoroutinefunction(hook):
        raise ConfigError(f"{hook.__qualname__} is async, so enqueue_sync cannot wait for it: write it without async")
