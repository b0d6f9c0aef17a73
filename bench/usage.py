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
    before, begin = cpu_time(members), time.monotonic()
    time.sleep(seconds)
    spent = cpu_time(members) - before
    return ProcessUse(
        role=role,
        processes=len(members),
        rss_mb=sum(member.memory_info().rss for member in members) / MEGABYTE,
        pss_mb=sum(member.memory_full_info().pss for member in members) / MEGABYTE,
        cpu_percent=100 * spent / (time.monotonic() - begin),
    )


def cpu_time(members: Sequence[psutil.Process]) -> float:
    total: float = sum(times.user + times.system for times in (member.cpu_times() for member in members))
    return total
