"""How long after their instant retries, snoozes, delayed and resumed runs begin: on an idle executor, and beside other work."""

from bench.measurement import Measurement
from bench.options import Options
from bench.starts import ROUNDING, wait_for_starts
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable
from bench.systems.mainspring_installation import Installation

KINDS = ("retry", "snooze", "delay", "resume")
COUNT = 400
PER_SECOND = 40
CROWD = 1000
"""Runs of higher priority a second: each waits for 20 ms, so 20 of the 200 slots are theirs."""
APP = "bench.mainspring.timely:app"
PATIENCE = 20.0
WARM_UP = 40


def on_time(system: Drainable, options: Options) -> list[Measurement]:
    here = system.here
    here.register(APP)
    # The first statements of a server pay for their plans, which is not what is measured here.
    late(here, "retry", WARM_UP, 0)
    return [
        measurement
        for crowd in (0, CROWD)
        for kind in KINDS
        for measurement in as_measurements(system, kind, crowd, late(here, kind, options.scaled(COUNT), crowd))
    ]


def late(here: Installation, kind: str, count: int, crowd: int) -> list[float]:
    """Milliseconds after their instants."""
    executor = here.start_executor(APP, mode="stamps")
    here.wait(lambda: here.attached() == 1, "the executor did not connect")
    here.ask("appoint", kind, str(count), str(PER_SECOND), str(crowd))
    starts = wait_for_starts(executor.probe, count, PATIENCE)
    here.stop_executor(executor)
    here.wait(lambda: here.attached() == 0, "the executor did not leave")
    if len(starts) != count:
        raise TimeoutError(f"{len(starts)} of {count} runs began")
    return [(start.at - start.payload) * 1000 for start in starts]


def as_measurements(system: Drainable, kind: str, crowd: int, values: list[float]) -> list[Measurement]:
    early = sum(value < -ROUNDING * 1000 for value in values)
    details = {**system.details, "count": len(values), "early": early, "min": min(values), "max": max(values)}
    where = "beside other work" if crowd else "idle"
    return [
        Measurement("on_time", system.name, f"{kind}, {where}, {name}", percentile(values, share), "ms", details)
        for name, share in (("p50", 0.5), ("p95", 0.95))
    ]
