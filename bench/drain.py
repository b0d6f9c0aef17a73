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
from bench.servers import Servers
from bench.stats import spread
from bench.systems import System
from bench.systems.registry import is_ours

Say = Callable[[str], None]


@dataclass(slots=True)
class Drained:
    """What the rounds of one system gave: rates per round, and the reasons of failures."""

    system: System
    rates: dict[int, list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def per_round(self) -> dict[int, float]:
        return {number: median(rates) for number, rates in self.rates.items()}


def drain(systems: Sequence[System], servers: Servers, options: Options, say: Say) -> list[Measurement]:
    found = {system.name: Drained(system) for system in systems}
    for number in range(options.rounds):
        for system in alternating(systems):
            drain_once(found[system.name], number, servers, options, say)
    return [*(as_measurement(one, options) for one in found.values()), *ratios(list(found.values()))]


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
    rate = attempt(lambda: drain_rate(system, servers, options.scaled(system.sizes.drain)))
    if isinstance(rate, Exception):
        found.failures.append(f"round {number + 1}: {rate}")
        say(f"drain {system.name}, round {number + 1}: FAILED: {rate}")
    else:
        found.rates.setdefault(number, []).append(rate)
        say(f"drain {system.name}, round {number + 1}: {rate:,.0f} runs/s")


def drain_rate(system: System, servers: Servers, count: int) -> float:
    try:
        system.open(servers)
        system.enqueue("bulk", count)
        servers.settle()
        return count / system.drain(count)
    finally:
        system.close()


def as_measurement(found: Drained, options: Options) -> Measurement:
    system, rounds = found.system, list(found.per_round().values())
    details = {**system.details, "count": options.scaled(system.sizes.drain), "failures": found.failures}
    if not rounds:
        return Measurement("drain", system.name, "rate", None, "runs/s", details, "; ".join(found.failures))
    ends = spread([rate for rates in found.rates.values() for rate in rates])
    details |= {"rounds": rounds, "all": list(found.rates.values()), "min": ends.min, "max": ends.max}
    return Measurement("drain", system.name, "rate", median(rounds), "runs/s", details)


def ratios(found: Sequence[Drained]) -> Iterator[Measurement]:
    """For each of ours: its rate over that of the best peer, round by round; embedded against embedded."""
    peers = [one for one in found if not is_ours(one.system)]
    for one in found:
        if is_ours(one.system):
            yield from ratio_to_best(one, [peer for peer in peers if is_embedded(peer) == is_embedded(one)])


def is_embedded(one: Drained) -> bool:
    return one.system.details["store"] == "sqlite"


def ratio_to_best(one: Drained, peers: Sequence[Drained]) -> Iterator[Measurement]:
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
        yield Measurement("drain", one.system.name, "ratio to best peer", found.median, "x", details)
