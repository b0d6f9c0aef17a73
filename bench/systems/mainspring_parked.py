"""The drain beside a million parked and a million future runs, against the drain of a table without them."""

import time
from typing import Protocol

from bench.mainspring.names import NOOP, PARKED
from bench.measurement import Measurement
from bench.servers import Servers
from bench.stats import spread
from bench.systems.mainspring_drain import check_history, wait_until_drained
from bench.systems.mainspring_installation import Executor, Installation
from bench.systems.mainspring_store import any_due

PAIRS = 3
COUNT = 60_000
CROWD = 1_000_000
DAYS = 30
QUICK = 20


class Drainable(Protocol):
    """What this bench needs of the system."""

    name: str
    app: str
    pool: str
    servers: Servers | None

    @property
    def details(self) -> dict[str, object]: ...

    @property
    def here(self) -> Installation: ...

    def open_another(self, name: str) -> Installation: ...


def parked(system: Drainable, *, quick: bool) -> list[Measurement]:
    pairs, count, crowd = (1, COUNT // QUICK, CROWD // QUICK) if quick else (PAIRS, COUNT, CROWD)
    alone, crowded = system.here, system.open_another(f"{system.name}-crowded")
    loading = crowd_in(crowded, crowd)
    found: dict[str, list[float]] = {"alone": [], "crowded": []}
    for pair in range(pairs):
        places = [("alone", alone), ("crowded", crowded)]
        # Who goes first changes from pair to pair, so that neither gains from what the other left behind.
        for name, place in places[:: 1 if pair % 2 == 0 else -1]:
            found[name].append(drain_rate(system, place, count, expected=count * (pair + 1)))
    more = {"count": count, "parked": crowd, "future": crowd, "loaded_by": "bulk API calls", "loading_rate": loading}
    return as_measurements(system, found, more)


def crowd_in(place: Installation, crowd: int) -> float:
    """Load runs whose handler nobody has, and runs for later of the very job that is drained; return runs per second."""
    place.register("bench.mainspring.parked:app")
    seconds = place.ask("fill", PARKED, str(crowd), "0") + place.ask("fill", NOOP, str(crowd), str(DAYS))
    place.store.tidy()
    return 2 * crowd / seconds


def drain_rate(system: Drainable, place: Installation, count: int, *, expected: int) -> float:
    assert system.servers is not None
    place.ask("fill", NOOP, str(count), "0")
    system.servers.settle()
    with place.store.read() as reader:
        executor: Executor = place.start_executor(system.app, "--pool", system.pool)
        question = any_due(place.store, time.time())
        seconds = wait_until_drained(place, executor, reader, question=question, count=count)
        check_history(place, reader, expected=expected)
    place.stop_executor(executor)
    return count / seconds


def as_measurements(system: Drainable, found: dict[str, list[float]], more: dict[str, object]) -> list[Measurement]:
    ratios = [crowded / alone for alone, crowded in zip(found["alone"], found["crowded"], strict=True)]
    lines = [("drain alone", found["alone"], "runs/s"), ("drain beside", found["crowded"], "runs/s")]
    return [
        Measurement(
            "parked",
            system.name,
            metric,
            spread(values).median,
            unit,
            {**system.details, **more, "rounds": values, "min": min(values), "max": max(values)},
        )
        for metric, values, unit in [*lines, ("beside over alone", ratios, "x")]
    ]
