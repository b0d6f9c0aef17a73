"""Mainspring: a distributed job scheduling platform for Python."""

from mainspring.app import App, JobHandle
from mainspring.client.async_client import AsyncClient
from mainspring.client.client import Client
from mainspring.client.handles import RunHandle
from mainspring.domain.job import Pool, RetryPolicy
from mainspring.errors import (
    AccessDeniedError,
    ConfigError,
    ConflictError,
    InvalidInputError,
    MainspringError,
    NotFoundError,
    RunFailedError,
    UnavailableError,
)
from mainspring.executor.context import Context
from mainspring.version import __version__

__all__ = [
    "AccessDeniedError",
    "App",
    "AsyncClient",
    "Client",
    "ConfigError",
    "ConflictError",
    "Context",
    "InvalidInputError",
    "JobHandle",
    "MainspringError",
    "NotFoundError",
    "Pool",
    "RetryPolicy",
    "RunFailedError",
    "RunHandle",
    "UnavailableError",
    "__version__",
]
