"""Mainspring: a distributed job scheduling platform for Python."""

import importlib
from typing import TYPE_CHECKING

from mainspring.version import __version__

if TYPE_CHECKING:
    from mainspring.app import App, Job, JobHandle, Middleware, Trigger
    from mainspring.app.workflows.steps import either, failed, otherwise, skipped, succeeded, when
    from mainspring.app.workflows.waits import approval, event, sleep
    from mainspring.client.async_client import AsyncClient
    from mainspring.client.client import Client
    from mainspring.client.handles import RunHandle
    from mainspring.domain.batches.batch import BatchEnd
    from mainspring.domain.jobs.job import OnLost, Pool, RetryPolicy
    from mainspring.domain.limits.policy import Blocking, Debounce, Fair, KeptHistory, Limit, Rate, Throttle
    from mainspring.domain.routing.route import Failover, Fixed, Hash, Route
    from mainspring.errors import (
        AccessDeniedError,
        ConfigError,
        ConflictError,
        ForbiddenError,
        InvalidInputError,
        MainspringError,
        NotFoundError,
        OverBudgetError,
        RunCancelledError,
        RunFailedError,
        StaleError,
        UnavailableError,
    )
    from mainspring.executor.attempts.context import Context
    from mainspring.executor.attempts.signals import BreakerOpen, GiveUp, Retry, Snooze, Suspend
    from mainspring.executor.handlers.injection import INJECTED, Inject

PLACES = {
    "mainspring.app": ("App", "Job", "JobHandle", "Middleware", "Trigger"),
    "mainspring.app.workflows.steps": ("either", "failed", "otherwise", "skipped", "succeeded", "when"),
    "mainspring.app.workflows.waits": ("approval", "event", "sleep"),
    "mainspring.client.async_client": ("AsyncClient",),
    "mainspring.client.client": ("Client",),
    "mainspring.client.handles": ("RunHandle",),
    "mainspring.domain.jobs.job": ("OnLost", "Pool", "RetryPolicy"),
    "mainspring.domain.limits.policy": ("Blocking", "Debounce", "Fair", "KeptHistory", "Limit", "Rate", "Throttle"),
    "mainspring.domain.routing.route": ("Failover", "Fixed", "Hash", "Route"),
    "mainspring.domain.batches.batch": ("BatchEnd",),
    "mainspring.errors": (
        "AccessDeniedError",
        "ConfigError",
        "ConflictError",
        "ForbiddenError",
        "InvalidInputError",
        "MainspringError",
        "NotFoundError",
        "OverBudgetError",
        "RunCancelledError",
        "RunFailedError",
        "StaleError",
        "UnavailableError",
    ),
    "mainspring.executor.attempts.context": ("Context",),
    "mainspring.executor.attempts.signals": ("BreakerOpen", "GiveUp", "Retry", "Snooze", "Suspend"),
    "mainspring.executor.handlers.injection": ("INJECTED", "Inject"),
}
"""The names below by their module, which is imported when one of them is first used: the command line uses few."""

__all__ = [
    "INJECTED",
    "AccessDeniedError",
    "App",
    "AsyncClient",
    "BatchEnd",
    "Blocking",
    "BreakerOpen",
    "Client",
    "ConfigError",
    "ConflictError",
    "Context",
    "Debounce",
    "Failover",
    "Fair",
    "Fixed",
    "ForbiddenError",
    "GiveUp",
    "Hash",
    "Inject",
    "InvalidInputError",
    "Job",
    "JobHandle",
    "KeptHistory",
    "Limit",
    "MainspringError",
    "Middleware",
    "NotFoundError",
    "OnLost",
    "OverBudgetError",
    "Pool",
    "Rate",
    "Retry",
    "RetryPolicy",
    "Route",
    "RunCancelledError",
    "RunFailedError",
    "RunHandle",
    "Snooze",
    "StaleError",
    "Suspend",
    "Throttle",
    "Trigger",
    "UnavailableError",
    "__version__",
    "approval",
    "either",
    "event",
    "failed",
    "otherwise",
    "skipped",
    "sleep",
    "succeeded",
    "when",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    place = next((module for module, names in PLACES.items() if name in names), None)
    if place is None:
        raise AttributeError(f"module 'mainspring' has no attribute {name!r}")
    found = getattr(importlib.import_module(place), name)
    globals()[name] = found
    return found
