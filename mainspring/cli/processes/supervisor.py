"""`mainspring executor --processes N`: executor processes that start, drain and end together."""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mainspring.cli.processes.child import ExecutorChild
from mainspring.cli.processes.scaled import ProcessRange, ScaledProcesses, parse_range
from mainspring.cli.processes.signals import run, stop_on_signals
from mainspring.client.async_client import AsyncClient
from mainspring.clock import SystemClock
from mainspring.domain.jobs.job import Pool
from mainspring.errors import ConfigError
from mainspring.executor.process.assembly import queues_of
from mainspring.executor.process.cores import usable_cores
from mainspring.executor.process.loading import load_handlers
from mainspring.settings import ExecutorSettings

log = logging.getLogger("mainspring.executor")

STDIN = 0
OPTIONS = {
    "servers": "--server",
    "queues": "--queue",
    "labels": "--label",
    "resources": "--resource",
    "pools": "--pool",
}
"""Options whose names differ from their settings'."""
SPARE = 15.0
"""Seconds that a process has beyond its grace before it is killed."""


def run_supervised(
    app: str,
    settings: ExecutorSettings,
    flags: Mapping[str, Any],
    secrets: Mapping[str, str],
    *,
    with_parent: bool,
    applying: bool,
) -> int:
    """Run executor processes with the options and secrets of this command; return an exit code."""
    bounds = parse_range(settings.processes)
    if bounds is not None:
        return run(scaled_to(bounds, app, settings, flags, secrets).run())
    count = count_of(settings.processes, usable_cores())
    options = [app, *as_options({**flags, "processes": "1"})]
    # The first one applies triggers: all have the same code.
    processes = [
        ExecutorChild(
            [*options, *(["--apply"] if applying and number == 0 else [])],
            env=secrets,
            clock=SystemClock(),
            drain_max=settings.grace + SPARE,
        )
        for number in range(count)
    ]
    return run(supervise(processes, with_parent=with_parent))


def scaled_to(
    bounds: ProcessRange, app: str, settings: ExecutorSettings, flags: Mapping[str, Any], secrets: Mapping[str, str]
) -> ScaledProcesses:
    """As many processes as the queues want; the parent imports the app to know these, unless the settings name them."""
    options = [app, *as_options({**flags, "processes": "1"})]
    clock = SystemClock()

    def start(_number: int) -> ExecutorChild:
        return ExecutorChild(options, env=secrets, clock=clock, drain_max=settings.grace + SPARE)

    return ScaledProcesses(start, bounds, AskServers(app, settings, flags), clock)


class AskServers:
    """Asks a server how many processes the queues of this executor want."""

    def __init__(self, app: str, settings: ExecutorSettings, flags: Mapping[str, Any]) -> None:
        sys.path.insert(0, str(Path.cwd()))
        self._queues = list(settings.queues) or queues_of(load_handlers(app))
        # Pools that no option names have room for other jobs: they say nothing of these.
        named = {text.partition("=")[0] for text in flags.get("pools") or ()}
        sizes = [size for size in settings.pools if (size.pool.value in named if named else size.pool is Pool.THREADS)]
        self._slots = max(1, sum(size.max for size in sizes))
        self._settings = settings
        self._client: AsyncClient | None = None

    async def __call__(self) -> int:
        mine = self._settings
        if self._client is None:
            self._client = AsyncClient(
                mine.servers, token=mine.token, namespace=mine.namespace, ca_file=mine.ca_file or None
            )
        return (await self._client.queues.scaling_of(self._queues, slots=self._slots)).wanted


def as_options(flags: Mapping[str, Any]) -> Iterator[str]:
    for name, value in flags.items():
        if value is None:
            continue
        option = OPTIONS.get(name) or f"--{name.replace('_', '-')}"
        for one in value if isinstance(value, tuple) else (value,):
            yield from (option, f"{one}s" if isinstance(one, float) else str(one))


async def supervise(processes: Sequence[ExecutorChild], *, with_parent: bool) -> int:
    """Keep them alive until a signal, drain them together, and return the worst of their exit codes."""
    stop = asyncio.Event()

    def end_at_once() -> None:
        for process in processes:
            process.end()

    stop_on_signals(stop, again=end_at_once)
    if with_parent:
        loop = asyncio.get_running_loop()
        threading.Thread(target=lambda: wait_for_parent(loop, stop), daemon=True).start()
    log.info("running %d executor processes", len(processes))
    keeping = [asyncio.create_task(process.keep(stop)) for process in processes]
    for task in keeping:
        # One that refuses to work ends them all: the others have the same settings.
        task.add_done_callback(lambda _: stop.set())
    ended = await asyncio.gather(*keeping, return_exceptions=True)
    for failed in ended:
        if isinstance(failed, BaseException):
            raise failed
    codes = [code for code in ended if isinstance(code, int)]
    return max((code if code >= 0 else 1 for code in codes), default=0)


def wait_for_parent(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    while os.read(STDIN, 1024):
        pass
    loop.call_soon_threadsafe(stop.set)


def count_of(text: str, cores: int) -> int:
    """The number of processes: a number, or `auto` for one per core."""
    if text == "auto":
        return cores
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise ConfigError(f"processes: {text!r} is neither a number above 0 nor auto")
