"""How many processor cores this process may use."""

import math
import os
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(quota: Path = QUOTA) -> int:
    """Cores that the scheduler gives this process, and no more than its control group's quota."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        share, period = quota.read_text().split()
        return max(min(cores, math.ceil(int(share) / int(period))), 1)
    except (OSError, ValueError):
        # No control groups here, or no limit: `max`.
        return cores
