"""An app for child processes."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from mainspring.domain.job import Pool
from mainspring.executor.context import Context
from mainspring.executor.handlers import Handlers


def double(number: int) -> int:
    return number * 2


async def double_async(number: int) -> int:
    return number * 2


def pid() -> int:
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


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
for function in (double, double_async, pid, die, leave, exit_politely, talk, tell_tags, hang, until_told):
    registry.add(function, pool=Pool.PROCESSES)
for stopped in (hang_with_offspring, hang_async, ignore_everything):
    registry.add(stopped, pool=Pool.PROCESSES)


class App:
    """What an app is to an executor."""

    handlers = registry


app = App()
