"""Drains under limits, each after the same drain without: what a policy costs is their ratio."""

import sys
from dataclasses import dataclass
from functools import partial
from statistics import median

from bench.mainspring.names import FAIR, GATED, KEYED_1, KEYED_20, PLAIN
from bench.measurement import Measurement
from bench.options import Options
from bench.systems.mainspring_drain import Drainable, check_history, wait_until_drained
from bench.systems.mainspring_installation import Installation
from bench.systems.mainspring_store import any_live, count_live
from bench.usage import ProcessorMeter

APP = "bench.mainspring.limited:app"
QUEUED = 1
SORTING = 600.0
"""Seconds that runs may take to stand in their lanes."""


@dataclass(frozen=True, slots=True)
class Case:
    """A job under a policy, and its backlog."""

    metric: str
    job: str
    count: int
    keys: int
    queue_limit: bool = False
    """Whether its queue has a limit as well."""


GATED_CASE = Case("gates never reached", GATED, 150_000, 1, queue_limit=True)
KEYED_20_CASE = Case("limit 20 over 1,000 keys", KEYED_20, 150_000, 1000)
KEYED_1_CASE = Case("limit 1 over 100,000 keys", KEYED_1, 1_000_000, 100_000)
FAIR_CASE = Case("fair over 1,000 keys", FAIR, 150_000, 1000)


def under(case: Case, system: Drainable, options: Options) -> list[Measurement]:
    count, keys = options.scaled(case.count), min(case.keys, options.scaled(case.keys))
    plain: list[tuple[float, float]] = []
    limited: list[tuple[float, float]] = []
    for number in range(options.rounds):
        for name, found in ((PLAIN, plain), (case.job, limited)):
            place = system.renew(f"{name}-{number}")
            found.append(drained(system, place, case, name, count, keys))
            rate, cost = found[-1]
            print(f"dispatch {name}: {rate:,.0f} runs/s, {cost:,.0f} ms per 1,000", file=sys.stderr, flush=True)
    shares = [ours / theirs for (ours, _), (theirs, _) in zip(limited, plain, strict=True)]
    costs = [ours / theirs for (_, ours), (_, theirs) in zip(limited, plain, strict=True)]
    details = {**system.details, "count": count, "keys": keys, "rounds": shares, "min": min(shares), "max": max(shares)}
    details |= {
        "rates": [rate for rate, _ in limited],
        "plain": [rate for rate, _ in plain],
        "processor": median(costs),
    }
    return [Measurement("dispatch", system.name, case.metric, median(shares), "x", details)]


def drained(system: Drainable, place: Installation, case: Case, job: str, count: int, keys: int) -> tuple[float, float]:
    """Runs a second from the first start on, and processor time; all stand in their lanes before."""
    assert system.servers is not None
    place.register(APP)
    if case.queue_limit:
        place.put("queues/gated/limit", {"at_once": 20_000})
    place.ask("fill", job, str(count), "0", str(keys))
    with place.store.read() as reader:
        if job not in (PLAIN, GATED):
            place.wait(lambda: not reader.value(count_live(place.store, QUEUED)), "runs stay in no lane", SORTING)
        place.store.tidy()
        system.servers.settle()
        executor = place.start_executor(APP, "--pool", system.pool)
        meter = ProcessorMeter(executor.probe, [*place.processes(), *system.servers.processes()])
        seconds = wait_until_drained(place, executor, reader, question=any_live(place.store), count=count)
        cost = meter.per_thousand(count)
        check_history(place, reader, expected=count)
    return count / seconds, cost


gated = partial(under, GATED_CASE)
keyed_20 = partial(under, KEYED_20_CASE)
keyed_1 = partial(under, KEYED_1_CASE)
fair = partial(under, FAIR_CASE)
