"""The call that travels from the backend to an executor: a function and its arguments."""

import os
from typing import Any

import msgspec
from django.apps import apps
from django.conf import settings
from django.utils.module_loading import import_string

from mainspring.contrib.django.framework import InvalidTaskError, Task

PRIORITY_DEFAULT, PRIORITY_MAX = 5, 9
FRAMEWORK_MAX = 100
LABEL = "django"
"""Under this label each run has the path of its function."""


class DjangoCall(msgspec.Struct, kw_only=True):
    """The input of a run; `backend` and `priority` are the framework's, to be shown as they were."""

    path: str
    args: list[Any]
    kwargs: dict[str, Any]
    backend: str
    priority: int


def urgency(priority: int) -> int:
    """From -100 … 100 to 0 … 9, and the framework's default to ours."""
    steps = PRIORITY_MAX - PRIORITY_DEFAULT if priority > 0 else PRIORITY_DEFAULT
    return PRIORITY_DEFAULT + round(priority * steps / FRAMEWORK_MAX)


def find(path: str) -> "Task[Any, Any]":
    """The function that was made one of the framework's; no other can be called, and no foreign module is imported."""
    module = path.rpartition(".")[0]
    if not belongs_here(module):
        raise InvalidTaskError(f"{path}: {module} is not a module of the project or of an installed app")
    try:
        found = import_string(path)
    except ImportError as error:
        raise InvalidTaskError(f"{path} cannot be imported: {error}") from error
    if not isinstance(found, Task):
        raise InvalidTaskError(f"{path} is not decorated with @task, or it is under another name in its module")
    return found


def belongs_here(module: str) -> bool:
    """Whether it is of an installed app, or of the package that has the settings or the URLs."""
    places = (os.environ.get("DJANGO_SETTINGS_MODULE", ""), getattr(settings, "ROOT_URLCONF", ""))
    own = {config.name for config in apps.get_app_configs()} | {place.partition(".")[0] for place in places if place}
    parents = module.split(".")
    return any(".".join(parents[:length]) in own for length in range(1, len(parents) + 1))
