"""The SDK: requests built and parsed without I/O, and two thin shells that carry them."""

from mainspring.client.async_client import AsyncClient
from mainspring.client.client import Client
from mainspring.client.events import Change
from mainspring.client.handles import RunHandle, SyncRunHandle
from mainspring.client.queues import QueueInfo
from mainspring.client.requests import Enqueue
from mainspring.client.steering import CancelledRun
from mainspring.client.told import Event
from mainspring.client.trigger_views import TriggerInfo
from mainspring.client.views import AttemptInfo, LogLine, RunError, RunInfo

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
