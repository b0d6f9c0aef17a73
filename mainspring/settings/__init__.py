"""Settings: frozen values with defaults, read once at start."""

from mainspring.settings.home import TOKEN_API, TOKEN_EXECUTOR, ensure_home, keep_token, read_token
from mainspring.settings.sections import ClientSettings, ExecutorSettings, SchedulerSettings, ServerSettings
from mainspring.settings.sources import load

__all__ = [
    "TOKEN_API",
    "TOKEN_EXECUTOR",
    "ClientSettings",
    "ExecutorSettings",
    "SchedulerSettings",
    "ServerSettings",
    "ensure_home",
    "keep_token",
    "load",
    "read_token",
]
