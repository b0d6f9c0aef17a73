"""What idle processes use."""

import subprocess
import time
from collections.abc import Sequence

import psutil

from bench.processes import family
from bench.systems import ProcessUse

MEGABYTE = 1024 * 1024


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


def cpu_time(member: psutil.Process) -> float:
    times = member.cpu_times()
    total: float = times.user + times.system
    return total
