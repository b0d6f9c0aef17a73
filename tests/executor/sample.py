"""An app for child processes."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mainspring.domain.jobs.job import Pool
from mainspring.executor.attempts.context import Context
from mainspring.executor.attempts.signals import GiveUp, Retry, Snooze
from mainspring.executor.handlers.registry import Handlers


def double(number: int) -> int:
    return number * 2


async def double_async(number: int) -> int:
    return number * 2


def pid() -> int:
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def tick(trace: str, number: int) -> int:
    """Leave a line that counts how often it ran."""
    with Path(trace).open("a") as out:
        out.write(f"{number}\n")
    return number


def leave(code: int) -> None:
    os._exit(code)


def exit_politely() -> None:
    sys.exit("enough")


def talk(context: Context) -> None:
    context.logger.debug("from the context")
    logging.getLogger("sample").warning("from the library")
    context.progress(0.5, "half")


def tell_tags(context: Context) -> list[str]:
    return [*context.tags, str(context.deadline)]


def hang(pipe: str) -> None:
    """Say that it runs, then never end."""
    Path(pipe).write_text(str(os.getpid()))
    signal.pause()


def keep_going(context: Context, pipe: str) -> list[Any]:
    """Two steps, with a word to the test between them; the second attempt finds what the first has kept."""
    first = context.step_sync("first", os.getpid)
    context.checkpoint({"attempt": context.attempt})
    if context.attempt == 1:
        Path(pipe).write_text("here")
        while True:
            context.checkpoint({"attempt": context.attempt})
    with context.effect("mail") as sending:
        sending.result = sending.first
    return [first == os.getpid(), context.checkpointed_sync(), sending.result]


async def keep_going_async(context: Context) -> list[Any]:
    async with context.effect("mail") as sending:
        sending.result = 7
    return [await context.step("double", double_async, 4), await context.checkpointed()]


def hang_in_a_step(context: Context, pipe: str) -> None:
    context.step_sync("hang", hang, pipe)


def end_as(word: str) -> None:
    """Raise what a handler may raise to say what is to follow."""
    match word:
        case "retry":
            raise Retry(after=30, reason="busy")
        case "give up":
            raise GiveUp("no such order")
        case "snooze":
            raise Snooze(until=datetime(2030, 1, 1, tzinfo=UTC))
    raise BrokenPipeError(word)


async def end_as_async(word: str) -> None:
    end_as(word)


def take_longer(context: Context) -> None:
    context.extend_timeout(90)


def until_told(pipe: str, context: Context) -> str:
    Path(pipe).write_text("running")
    while not context.should_stop:
        os.sched_yield()
    return "told"


def hang_with_offspring(pipe: str, trace: str) -> None:
    """Start a process that does not heed SIGTERM, say which it is, never end, and leave a trace of being interrupted."""
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); signal.pause()"
    offspring = subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE)
    assert offspring.stdout is not None
    offspring.stdout.readline()
    try:
        Path(pipe).write_text(f"{os.getpid()} {offspring.pid}")
        signal.pause()
    except BaseException as error:
        Path(trace).write_text(type(error).__name__)
        raise


def leave_offspring() -> list[int]:
    """Start a process that never ends, and do not wait for it."""
    offspring = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    return [os.getpid(), offspring.pid]


async def hang_async(pipe: str, trace: str) -> None:
    try:
        Path(pipe).write_text("running")  # noqa: ASYNC240
        await asyncio.Event().wait()
    finally:
        Path(trace).write_text("cleaned up")  # noqa: ASYNC240


def ignore_everything(pipe: str) -> None:
    with suppress(BaseException):
        Path(pipe).write_text(str(os.getpid()))
    while True:
        with suppress(BaseException):
            signal.pause()


async def block(pipe: str) -> None:
    """Block the loop, which no handler should, and never end."""
    Path(pipe).write_text("running")  # noqa: ASYNC240
    threading.Event().wait()


registry = Handlers()
registry.add(block)
for function in (double, double_async, pid, die, tick, leave, exit_politely, talk, tell_tags, hang, until_told):
    registry.add(function, pool=Pool.PROCESSES)
for ending in (end_as, end_as_async, take_longer):
    registry.add(ending, pool=Pool.PROCESSES)
for remembering in (keep_going, keep_going_async, hang_in_a_step):
    registry.add(remembering, pool=Pool.PROCESSES)
for stopped in (hang_with_offspring, leave_offspring, hang_async, ignore_everything):
    registry.add(stopped, pool=Pool.PROCESSES)


class App:
    """What an app is to an executor."""

    handlers = registry


app = App()
