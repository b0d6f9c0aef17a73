"""Finds the attempt of a task on the user's loop, from another thread.

A handler may work in tasks of its own, which are not below it in the stack. They inherit its context variables, and those name
the attempt.
"""

import asyncio
from collections.abc import Coroutine, Generator
from contextvars import Context
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

from mainspring.executor.attempts.attempt import Attempt, current

AnyTask = asyncio.Task[Any]
Work = Coroutine[Any, Any, Any] | Generator[Any, None, Any]

_attempts: WeakKeyDictionary[AnyTask, Attempt] = WeakKeyDictionary()
"""Used only where tasks do not show their context: before Python 3.12."""


def mark_attempts(loop: asyncio.AbstractEventLoop) -> None:
    """Record the attempt of every task on this loop, where tasks do not show their context."""
    if not hasattr(asyncio.Task, "get_context"):
        loop.set_task_factory(make_marked)


def make_marked(loop: asyncio.AbstractEventLoop, work: Work, /, *, context: Context | None = None) -> AnyTask:
    task: AnyTask = asyncio.Task(work, loop=loop, context=context)
    attempt = current.get(None) if context is None else context.get(current)
    if attempt is not None:
        _attempts[task] = attempt
    return task


def attempt_of(task: AnyTask) -> Attempt | None:
    """The attempt that has made it, directly or through other tasks."""
    if hasattr(task, "get_context"):
        found: Attempt | None = task.get_context().get(current)
        return found
    return _attempts.get(task)


def frame_of(task: AnyTask) -> FrameType | None:
    """Where its own code begins, if that is Python's."""
    frame = getattr(task.get_coro(), "cr_frame", None)
    return frame if isinstance(frame, FrameType) else None
