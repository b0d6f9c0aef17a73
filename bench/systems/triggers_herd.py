"""Very many triggers that are due at one instant, while others call the API."""

import json
import time
from datetime import UTC, datetime
from itertools import chain

from bench.mainspring.calls import Timed
from bench.measurement import Measurement
from bench.starts import wait_for_starts
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable, DrainError
from bench.systems.triggers_memory import memory_of
from bench.systems.triggers_minutes import whole_minute
from bench.systems.triggers_seconds import wait_until
from bench.systems.triggers_sizes import Sizes
from bench.ticks import Ticks, judge, on_wall

LOADED_PER_SECOND = 5_000
"""How fast the triggers must be loaded at least."""
AHEAD = 40.0
"""Between the end of the load and the instant: longer than the look-ahead, so that all are prepared as on any day."""
LEAD = 3.0
"""Seconds before the instant at which the calls begin."""
CALLED = 30.0
PATIENCE = 120.0


def herd(system: Drainable, sizes: Sizes) -> list[Measurement]:
    here = system.renew("herd")
    executor = here.start_executor(system.app, "--pool", system.pool, mode="stamps")
    here.wait(lambda: here.attached() == 1, "the executor did not connect")
    due = whole_minute(time.time() + sizes.herd / LOADED_PER_SECOND + AHEAD)
    loaded = here.ask("triggers", str(sizes.herd), f"{datetime.fromtimestamp(due, UTC):%-M %-H * * *}")
    if time.time() > due - AHEAD:
        raise DrainError(f"loading {sizes.herd} triggers took {loaded:.0f} s: too long")
    wait_until(due - LEAD, here.check_alive)
    calls = json.loads(here.output("calls", str(CALLED)))
    # The calls make runs too.
    starts = wait_for_starts(executor.probe, sizes.herd + len(calls["post"]), PATIENCE)
    here.check_alive()
    expected = [(number, due) for number in range(1, sizes.herd + 1)]
    found = judge((((number, due), at - due) for number, at in on_wall(starts)), expected)
    details = {**system.details, "triggers": sizes.herd, "loaded": loaded, "server_mb": memory_of(here.server).peak_mb}
    return [*found.measurements(system.name, "herd", "s", details), as_calls(system, calls, due, found, details)]


def as_calls(
    system: Drainable, calls: dict[str, Timed], due: int, found: Ticks, details: dict[str, object]
) -> Measurement:
    """Calls that were to begin between the instant and the last start."""
    begin = due - (time.time() - time.monotonic())
    end = begin + max(found.delays, default=PATIENCE)
    took = {kind: [value for at, value in timed if begin <= at <= end] for kind, timed in calls.items()}
    values = list(chain(*took.values()))
    if not values:
        return Measurement("triggers", system.name, "herd, api p95", None, "ms", details, "no call fell into that time")
    by_kind = {f"{kind}_p95": percentile(several, 0.95) for kind, several in took.items() if several}
    more = {"calls": len(values), "p50": percentile(values, 0.5), "max_ms": max(values), **by_kind}
    return Measurement("triggers", system.name, "herd, api p95", percentile(values, 0.95), "ms", {**details, **more})
