"""Jobs without policies where none are in use, and where others use them: the processor time of each run."""

import sys
from statistics import median

from bench.mainspring.names import GATED, KEYED_1, NOOP
from bench.measurement import Measurement
from bench.options import Options
from bench.systems.mainspring_drain import Drainable, wait_until_drained
from bench.systems.mainspring_installation import Installation
from bench.systems.mainspring_store import any_live
from bench.usage import ProcessorMeter

APP = "bench.mainspring.limited:app"
COUNT = 150_000
OTHERS = 1_000
"""Runs of jobs with policies before, which leave their lanes and gates behind."""
PATIENCE = 60.0


def unconcerned(system: Drainable, options: Options) -> list[Measurement]:
    count = options.scaled(COUNT)
    empty: list[tuple[float, float]] = []
    in_use: list[tuple[float, float]] = []
    for number in range(options.rounds):
        for used, found in ((False, empty), (True, in_use)):
            found.append(drained(system, system.renew(f"unconcerned-{used}-{number}"), count, used=used))
            rate, cost = found[-1]
            print(f"dispatch unconcerned, in use {used}: {rate:,.0f} runs/s, {cost:,.2f} ms per 1,000", file=sys.stderr)
    costs = [ours / theirs for (_, ours), (_, theirs) in zip(in_use, empty, strict=True)]
    rates = [ours / theirs for (ours, _), (theirs, _) in zip(in_use, empty, strict=True)]
    details = {**system.details, "count": count, "rounds": costs, "min": min(costs), "max": max(costs), "rates": rates}
    return [Measurement("dispatch", system.name, "processor time without policies", median(costs), "x", details)]


def drained(system: Drainable, place: Installation, count: int, *, used: bool) -> tuple[float, float]:
    assert system.servers is not None
    if used:
        leave_lanes(place)
    place.ask("fill", NOOP, str(count), "0")
    place.store.tidy()
    system.servers.settle()
    with place.store.read() as reader:
        executor = place.start_executor(system.app, "--pool", system.pool)
        meter = ProcessorMeter(executor.probe, [*place.processes(), *system.servers.processes()])
        seconds = wait_until_drained(place, executor, reader, question=any_live(place.store), count=count)
        return count / seconds, meter.per_thousand(count)


def leave_lanes(place: Installation) -> None:
    """Let jobs with policies run: then gates and lanes are there, and settlements ask for them."""
    place.register(APP)
    for job in (GATED, KEYED_1):
        place.ask("fill", job, str(OTHERS), "0", str(OTHERS))
    executor = place.start_executor(APP)
    with place.store.read() as reader:
        place.wait(lambda: not reader.value(any_live(place.store)), "runs with policies do not end", PATIENCE)
    place.stop_executor(executor)
    place.wait(lambda: place.attached() == 0, "the executor did not leave")
