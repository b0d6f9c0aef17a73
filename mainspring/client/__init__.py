"""The SDK: requests built and parsed without I/O, and two thin shells that carry them."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainspring.client.async_client import AsyncClient
    from mainspring.client.client import Client
    from mainspring.client.feed import Change
    from mainspring.client.handles import RunHandle
    from mainspring.client.nouns.events import Event
    from mainspring.client.sync.handles import SyncRunHandle
    from mainspring.client.transport.requests import Enqueue
    from mainspring.contract.queues import QueueInfo
    from mainspring.contract.runs import AttemptInfo, CancelledRun, LogLine, RunError, RunInfo
    from mainspring.contract.triggers import TriggerInfo

PLACES = {
    "AsyncClient": "mainspring.client.async_client",
    "AttemptInfo": "mainspring.contract.runs",
    "CancelledRun": "mainspring.contract.runs",
    "Change": "mainspring.client.feed",
    "Client": "mainspring.client.client",
    "Enqueue": "mainspring.client.transport.requests",
    "Event": "mainspring.client.nouns.events",
    "LogLine": "mainspring.contract.runs",
    "QueueInfo": "mainspring.contract.queues",
    "RunError": "mainspring.contract.runs",
    "RunHandle": "mainspring.client.handles",
    "RunInfo": "mainspring.contract.runs",
    "SyncRunHandle": "mainspring.client.sync.handles",
    "TriggerInfo": "mainspring.contract.triggers",
}
"""The module of each name, imported when the name is first used: a program that only enqueues needs few of them."""

__all__ = [
    "AsyncClient",
    "AttemptInfo",
    "CancelledRun",
    "Change",
    "Client",
    "Enqueue",
    "Event",
    "LogLine",
    "QueueInfo",
    "RunError",
    "RunHandle",
    "RunInfo",
    "SyncRunHandle",
    "TriggerInfo",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    if name not in PLACES:
        raise AttributeError(f"module 'mainspring.client' has no attribute {name!r}")
    found = getattr(importlib.import_module(PLACES[name]), name)
    globals()[name] = found
    return found
