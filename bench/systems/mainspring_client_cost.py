"""Processor time that one enqueue costs the caller's process."""

import json

from bench.measurement import Measurement
from bench.systems.mainspring_drain import Drainable

COUNT, COUNT_QUICK = 3000, 100
MILLISECONDS = 1000


def client_cost(system: Drainable, *, quick: bool) -> list[Measurement]:
    count = COUNT_QUICK if quick else COUNT
    found: dict[str, float] = json.loads(system.here.output("cost", str(count)))
    details = {**system.details, "count": count}
    return [
        Measurement("client", system.name, f"{client}.enqueue, processor", seconds * MILLISECONDS, "ms", details)
        for client, seconds in found.items()
    ]
