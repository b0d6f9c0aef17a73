"""The backend: turns a Django project's enqueued tasks into runs."""

import inspect
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from django.core import checks
from django.db import connections
from django.utils import timezone

from mainspring.client.transactional import InTransactionSync
from mainspring.client.transport.requests import Enqueue, new_enqueue
from mainspring.client.transport.servers import find_server
from mainspring.contrib.clients import process_client
from mainspring.contrib.django.call import LABEL, DjangoCall, find, urgency
from mainspring.contrib.django.framework import (
    BaseTaskBackend,
    InvalidTaskBackendError,
    Task,
    TaskResult,
    TaskResultDoesNotExist,
    normalize_json,
    task_enqueued,
)
from mainspring.contrib.django.results import new_result, read_result
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.domain.jobs.job import RetryPolicy
from mainspring.errors import ConfigError, InvalidInputError, NotFoundError

ALIAS_DEFAULT = "default"
JOB = "django"


class BackendOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="upper"):
    """Keys of OPTIONS; other settings come from the environment."""

    url: str | tuple[str, ...] | None = None
    """One address, several with commas between them, or a list."""
    token: str | None = None
    namespace: str | None = None
    ca_file: str | None = None
    database: str | None = None
    """An alias of DATABASES, the PostgreSQL of the servers: enqueue in its transactions."""
    retry: RetryPolicy = RetryPolicy()


class MainspringBackend(BaseTaskBackend):
    """Enqueues through a server, or with OPTIONS DATABASE in the transaction at hand."""

    task_class = Task
    supports_defer = True
    supports_async_task = True
    supports_get_result = True
    supports_priority = True

    def __init__(self, alias: str, params: dict[str, Any]) -> None:
        super().__init__(alias, params)
        self.settings = read_options(alias, self.options)
        self.job = JOB if alias == ALIAS_DEFAULT else f"{JOB}.{alias}"
        given = self.settings
        self.client = process_client(given.url, given.token, given.namespace, given.ca_file)

    def enqueue(self, task: "Task[Any, Any]", args: Iterable[Any], kwargs: Mapping[str, Any]) -> "TaskResult[Any]":
        self.validate_task(task)
        find(task.module_path)
        call = DjangoCall(
            path=task.module_path,
            args=normalize_json(list(args)),
            kwargs=normalize_json(dict(kwargs)),
            backend=self.alias,
            priority=task.priority,
        )
        run = self._send(self._wanted(task, call))
        result = new_result(call, task, run)
        task_enqueued.send(type(self), task_result=result)
        return result

    def get_result(self, result_id: str) -> "TaskResult[Any]":
        try:
            wanted = id_text(parse_run_id(str(result_id)))
            run = self.client.get(wanted)
            attempts = self.client.attempts(wanted) if run.failures or run.losses else ()
            return read_result(run, attempts)
        except (NotFoundError, InvalidInputError, msgspec.ValidationError) as error:
            raise TaskResultDoesNotExist(result_id) from error

    def check(self, **_: Any) -> Iterable[checks.CheckMessage]:
        """Whether a server could be found, and whether the database is one that has runs."""
        try:
            find_server((self.settings.url, self.settings.token, self.settings.namespace))
        except ConfigError as error:
            yield checks.Error(f"TASKS[{self.alias!r}]: {error}", id="mainspring.E001")
        database = self.settings.database
        if database is None:
            return
        if database not in connections:
            yield checks.Error(f"TASKS[{self.alias!r}]: there is no database {database!r}", id="mainspring.E002")
        elif connections[database].vendor != "postgresql":
            yield checks.Error(f"TASKS[{self.alias!r}]: {database!r} is not PostgreSQL", id="mainspring.E003")

    def _wanted(self, task: "Task[Any, Any]", call: DjangoCall) -> Enqueue:
        job = f"{self.job}.async" if inspect.iscoroutinefunction(task.func) else self.job
        wanted = new_enqueue(
            job,
            msgspec.Raw(msgspec.json.encode(call)),
            queue=task.queue_name,
            priority=urgency(task.priority),
            labels={LABEL: call.path},
        )
        return wanted if task.run_after is None else wanted.replace(due_at=aware(task.run_after))

    def _send(self, wanted: Enqueue) -> str:
        if self.settings.database is None:
            return self.client.send(wanted).id
        return InTransactionSync(self.client, connections[self.settings.database], strict=False).send(wanted).id


def read_options(alias: str, options: Mapping[str, Any]) -> BackendOptions:
    try:
        return msgspec.convert(options, BackendOptions)
    except msgspec.ValidationError as error:
        raise InvalidTaskBackendError(f"TASKS[{alias!r}]['OPTIONS']: {error}") from None


def aware(instant: datetime) -> datetime:
    return timezone.make_aware(instant) if timezone.is_naive(instant) else instant
