"""The drain, in alternating rounds.

The speed of a disk changes by the hour, so a figure means little on its own: in each round one of our systems stands
before each peer, and what counts is the ratio inside a round.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from statistics import median

from bench.attempt import attempt
from bench.measurement import Measurement
from bench.options import Options
from bench.peers.workload import NO_OP, Workload
from bench.servers import Servers
from bench.stats import spread
from bench.systems import DrainTime, System
from bench.systems.registry import is_ours

Say = Callable[[str], None]


@dataclass(slots=True)
class Drained:
    """What the rounds of one system gave: rates and processor times per round, and the reasons of failures."""

    system: System
    bench: str
    rates: dict[int, list[float]] = field(default_factory=dict)
    costs: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def per_round(self) -> dict[int, float]:
        return {number: median(rates) for number, rates in self.rates.items()}


def drain(systems: Sequence[System], servers: Servers, options: Options, say: Say) -> list[Measurement]:
    found = drain_in_rounds("drain", NO_OP, systems, servers, options, say)
    return [*(as_measurement(one, options) for one in found), *ratios(found)]


def drain_in_rounds(
    bench: str, workload: Workload, systems: Sequence[System], servers: Servers, options: Options, say: Say
) -> list[Drained]:
    found = {system.name: Drained(system, bench) for system in systems}
    for system in systems:
        system.workload = workload
    for number in range(options.rounds):
        for system in alternating(systems):
            drain_once(found[system.name], number, servers, options, say)
    return list(found.values())


def alternating(systems: Sequence[System]) -> Iterator[System]:
    """Ours, a peer, ours, a peer; each of ours at least once."""
    ours = [system for system in systems if is_ours(system)]
    peers = [system for system in systems if not is_ours(system)]
    turns = cycle(ours) if ours else None
    for peer in peers:
        if turns is not None:
            yield next(turns)
        yield peer
    yield from islice(ours, len(peers), None)


def drain_once(found: Drained, number: int, servers: Servers, options: Options, say: Say) -> None:
    system = found.system
    count = count_of(system, options)
    took = attempt(lambda: drain_time(system, servers, count))
    where = f"{found.bench} {system.workload.name} {system.name}, round {number + 1}"
    if isinstance(took, Exception):
        found.failures.append(f"round {number + 1}: {took}")
        say(f"{where}: FAILED: {took}")
        return
    found.rates.setdefault(number, []).append(count / took.seconds)
    found.costs.append(took.processor)
    say(f"{where}: {count / took.seconds:,.0f} runs/s, {took.processor:,.0f} ms of processor time per 1,000")


def count_of(system: System, options: Options) -> int:
    return options.scaled(system.workload.count or system.sizes.drain)


def drain_time(system: System, servers: Servers, count: int) -> DrainTime:
    try:
        system.open(servers)
        system.enqueue("bulk", count)
        servers.settle()
        return system.drain(count)
    finally:
        system.close()


def as_measurement(found: Drained, options: Options, metric: str = "rate") -> Measurement:
    system, rounds = found.system, list(found.per_round().values())
    details = {**system.details, "count": count_of(system, options), "failures": found.failures}
    if not rounds:
        return Measurement(found.bench, system.name, metric, None, "runs/s", details, "; ".join(found.failures))
    ends = spread([rate for rates in found.rates.values() for rate in rates])
    details |= {"rounds": rounds, "all": list(found.rates.values()), "min": ends.min, "max": ends.max}
    details |= {"processor": median(found.costs), "processor_rounds": found.costs}
    return Measurement(found.bench, system.name, metric, median(rounds), "runs/s", details)


def ratios(found: Sequence[Drained]) -> Iterator[Measurement]:
    """For each of ours: its rate over that of the best peer, round by round; embedded against embedded."""
    peers = [one for one in found if not is_ours(one.system)]
    for one in found:
        if is_ours(one.system):
            rivals = [peer for peer in peers if is_embedded(peer) == is_embedded(one)]
            yield from ratio_to(one, rivals, "ratio to best peer")


def is_embedded(one: Drained) -> bool:
    return one.system.details["store"] == "sqlite"


def ratio_to(one: Drained, peers: Sequence[Drained], metric: str) -> Iterator[Measurement]:
    """Its rate over that of the fastest of these in the same round."""
    values, best = [], []
    for number, rate in one.per_round().items():
        rivals = {peer.system.name: peer.per_round()[number] for peer in peers if number in peer.rates}
        if rivals:
            name = max(rivals, key=lambda rival: rivals[rival])
            values.append(rate / rivals[name])
            best.append(name)
    if values:
        found = spread(values)
        details = {"rounds": values, "best_peer": best, "min": found.min, "max": found.max}
        yield Measurement(one.bench, one.system.name, metric, found.median, "x", details)
