"""Functions of a Django project, and Django made ready once for a process."""

import os
from typing import Any

import django
from asgiref.sync import sync_to_async
from django.apps import apps
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.contrib.django_settings")
if not apps.ready:
    django.setup()

from django_tasks import TaskContext, task

IS_READY = True


class OutOfPaperError(Exception):
    """An error of the project's own."""


@task
def add(left: int, right: int = 0) -> int:
    return left + right


@task
async def shout(text: str) -> str:
    return text.upper()


@task(takes_context=True)
def describe(context: TaskContext, note: str) -> list[Any]:
    result = context.task_result
    return [context.attempt, result.id, result.status, result.task.name, note]


@task
def jam() -> None:
    raise OutOfPaperError("tray 2")


@task(takes_context=True)
def jam_once(context: TaskContext) -> int:
    if context.attempt == 1:
        raise ValueError("try again")
    return context.attempt


@task(takes_context=True)
async def jam_async(context: TaskContext) -> None:
    raise LookupError(context.task_result.task.module_path)


@task
def query() -> int:
    """The process of the database that answered, to see whether the connection was kept."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


@task
async def query_async() -> int:
    return await sync_to_async(query.func)()


@task
def give_set() -> set[int]:
    return {1}


@task(queue_name="mail", priority=100)
def mail(to: str) -> str:
    return f"to {to}"


def plain() -> None:
    """Not decorated: nobody may enqueue or run it."""


renamed = task(plain)
