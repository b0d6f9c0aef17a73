"""Whether a process that was killed had used up its memory: the kernel counts that for each control group."""

from pathlib import Path

HERE = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")


def memory_kills(here: Path = HERE, groups: Path = GROUPS) -> int | None:
    """Processes of this control group that the kernel has killed for want of memory; None if unknown."""
    try:
        # The line of the unified hierarchy; its path is relative to the root that is mounted here.
        path = next(line[3:] for line in here.read_text().splitlines() if line.startswith("0::"))
        events = (groups / path.lstrip("/") / "memory.events").read_text()
        return int(dict(line.split() for line in events.splitlines())["oom_kill"])
    except (OSError, ValueError, KeyError, StopIteration):
        return None
