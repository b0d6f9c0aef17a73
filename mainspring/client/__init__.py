"""The SDK: requests built and parsed without I/O, and two thin shells that carry them."""

from mainspring.client.async_client import AsyncClient
from mainspring.client.client import Client
from mainspring.client.handles import RunHandle, SyncRunHandle
from mainspring.client.requests import Enqueue
from mainspring.client.views import AttemptInfo, LogLine, RunError, RunInfo

__all__ = [
    "AsyncClient",
    "AttemptInfo",
    "Client",
    "Enqueue",
    "LogLine",
    "RunError",
    "RunHandle",
    "RunInfo",
    "SyncRunHandle",
]
