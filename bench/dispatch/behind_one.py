"""A limit of one with 200,000 runs behind it: the rate of other work beside them, and how soon the next one starts."""

import sys
from statistics import median

from bench.dispatch.clusters import wait_until
from bench.mainspring.names import ALONE, HELD, PLAIN
from bench.measurement import Measurement
from bench.options import Options
from bench.starts import count_starts, read_starts
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable, wait_until_drained
from bench.systems.mainspring_installation import Installation
from bench.systems.mainspring_store import count_succeeded
from bench.usage import ProcessorMeter

GUARDED_APP = "bench.mainspring.guarded:app"
LIMITED_APP = "bench.mainspring.limited:app"
BEHIND = 200_000
COUNT = 150_000
HAND_OVERS = 3_000
PATIENCE = 120.0


def behind_one(system: Drainable, options: Options) -> list[Measurement]:
    return [*other_work(system, options), *hand_overs(system, options)]


def other_work(system: Drainable, options: Options) -> list[Measurement]:
    count, behind = options.scaled(COUNT), options.scaled(BEHIND)
    alone: list[tuple[float, float]] = []
    beside: list[tuple[float, float]] = []
    for number in range(options.rounds):
        for crowd, found in ((0, alone), (behind, beside)):
            found.append(drained(system, system.renew(f"beside-{crowd}-{number}"), count, crowd))
            rate, cost = found[-1]
            print(f"dispatch beside {crowd}: {rate:,.0f} runs/s, {cost:,.1f} ms per 1,000", file=sys.stderr, flush=True)
    rates = [ours / theirs for (ours, _), (theirs, _) in zip(beside, alone, strict=True)]
    costs = [ours / theirs for (_, ours), (_, theirs) in zip(beside, alone, strict=True)]
    details = {**system.details, "count": count, "behind": behind, "rounds": rates, "processor": median(costs)}
    details |= {"min": min(rates), "max": max(rates)}
    return [
        Measurement("dispatch", system.name, "other work beside 200,000 behind a limit", median(rates), "x", details)
    ]


def drained(system: Drainable, place: Installation, count: int, behind: int) -> tuple[float, float]:
    """Runs a second and processor time of plain runs, with so many behind one that holds its limit."""
    assert system.servers is not None
    place.register(LIMITED_APP)
    if behind:
        place.register(GUARDED_APP)
        place.ask("fill", HELD, str(behind), "0")
        place.start_executor(GUARDED_APP)
        running = f"SELECT count(*) FROM {place.store.live} AS r WHERE r.state = 2"
        with place.store.read() as reader:
            wait_until(place, lambda: reader.value(running) == 1, "no run holds the limit", PATIENCE)
    place.ask("fill", PLAIN, str(count), "0", "1")
    place.store.tidy()
    system.servers.settle()
    with place.store.read() as reader:
        executor = place.start_executor(LIMITED_APP, "--pool", system.pool)
        meter = ProcessorMeter(executor.probe, [*place.processes(), *system.servers.processes()])
        # Asked only once all have started: the others of the live runs stay.
        left = f"{count_succeeded(place.store)} HAVING count(*) < {count}"
        seconds = wait_until_drained(place, executor, reader, question=left, count=count)
        return count / seconds, meter.per_thousand(count)


def hand_overs(system: Drainable, options: Options) -> list[Measurement]:
    """Milliseconds from the end of a handler to the start of the next one, by their own clock."""
    count, behind, place = options.scaled(HAND_OVERS), options.scaled(BEHIND), system.renew("hand-over")
    place.register(GUARDED_APP)
    place.ask("fill", ALONE, str(behind), "0")
    place.store.tidy()
    executor = place.start_executor(GUARDED_APP, mode="stamps")
    wait_until(place, lambda: count_starts(executor.probe) >= count, "too few hand-overs", PATIENCE)
    values = [(one.at - one.payload) * 1000 for one in read_starts(executor.probe)][:count]
    details = {**system.details, "count": len(values), "behind": behind, "min": min(values), "max": max(values)}
    return [
        Measurement("dispatch", system.name, f"hand-over {name}", percentile(values, share), "ms", details)
        for name, share in (("p50", 0.5), ("p99", 0.99))
    ]
