"""Drains beside histories of several sizes: a run must cost the same, however many have ended before it."""

from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.mainspring.names import NOOP
from bench.measurement import Measurement
from bench.options import Options
from bench.processes import run
from bench.systems.mainspring_drain import Drainable, check_history, wait_until_drained
from bench.systems.mainspring_installation import Installation
from bench.systems.mainspring_store import any_live
from bench.usage import ProcessorMeter

ROWS = (0, 3_000_000, 10_000_000)
COUNT = 60_000
ENDED = Path(__file__).resolve().parent.parent / "mainspring" / "ended.sql"


@dataclass(slots=True)
class Drains:
    """The drains beside one history."""

    place: Installation
    rows: int
    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)


def history(system: Drainable, options: Options) -> list[Measurement]:
    sizes = [options.scaled(int(rows * options.scale)) if rows else 0 for rows in ROWS]
    first, *rest = sizes
    all_drains = [Drains(system.here, first)]
    all_drains += [Drains(system.open_another(f"{system.name}-{rows}"), rows) for rows in rest]
    for drains in all_drains:
        load(drains.place, drains.rows)
    for _ in range(options.rounds):
        for drains in all_drains:
            drain_once(system, drains, options.scaled(COUNT))
    return [measurement for drains in all_drains for measurement in as_measurements(system, drains, all_drains[0])]


def load(place: Installation, rows: int) -> None:
    url = place.environment["MAINSPRING_DATABASE_URL"]
    run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-v", f"count={rows}", "-f", str(ENDED), url])


def drain_once(system: Drainable, drains: Drains, count: int) -> None:
    place, servers = drains.place, system.servers
    assert servers is not None
    place.ask("fill", NOOP, str(count), "0")
    servers.settle()
    with place.store.read() as reader:
        executor = place.start_executor(system.app, "--pool", system.pool)
        meter = ProcessorMeter(executor.probe, [*place.processes(), *servers.processes()])
        seconds = wait_until_drained(place, executor, reader, question=any_live(place.store), count=count)
        drains.costs.append(meter.per_thousand(count))
        check_history(place, reader, expected=drains.rows + count * (len(drains.rates) + 1))
    place.stop_executor(executor)
    drains.rates.append(count / seconds)


def as_measurements(system: Drainable, drains: Drains, empty: Drains) -> list[Measurement]:
    name = f"{drains.rows:,} rows"
    cost = median(drains.costs)
    ends = {"min": min(drains.rates), "max": max(drains.rates), "processor": cost}
    details = {**system.details, **ends, "rounds": drains.rates, "processor_rounds": drains.costs}
    found = [Measurement("history", system.name, f"{name}, rate", median(drains.rates), "runs/s", details)]
    if drains is not empty:
        ratios = [one / other for one, other in zip(drains.costs, empty.costs, strict=True)]
        more = {"rounds": ratios, "min": min(ratios), "max": max(ratios)}
        found.append(Measurement("history", system.name, f"{name}, cost over empty", median(ratios), "x", more))
    return found
