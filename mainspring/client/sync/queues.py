"""Generated from mainspring/client/nouns/queues.py by `make client-sync`: do not edit."""

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.queues import (
    get_namespace_budget,
    get_queue,
    get_rates,
    get_scaling,
    list_queues,
    pause_queue,
    resume_queue,
    set_budget,
    set_namespace_budget,
)
from mainspring.contract.queues import NamespaceBudget, QueueInfo, QueuePage, QueueScaling, RatesInfo


class Queues:
    """`client.queues` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> QueueInfo:
        return self._call(get_queue(name))

    def rates(self, name: str, *, step: str = "minute", steps: int = 60, job: str | None = None) -> RatesInfo:
        """What passed through it, minute by minute or (`step="hour"`) hour by hour."""
        return self._call(get_rates(name, step=step, steps=steps, job=job))

    def scaling(self, name: str) -> QueueScaling:
        return self._call(get_scaling(name))

    def pause(self, name: str, *, reason: str = "", new: bool = False) -> QueueInfo:
        """Start nothing of it from now on; `new`: also if nobody has used that name yet."""
        return self._call(pause_queue(name, reason=reason, new=new))

    def resume(self, name: str) -> QueueInfo:
        return self._call(resume_queue(name))

    def set_budget(self, name: str, max_queued: int | None, *, new: bool = False) -> QueueInfo:
        """How many accepted runs may wait in it; None: any number."""
        return self._call(set_budget(name, max_queued, new=new))

    def namespace_budget(self, namespace: str) -> NamespaceBudget:
        return self._call(get_namespace_budget(namespace))

    def set_namespace_budget(self, namespace: str, max_queued: int | None) -> NamespaceBudget:
        """How many accepted runs may wait in all queues of a namespace together; None: any number."""
        return self._call(set_namespace_budget(namespace, max_queued))

    def list(self, *, limit: int = 100, cursor: str | None = None) -> QueuePage:
        return self._call(list_queues(limit=limit, cursor=cursor))
