"""When the steps of walks began, by the handlers' own word: a file beside the ledger."""

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from mainspring.clock import SystemClock
from tests.acceptance.ledger import VARIABLE

LENGTH = 8
"""Steps of a walk."""
SUFFIX = ".strides"


@dataclass(frozen=True, order=True)
class Stride:
    """A step of a walk, and when it began by the clock that all processes of a machine share."""

    at: float
    step: int
    run: str


def write(flow: int, step: int, run: str) -> None:
    """Append a line, from inside a handler."""
    with Path(os.environ[VARIABLE] + SUFFIX).open("a") as file:
        file.write(f"{flow} {step} {SystemClock().monotonic()!r} {run}\n")


def read(ledger: Path) -> dict[int, list[Stride]]:
    """The strides of each walk, in the order of their beginnings."""
    found: dict[int, list[Stride]] = defaultdict(list)
    file = Path(str(ledger) + SUFFIX)
    for line in file.read_text().splitlines(keepends=True) if file.exists() else ():
        if line.endswith("\n"):
            flow, step, at, run = line.split()
            found[int(flow)].append(Stride(float(at), int(step), run))
    return {flow: sorted(strides) for flow, strides in found.items()}
