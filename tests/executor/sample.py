"""An app for child processes."""

import logging
import os
import signal
import sys
import threading
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


def hang(pipe: str) -> None:
    """Say that it runs, then never end."""
    Path(pipe).write_text(str(os.getpid()))
    signal.pause()


def until_told(pipe: str, context: Context) -> str:
    Path(pipe).write_text("running")
    while not context.should_stop:
        os.sched_yield()
    return "told"


async def block(pipe: str) -> None:
    """Block the loop, which no handler should, and never end."""
    Path(pipe).write_text("running")  # noqa: ASYNC240
    threading.Event().wait()


registry = Handlers()
registry.add(block)
for function in (double, double_async, pid, die, leave, exit_politely, talk, hang, until_told):
    registry.add(function, pool=Pool.PROCESSES)


class App:
    """What an app is to an executor."""

    handlers = registry


app = App()
