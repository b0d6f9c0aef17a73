"""The SDK: requests built and parsed without I/O, and two thin shells that carry them."""

from mainspring.client.async_client import AsyncClient
from mainspring.client.client import Client
from mainspring.client.feed import Change
from mainspring.client.handles import RunHandle, SyncRunHandle
from mainspring.client.nouns.cancel import CancelledRun
from mainspring.client.nouns.events import Event
from mainspring.client.nouns.queues import QueueInfo
from mainspring.client.transport.requests import Enqueue
from mainspring.client.views.runs import AttemptInfo, LogLine, RunError, RunInfo
from mainspring.client.views.triggers import TriggerInfo

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
