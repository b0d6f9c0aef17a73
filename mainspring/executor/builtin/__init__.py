"""Handlers that come with an executor: `shell` and `http`, each only if the executor's operator allows it."""

from mainspring.errors import ConfigError
from mainspring.executor.builtin.http import Http
from mainspring.executor.builtin.shell import Shell
from mainspring.executor.handlers.registry import Handlers
from mainspring.outgoing.guard import Guard
from mainspring.settings import ExecutorSettings

BUILTIN = ("shell", "http")


def builtin_handlers(settings: ExecutorSettings) -> Handlers:
    """Those that the settings allow."""
    handlers = Handlers()
    for name in settings.allow:
        if name == "shell":
            handlers.add(Shell(settings.shell_environment).run, name="shell")
        elif name == "http":
            handlers.add(Http(Guard(settings.http_networks)).request, name="http")
        else:
            raise ConfigError(f"allow: there is no built-in handler {name!r}; there are {', '.join(BUILTIN)}")
    return handlers
