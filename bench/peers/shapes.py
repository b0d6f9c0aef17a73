"""The command of a peer of workflows: `SHAPE COUNT`, timed from the request to the last result.

| shape | COUNT | |
|---|---|---|
| chain | steps | one after the other |
| layers | steps of a layer | ten layers, each after the one before |
| mapped | items | a map over a list, and the sum of it |
| chains | chains | of ten steps each, at once |
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping

LAYERS, LINKS = 10, 10
Shape = Callable[[int], object]
"""Runs one shape to its end, and returns what came out."""


def expected(shape: str, count: int) -> object:
    """What has to come out; steps return their input."""
    return {"chain": 1, "layers": 1, "mapped": sum(range(count)), "chains": count}[shape]


def measure(shapes: Mapping[str, Shape], warm: Shape) -> None:
    """Run one small workflow first, so that no boot and no first connection is on the clock."""
    shape, count = sys.argv[1], int(sys.argv[2])
    warm(2)
    began = time.monotonic()
    found = shapes[shape](count)
    seconds = time.monotonic() - began
    if found != expected(shape, count):
        raise SystemExit(f"{shape} of {count} came to {found!r}")
    print(json.dumps({"seconds": seconds}), flush=True)
    # Pools keep threads and sockets open; the answer is out, so leave at once.
    os._exit(0)
