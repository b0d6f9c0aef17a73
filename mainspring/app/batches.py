"""Batches of an app: what is added goes through the `before_enqueue` of its middleware."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mainspring.app.middleware import EnqueueHooks
from mainspring.client.nouns.workflows import AsyncBatch
from mainspring.client.sync.workflows import Batch

if TYPE_CHECKING:
    from mainspring.app.job_handle import JobHandle
    from mainspring.client.async_client import AsyncClient
    from mainspring.client.client import Client
    from mainspring.client.transport.requests import Enqueue
    from mainspring.contract.workflows.batches import BatchInfo


class AppBatch(AsyncBatch):
    """A batch as `app.batch` returns it."""

    def __init__(self, client: "AsyncClient", batch: "BatchInfo", hooks: EnqueueHooks) -> None:
        super().__init__(client, batch)
        self._hooks = hooks

    async def add(self, runs: "Iterable[Enqueue]") -> tuple[str, ...]:
        return await super().add([await self._hooks.before(run) for run in runs] if self._hooks else runs)


class AppBatchSync(Batch):
    """The same for plain code."""

    def __init__(self, client: "Client", batch: "BatchInfo", hooks: EnqueueHooks) -> None:
        super().__init__(client, batch)
        self._hooks = hooks

    def add(self, runs: "Iterable[Enqueue]") -> tuple[str, ...]:
        return super().add([self._hooks.before_sync(run) for run in runs] if self._hooks else runs)


def callbacks(**given: Any) -> dict[str, Any]:
    """Jobs, or jobs with some of their arguments, as the server takes them."""
    return {name: callback(one) for name, one in given.items() if one is not None}


def callback(one: "JobHandle[..., Any] | tuple[JobHandle[..., Any], Mapping[str, Any]]") -> dict[str, Any]:
    job, constants = one if isinstance(one, tuple) else (one, {})
    return {"job": job.name, "input": dict(constants)}
