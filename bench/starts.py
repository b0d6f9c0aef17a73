"""Reads the starts that probes wrote (see peers/probe.py)."""

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.systems import Burst

PAUSE = 0.05
# Due instants are handed over in whole milliseconds, so a start this much before is not early.
ROUNDING = 0.001


@dataclass(frozen=True, slots=True)
class Start:
    """A handler started: which payload, and when on the monotonic clock."""

    payload: float
    at: float


def read_starts(directory: Path) -> list[Start]:
    lines = [line for file in directory.glob("*.stamps") for line in file.read_text().splitlines(keepends=True)]
    whole = [line.split() for line in lines if line.endswith("\n")]
    return [Start(float(payload), float(at)) for payload, at in whole]


def wait_for_starts(directory: Path, count: int, timeout: float) -> list[Start]:
    """Wait until `count` handlers have started, or until time is up; return those that did."""
    deadline = time.monotonic() + timeout
    while count_starts(directory) < count and time.monotonic() < deadline:
        time.sleep(PAUSE)
    time.sleep(PAUSE)
    return read_starts(directory)


def count_starts(directory: Path) -> int:
    return sum(int(file.read_text().split()[0]) for file in directory.glob("*.count"))


def first_start(directory: Path) -> float:
    return min(float(file.read_text().split()[1]) for file in directory.glob("*.count"))


def as_burst(starts: list[Start], count: int, due: float) -> Burst:
    """Judge the starts of payloads 0 to `count` - 1 that were due at `due` on the monotonic clock."""
    per_payload = Counter(start.payload for start in starts)
    instants = [start.at - due for start in starts] or [float("nan")]
    return Burst(
        first_start=min(instants),
        last_start=max(instants),
        early=sum(instant < -ROUNDING for instant in instants),
        lost=count - len(per_payload),
        twice=sum(times > 1 for times in per_payload.values()),
    )
