"""Finds the apps that an executor serves."""

import importlib
from typing import Protocol, runtime_checkable

from mainspring.errors import ConfigError
from mainspring.executor.handlers.registry import Handlers


@runtime_checkable
class HasHandlers(Protocol):
    """An app, as far as an executor cares."""

    @property
    def handlers(self) -> Handlers: ...


def load_handlers(apps: str) -> Handlers:
    """The handlers of `module:name`, or of several such with blanks between; two jobs of one name are refused."""
    found = list({id(each): each for each in map(_load, apps.split())}.values())
    return found[0] if len(found) == 1 else Handlers(*found)


def _load(app: str) -> Handlers:
    """`name` may be an app or a registry, and is `app` if left out."""
    module_name, _, name = app.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not module_name.startswith(error.name):
            raise
        raise ConfigError(f"{app}: there is no module {module_name!r}; is the working directory right?") from None
    found = getattr(module, name or "app", None)
    if isinstance(found, Handlers):
        return found
    if isinstance(found, HasHandlers) and isinstance(found.handlers, Handlers):
        return found.handlers
    raise ConfigError(f"{app}: {module_name} has no app named {name or 'app'!r}")
