"""What is measured of each system on its own."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict

from bench.measurement import Measurement
from bench.options import Options
from bench.servers import Servers
from bench.stats import percentile, spread
from bench.systems import System, Way
from bench.workloads import STEADY

LATENCY_PER_SECOND = 100.0
LATENCY_SECONDS = 20
STEADY_PER_SECOND = 500.0
BURST_COUNT = 5000
BURST_AHEAD = 15.0
IDLE_SECONDS = 10.0

Bench = Callable[[System, Servers, Options], list[Measurement]]


def enqueue(system: System, servers: Servers, options: Options) -> list[Measurement]:
    return [enqueue_one_way(system, servers, options, way) for way in system.ways()]


def enqueue_one_way(system: System, servers: Servers, options: Options, way: Way) -> Measurement:
    count = options.scaled(system.sizes.of(way))
    rates = [enqueue_rate(system, servers, way, count) for _ in range(options.rounds)]
    found = spread(rates)
    details = {**system.details, "count": count, "rounds": rates, "min": found.min, "max": found.max}
    return Measurement("enqueue", system.name, way, found.median, "runs/s", details)


def enqueue_rate(system: System, servers: Servers, way: Way, count: int) -> float:
    try:
        system.open(servers)
        servers.settle()
        return count / system.enqueue(way, count)
    finally:
        system.close()


def bulk_ratios(found: Sequence[Measurement], ours: Collection[str]) -> list[Measurement]:
    """Our bulk enqueue over that of the fastest peer, in the order of rounds: each system is measured on its own."""
    bulk = {one.system: one for one in found if one.metric == "bulk" and one.value is not None}
    peers = {name: one for name, one in bulk.items() if name not in ours}
    if not peers:
        return []
    best = max(peers.values(), key=lambda one: one.value or 0.0)
    ratios = []
    for name in bulk.keys() & set(ours):
        rates = zip(rounds_of(bulk[name]), rounds_of(best), strict=False)
        values = spread([mine / theirs for mine, theirs in rates])
        details: dict[str, object] = {"min": values.min, "max": values.max, "best_peer": best.system}
        ratios.append(Measurement("enqueue", name, "bulk ratio to best peer", values.median, "x", details))
    return ratios


def rounds_of(measurement: Measurement) -> list[float]:
    rounds = measurement.details["rounds"]
    assert isinstance(rounds, list)
    return rounds


def latency(system: System, servers: Servers, options: Options) -> list[Measurement]:
    return start_delays("latency", LATENCY_PER_SECOND, system, servers, options)


def steady(system: System, servers: Servers, options: Options) -> list[Measurement]:
    system.workload = STEADY
    return start_delays("steady", STEADY_PER_SECOND, system, servers, options)


def start_delays(
    bench: str, per_second: float, system: System, servers: Servers, options: Options
) -> list[Measurement]:
    count = options.scaled(int(per_second) * LATENCY_SECONDS)
    try:
        system.open(servers)
        servers.settle()
        values = system.latency(count, per_second)
    finally:
        system.close()
    details = {**system.details, "count": len(values), "lost": count - len(values), "max": max(values)}
    shares = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
    return [
        Measurement(bench, system.name, metric, percentile(values, share), "ms", details)
        for metric, share in shares.items()
    ]


def burst(system: System, servers: Servers, options: Options) -> list[Measurement]:
    count = options.scaled(BURST_COUNT)
    try:
        system.open(servers)
        servers.settle()
        found = system.burst(count, BURST_AHEAD)
    finally:
        system.close()
    details = {**system.details, "count": count, **asdict(found)}
    if math.isnan(found.last_start):
        return [Measurement("burst", system.name, "last start", None, "s", details, "no run was started")]
    return [Measurement("burst", system.name, "last start", found.last_start, "s", details)]


def memory(system: System, servers: Servers, options: Options) -> list[Measurement]:
    try:
        system.open(servers)
        uses = system.idle(2.0 if options.quick else IDLE_SECONDS)
    finally:
        system.close()
    found = []
    for use in uses:
        details = {**system.details, "pss_mb": use.pss_mb, "members": use.processes}
        found.append(Measurement("memory", system.name, f"{use.role} rss", use.rss_mb, "MB", details))
        found.append(Measurement("memory", system.name, f"{use.role} idle cpu", use.cpu_percent, "%", details))
    return found


def special(name: str) -> Bench:
    def bench(system: System, servers: Servers, options: Options) -> list[Measurement]:
        try:
            system.open(servers)
            return system.special(name, options)
        finally:
            system.close()

    return bench


BENCHES: dict[str, Bench] = {
    "enqueue": enqueue,
    "latency": latency,
    "steady": steady,
    "history": special("history"),
    "on_time": special("on_time"),
    "burst": burst,
    "client": special("client"),
    "memory": memory,
    "parked": special("parked"),
    "concurrent": special("concurrent"),
    "profile": special("profile"),
    "listing": special("listing"),
    "open_transaction": special("open_transaction"),
    "triggers": special("triggers"),
    "workflows": special("workflows"),
    "dispatch": special("dispatch"),
    "seen": special("seen"),
}
