"""The memory of a process, now and at its highest."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

KILOBYTES = 1024


@dataclass(frozen=True, slots=True)
class Memory:
    now_mb: float
    peak_mb: float


def memory_of(process: subprocess.Popen[bytes] | None) -> Memory:
    """What is resident, as the kernel counts it."""
    assert process is not None
    lines = (line.split() for line in Path(f"/proc/{process.pid}/status").read_text().splitlines())
    found = {words[0]: int(words[1]) / KILOBYTES for words in lines if words[0] in ("VmRSS:", "VmHWM:")}
    return Memory(now_mb=found["VmRSS:"], peak_mb=found["VmHWM:"])
