"""What idle processes use."""

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from bench.processes import family
from bench.starts import count_starts
from bench.systems import ProcessUse

MEGABYTE = 1024 * 1024
PATIENCE = 60.0
PAUSE = 0.02


def usage(role: str, processes: Sequence[subprocess.Popen[bytes]], seconds: float) -> ProcessUse:
    """Memory now and processor time over the next `seconds`, of the processes and all their children."""
    members = [member for process in processes for member in family(process)]
    before, begin = {member: cpu_time(member) for member in members}, time.monotonic()
    time.sleep(seconds)
    # A system may replace its children now and then, even when idle.
    members = [member for member in members if member.is_running()]
    spent = sum(cpu_time(member) - before[member] for member in members)
    return ProcessUse(
        role=role,
        processes=len(members),
        rss_mb=sum(member.memory_info().rss for member in members) / MEGABYTE,
        pss_mb=sum(member.memory_full_info().pss for member in members) / MEGABYTE,
        cpu_percent=100 * spent / (time.monotonic() - begin),
    )


class ProcessorMeter:
    """Processor time of whole systems from the first start on, so that booting does not count."""

    def __init__(self, probe: Path, processes: Sequence[subprocess.Popen[bytes]]) -> None:
        self._processes = processes
        deadline = time.monotonic() + PATIENCE
        while not (early := count_starts(probe)):
            if time.monotonic() > deadline or any(process.poll() is not None for process in processes):
                raise TimeoutError("no run was started")
            time.sleep(PAUSE)
        self._early = early
        self._before = self._spent()

    def per_thousand(self, count: int) -> float:
        """Milliseconds per 1,000 of `count` runs, of which the first were not measured."""
        return (self._spent() - self._before) * 1_000_000 / max(count - self._early, 1)

    def _spent(self) -> float:
        members = [member for process in self._processes for member in family(process)]
        return sum(with_reaped(member) for member in members)


def with_reaped(member: psutil.Process) -> float:
    """Processor time of a process and of its children that have ended."""
    try:
        times = member.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system + times.children_user + times.children_system)


def cpu_time(member: psutil.Process) -> float:
    times = member.cpu_times()
    total: float = times.user + times.system
    return total
