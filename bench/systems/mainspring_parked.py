"""The drain beside a million parked and a million future runs, against the drain of a table without them."""

import time
from dataclasses import dataclass, field

from bench.mainspring.names import NOOP, PARKED
from bench.measurement import Measurement
from bench.stats import spread
from bench.systems.mainspring_cpu import since, spent_by_server
from bench.systems.mainspring_drain import Drainable, check_history, wait_until_drained
from bench.systems.mainspring_installation import Installation
from bench.systems.mainspring_store import any_due

PAIRS = 5
COUNT = 60_000
CROWD = 1_000_000
DAYS = 30
QUICK = 20
MICROSECONDS = 1_000_000


@dataclass(slots=True)
class Drains:
    """The drains of one place: runs per second, and microseconds of the server's and the database's processors per run."""

    place: Installation
    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)


def parked(system: Drainable, *, quick: bool) -> list[Measurement]:
    pairs, count, crowd = (1, COUNT // QUICK, CROWD // QUICK) if quick else (PAIRS, COUNT, CROWD)
    alone, beside = Drains(system.here), Drains(system.open_another(f"{system.name}-crowded"))
    loading = crowd_in(beside.place, crowd)
    for pair in range(pairs):
        # Who goes first changes from pair to pair, so that neither gains from what the other left behind.
        for drains in (alone, beside) if pair % 2 == 0 else (beside, alone):
            drain_once(system, drains, count)
    more = {"count": count, "parked": crowd, "future": crowd, "loaded_by": "bulk API calls", "loading_rate": loading}
    return as_measurements(system, alone, beside, more)


def crowd_in(place: Installation, crowd: int) -> float:
    """Load runs whose handler nobody has, and runs for later of the very job that is drained; return runs per second."""
    place.register("bench.mainspring.parked:app")
    seconds = place.ask("fill", PARKED, str(crowd), "0") + place.ask("fill", NOOP, str(crowd), str(DAYS))
    place.store.tidy()
    return 2 * crowd / seconds


def drain_once(system: Drainable, drains: Drains, count: int) -> None:
    place, servers = drains.place, system.servers
    assert servers is not None
    place.ask("fill", NOOP, str(count), "0")
    servers.settle()
    with place.store.read() as reader:
        before = spent_by_server(place, servers)
        executor = place.start_executor(system.app, "--pool", system.pool)
        question = any_due(place.store, time.time())
        seconds = wait_until_drained(place, executor, reader, question=question, count=count)
        used = since(before, spent_by_server(place, servers))
        check_history(place, reader, expected=count * (len(drains.rates) + 1))
    place.stop_executor(executor)
    drains.rates.append(count / seconds)
    drains.costs.append(sum(used.values()) * MICROSECONDS / count)


def as_measurements(system: Drainable, alone: Drains, beside: Drains, more: dict[str, object]) -> list[Measurement]:
    lines = {
        "drain alone": (alone.rates, "runs/s"),
        "drain beside": (beside.rates, "runs/s"),
        "beside over alone": (ratios(beside.rates, alone.rates), "x"),
        "cost alone": (alone.costs, "µs/run"),
        "cost beside": (beside.costs, "µs/run"),
        "cost beside over alone": (ratios(beside.costs, alone.costs), "x"),
    }
    return [
        Measurement(
            "parked", system.name, metric, spread(values).median, unit, {**system.details, **more, **ends(values)}
        )
        for metric, (values, unit) in lines.items()
    ]


def ratios(ours: list[float], theirs: list[float]) -> list[float]:
    return [one / other for one, other in zip(ours, theirs, strict=True)]


def ends(values: list[float]) -> dict[str, object]:
    return {"rounds": values, "min": min(values), "max": max(values)}
