"""The executor's side: one handler for plain functions and one for async ones, whichever the project has."""

import os
import platform
import traceback
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import django
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections, connections, reset_queries
from django.utils import timezone
from django.utils.module_loading import autodiscover_modules

from mainspring.app import App
from mainspring.contrib.django.backend import MainspringBackend
from mainspring.contrib.django.call import DjangoCall, find
from mainspring.contrib.django.framework import (
    TaskContext,
    TaskError,
    TaskResult,
    TaskResultStatus,
    normalize_json,
    task_backends,
    task_finished,
    task_started,
)
from mainspring.contrib.django.results import new_result
from mainspring.errors import ConfigError
from mainspring.executor.attempts.context import Context

MODULES = "tasks"
"""Where projects keep them by convention; others are imported when a run asks for one."""


def make_app() -> App:
    """Set Django up, and serve every backend of ours that its settings name."""
    try:
        if not apps.ready:
            django.setup()
        backends = [each for each in task_backends.all() if isinstance(each, MainspringBackend)]
    except ImproperlyConfigured as error:
        raise ConfigError(f"Django cannot be set up: {error}") from None
    except ModuleNotFoundError as error:
        named = os.environ.get("DJANGO_SETTINGS_MODULE", "")
        if error.name is None or not f"{named}.".startswith(f"{error.name}."):
            raise
        raise ConfigError(f"DJANGO_SETTINGS_MODULE: there is no {named!r}; is the working directory right?") from None
    if not backends:
        raise ConfigError("TASKS of the Django settings has no mainspring.contrib.django.MainspringBackend")
    autodiscover_modules(MODULES)
    app = App("django", sync_client=backends[0].client)
    for backend in backends:
        retry = backend.settings.retry
        app.handlers.add(run_plain, name=backend.job, retry=retry)
        app.handlers.add(run_async, name=f"{backend.job}.async", retry=retry)
        app.handlers.queues |= backend.queues
    return app


def run_plain(ctx: Context, path: str, args: list[Any], kwargs: dict[str, Any], backend: str, priority: int = 0) -> Any:
    call = DjangoCall(path=path, args=args, kwargs=kwargs, backend=backend, priority=priority)
    with fresh_connections(), signalled(begun(ctx, call)) as result:
        value = result.task.func(*positional(result), **result.kwargs)
        return keep(result, value)


async def run_async(
    ctx: Context, path: str, args: list[Any], kwargs: dict[str, Any], backend: str, priority: int = 0
) -> Any:
    call = DjangoCall(path=path, args=args, kwargs=kwargs, backend=backend, priority=priority)
    async with own_thread(), signalled_async(await sync_to_async(begun)(ctx, call)) as result:
        value = await result.task.func(*positional(result), **result.kwargs)
        return keep(result, value)


def begun(ctx: Context, call: DjangoCall) -> "TaskResult[Any]":
    """The result as the function and the signals see it while it runs."""
    task = find(call.path).using(priority=call.priority, backend=call.backend)
    result = new_result(call, task, ctx.run)
    note(
        result,
        status=TaskResultStatus.RUNNING,
        started_at=timezone.now(),
        last_attempted_at=timezone.now(),
        worker_ids=[platform.node()] * ctx.attempt,
    )
    return result


def positional(result: "TaskResult[Any]") -> list[Any]:
    return [TaskContext(task_result=result), *result.args] if result.task.takes_context else result.args


def keep(result: "TaskResult[Any]", value: Any) -> Any:
    """Store the function's result as JSON values, and return them."""
    kept = normalize_json(value)
    note(result, status=TaskResultStatus.SUCCESSFUL, finished_at=timezone.now(), _return_value=kept)
    return kept


def failed(result: "TaskResult[Any]", error: BaseException) -> None:
    kind = type(error)
    trace = "".join(traceback.format_exception(error))
    seen = TaskError(exception_class_path=f"{kind.__module__}.{kind.__qualname__}", traceback=trace)
    note(result, status=TaskResultStatus.FAILED, finished_at=timezone.now(), errors=[seen])


def note(result: "TaskResult[Any]", **values: Any) -> None:
    """Results are frozen for all but backends."""
    for name, value in values.items():
        object.__setattr__(result, name, value)


@contextmanager
def signalled(result: "TaskResult[Any]") -> "Iterator[TaskResult[Any]]":
    """Send the framework's signals around an attempt."""
    task_started.send(MainspringBackend, task_result=result)
    try:
        yield result
    except BaseException as error:
        failed(result, error)
        raise
    finally:
        task_finished.send(MainspringBackend, task_result=result)


@asynccontextmanager
async def signalled_async(result: "TaskResult[Any]") -> "AsyncIterator[TaskResult[Any]]":
    await task_started.asend(MainspringBackend, task_result=result)
    try:
        yield result
    except BaseException as error:
        failed(result, error)
        raise
    finally:
        await task_finished.asend(MainspringBackend, task_result=result)


@contextmanager
def fresh_connections() -> Iterator[None]:
    """Django's work around a request: close broken and old connections."""
    reset_queries()
    close_old_connections()
    try:
        yield
    finally:
        close_old_connections()


@asynccontextmanager
async def own_thread() -> AsyncIterator[None]:
    """Django's work around an async request: a thread for the ORM, whose connections end with it."""
    async with ThreadSensitiveContext():
        try:
            yield
        finally:
            await sync_to_async(connections.close_all)()
