"""A backend of Django's Tasks framework that runs tasks with Mainspring.

`TASKS = {"default": {"BACKEND": "mainspring.contrib.django.MainspringBackend"}}`, and executors that are started by
`mainspring executor mainspring.contrib.django:app`.
"""

from typing import TYPE_CHECKING

from mainspring.contrib.django.backend import MainspringBackend

if TYPE_CHECKING:
    from mainspring.app import App

    app: App

__all__ = ["MainspringBackend"]


def __getattr__(name: str) -> "App":
    """`app`, for executors: only they set Django up by themselves."""
    if name != "app":
        raise AttributeError(name)
    from mainspring.contrib.django.serving import make_app  # noqa: PLC0415

    found = globals()["app"] = make_app()
    return found
