"""A thousand chains of ten steps, drained as plain runs are: what a step costs beside a plain run is the ratio."""

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from bench.dispatch.clusters import start_second
from bench.mainspring.names import CHAINED, PLAIN
from bench.measurement import Measurement
from bench.processes import stop
from bench.starts import count_starts, first_start
from bench.systems.mainspring_drain import PATIENCE, Drainable
from bench.systems.mainspring_installation import Installation
from bench.systems.mainspring_store import count_live, count_succeeded
from bench.usage import ProcessorMeter

APP = "bench.mainspring.chained:app"
CHAINS, LINKS = 1_000, 10
STEPS = CHAINS * LINKS
QUEUED = 1


@dataclass(frozen=True, slots=True)
class Drained:
    """Steps, or plain runs, a second, and the processor time of a thousand of them."""

    rate: float
    costs: Mapping[str, float]
    """By part: server, executor, database."""

    @property
    def cost(self) -> float:
        return sum(self.costs.values())

    def told(self) -> str:
        parts = ", ".join(f"{part} {cost:,.0f}" for part, cost in self.costs.items())
        return f"{self.rate:,.0f}/s, {self.cost:,.0f} ms per 1,000 ({parts})"


def chains(system: Drainable, *, rounds: int) -> list[Measurement]:
    """Plain runs, chains on one server, and chains on two, in turn."""
    found: dict[str, list[Drained]] = {"plain": [], "one": [], "two": []}
    for number in range(rounds):
        for name, rates in found.items():
            if name == "two" and system.here.store.kind != "postgres":
                continue
            place = system.renew(f"chains-{name}-{number}")
            rates.append(drain(system, place, PLAIN if name == "plain" else CHAINED, servers=1 + (name == "two")))
            print(f"workflows {name}: {rates[-1].told()}", file=sys.stderr, flush=True)
    shares = [("chains / plain drain", found["one"], found["plain"]), ("two servers / one", found["two"], found["one"])]
    return [share(system, name, ours, theirs) for name, ours, theirs in shares if ours]


def share(system: Drainable, metric: str, ours: Sequence[Drained], theirs: Sequence[Drained]) -> Measurement:
    shares = [mine.rate / other.rate for mine, other in zip(ours, theirs, strict=True)]
    details = {
        "steps": STEPS,
        "rounds": shares,
        "min": min(shares),
        "max": max(shares),
        "rates": [one.rate for one in ours],
        "beside": [one.rate for one in theirs],
        "processor": median(one.cost for one in ours) / median(one.cost for one in theirs),
        "costs": [one.costs for one in ours],
        "costs_beside": [one.costs for one in theirs],
    }
    return Measurement("workflows", system.name, metric, median(shares), "x", details)


def drain(system: Drainable, place: Installation, job: str, *, servers: int) -> Drained:
    """From the first start until the store says that nothing is left; all stand in their line before."""
    assert system.servers is not None
    place.register(APP)
    count, ended = (STEPS, STEPS) if job == PLAIN else (CHAINS, STEPS + CHAINS)
    place.ask("fill", job, str(count), "0")
    with place.store.read() as reader, ExitStack() as started:
        queued = count_live(place.store, QUEUED)
        place.wait(lambda: bool(reader.value(queued) == count), "not all of them stand in their line")
        place.store.tidy()
        system.servers.settle()
        urls = [place.environment["MAINSPRING_URL"]]
        parts = {"server": place.processes(), "database": system.servers.processes()}
        if servers > 1:
            url, second = start_second(place)
            started.callback(stop, second)
            urls.append(url)
            parts["server"] = [*parts["server"], second]
        executors = [place.start_executor(APP, "--server", url, "--pool", system.pool) for url in urls]
        probes = [executor.probe for executor in executors]
        parts["executor"] = [executor.process for executor in executors]
        meters = {part: ProcessorMeter(probes[0], processes) for part, processes in parts.items()}
        # Not whether any is live: beside the dead rows of runs that were in no bundle, that question takes longer than a hop.
        question = count_succeeded(place.store)
        place.wait(
            lambda: sum(map(count_starts, probes)) >= STEPS and reader.value(question) == ended, "some stay", PATIENCE
        )
        seconds = time.monotonic() - min(first_start(probe) for probe in probes if count_starts(probe))
        costs = {part: meter.per_thousand(STEPS) for part, meter in meters.items()}
    return Drained(STEPS / seconds, costs)
