"""A hundred thousand runs running at once: reached, held while the API is called, handed back."""

import json
import signal
import subprocess
import time
from itertools import chain

import psutil

from bench.mainspring.names import HOLD
from bench.measurement import Measurement
from bench.starts import count_starts, first_start
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable, DrainError
from bench.systems.mainspring_installation import Executor, Installation
from bench.systems.mainspring_store import Reader, count_live

COUNT, SECONDS = 100_000, 60.0
COUNT_QUICK, SECONDS_QUICK = 5000, 5.0
ROOM = 100
"""Slots beyond those that are held, for the runs that the callers of the API post."""
GRACE = 10.0
"""Seconds: with so many in hand nothing of it is left for their own ends, and all can be handed in."""
LEAVE_MAX = 60.0
REST = 2.0
MEGABYTE = 1024 * 1024
QUEUED, RUNNING = 1, 2


def concurrent(system: Drainable, *, quick: bool) -> list[Measurement]:
    count, seconds = (COUNT_QUICK, SECONDS_QUICK) if quick else (COUNT, SECONDS)
    here = system.here
    here.ask("fill", HOLD, str(count), "0")
    options = ("--pool", f"loop=0:{count + ROOM}:0", "--grace", str(GRACE))
    with here.store.read() as reader:
        before, idle = memory(here.server), memory_of_idle(here, system.app)
        executor = here.start_executor(system.app, *options)
        figures = {"reached": reach(here, executor, count)}
        calls = {
            kind: [took for _, took in timed] for kind, timed in json.loads(here.output("calls", str(seconds))).items()
        }
        check_held(here, reader, count)
        sizes = {"server": memory(here.server) - before, "executor": memory(executor.process) - idle}
        figures["handed back"] = hand_back(here, executor, reader, count)
    return [*as_times(system, figures, count), *as_calls(system, calls, count), *as_memory(system, sizes, count)]


def memory(process: subprocess.Popen[bytes] | None) -> int:
    assert process is not None
    resident: int = psutil.Process(process.pid).memory_info().rss
    return resident


def memory_of_idle(here: Installation, app: str) -> int:
    """What an executor of this app has before it was given anything."""
    executor = here.start_executor(app, "--queue", "nothing")
    here.wait(lambda: here.attached() == 1, "the executor did not connect")
    idle = memory(executor.process)
    here.stop_executor(executor)
    return idle


def reach(here: Installation, executor: Executor, count: int) -> float:
    """Seconds from the first start until all have started."""
    here.wait(lambda: count_starts(executor.probe) >= count, "not all runs were started", timeout=120.0)
    reached = time.monotonic() - first_start(executor.probe)
    time.sleep(REST)
    return reached


def check_held(here: Installation, reader: Reader, count: int) -> None:
    """All of them still run under the session that they were started in, and nobody took them for lost."""
    live = here.store.live
    held = f"SELECT count(*) FROM {live} WHERE state = {RUNNING} AND attempt = 1 AND losses = 0"
    sessions = f"SELECT count(DISTINCT session) FROM {live} WHERE state = {RUNNING}"
    if reader.value(held) < count or reader.value(sessions) != 1 or here.attached() != 1:
        raise DrainError(f"only {reader.value(held)} of {count} runs were held\n{here.log()}")


def hand_back(here: Installation, executor: Executor, reader: Reader, count: int) -> float:
    """Seconds from SIGTERM to the end of the process; its runs must be back in their queue."""
    begin = time.monotonic()
    executor.process.send_signal(signal.SIGTERM)
    executor.process.wait(LEAVE_MAX)
    seconds = time.monotonic() - begin
    here.executors.remove(executor)
    queued = reader.value(count_live(here.store, QUEUED))
    if queued < count:
        raise DrainError(f"only {queued} of {count} runs were handed back\n{here.log()}")
    return seconds


def as_times(system: Drainable, figures: dict[str, float], count: int) -> list[Measurement]:
    details = {**system.details, "count": count}
    return [Measurement("concurrent", system.name, name, value, "s", details) for name, value in figures.items()]


def as_calls(system: Drainable, calls: dict[str, list[float]], count: int) -> list[Measurement]:
    shown = {"api p95": list(chain(*calls.values()))} | {f"api {kind} p95": took for kind, took in calls.items()}
    return [
        Measurement(
            "concurrent",
            system.name,
            metric,
            percentile(took, 0.95),
            "ms",
            {**system.details, "count": count, "calls": len(took), "p50": percentile(took, 0.5), "max_ms": max(took)},
        )
        for metric, took in shown.items()
    ]


def as_memory(system: Drainable, sizes: dict[str, int], count: int) -> list[Measurement]:
    """What the processes grew by; `bytes_per_run` is that growth shared out."""
    found = []
    for role, size in sizes.items():
        details = {**system.details, "count": count, "bytes_per_run": round(size / count)}
        found.append(Measurement("concurrent", system.name, f"{role} growth", size / MEGABYTE, "MB", details))
    return found
