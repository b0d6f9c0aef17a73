"""A key floods its line with 500,000 runs while another sends ten a second: how much longer these wait than without it."""

from bench.dispatch.clusters import wait_until
from bench.mainspring.names import FLOODED
from bench.measurement import Measurement
from bench.options import Options
from bench.processes import stop
from bench.starts import Start, read_starts, wait_for_starts
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable
from bench.systems.mainspring_installation import Executor, Installation
from bench.systems.mainspring_store import count_live

APP = "bench.mainspring.guarded:app"
COUNT = 500_000
PER_SECOND = 10
IDLE, IDLE_QUICK = 100, 20
"""Runs of the small key before the flood."""
HANDLERS = {"0 ms": "0", "50 ms": "0.05"}
QUEUED = 1
PATIENCE = 300.0


def flood(system: Drainable, options: Options) -> list[Measurement]:
    return [
        measurement
        for name, takes in HANDLERS.items()
        for measurement in flooded(system, system.renew(f"flood-{takes}"), options, name, takes)
    ]


def flooded(system: Drainable, place: Installation, options: Options, name: str, takes: str) -> list[Measurement]:
    count = options.scaled(COUNT)
    idle = waits(idle_starts(place, takes, IDLE_QUICK if options.quick else IDLE))
    place.ask("fill", FLOODED, str(count), "0", "1")
    with place.store.read() as reader:
        sorted_in = f"{count_live(place.store, QUEUED)}"
        wait_until(place, lambda: not reader.value(sorted_in), "runs stay in no lane", PATIENCE)
        place.store.tidy()
        executor = start(system, place)
        # As long as the flood lasts: the last of them find it gone, and are left out.
        sending = place.begin("trickle", FLOODED, str(IDLE * 10), str(PER_SECOND))
        left = f"SELECT count(*) FROM {place.store.live} AS r WHERE r.state = 0"
        wait_until(place, lambda: reader.value(left) < PER_SECOND, "the flood does not end", PATIENCE)
        beside = waits(read_starts(executor.probe))
        stop(sending)
    details = {**system.details, "count": len(beside), "flood": count, "handler": name, "max": max(beside)}
    shares = {f"p{int(share * 100)}": (percentile(idle, share), percentile(beside, share)) for share in (0.5, 0.95)}
    details |= {
        "idle": {key: alone for key, (alone, _) in shares.items()},
        "beside": shares["p95"][1],
        "min": min(beside),
    }
    return [
        Measurement(
            "dispatch", system.name, f"beside a flood, {name}, {key} above idle", flooding - alone, "ms", details
        )
        for key, (alone, flooding) in shares.items()
    ]


def idle_starts(place: Installation, takes: str, count: int) -> list[Start]:
    place.environment["BENCH_TAKES"] = takes
    executor = place.start_executor(APP, mode="stamps")
    place.wait(lambda: place.attached() == 1, "the executor did not connect")
    place.ask("trickle", FLOODED, str(count), str(PER_SECOND))
    starts = wait_for_starts(executor.probe, count, PATIENCE)
    place.stop_executor(executor)
    place.wait(lambda: place.attached() == 0, "the executor did not leave")
    return starts


def start(system: Drainable, place: Installation) -> Executor:
    return place.start_executor(APP, "--pool", system.pool, mode="stamps")


def waits(starts: list[Start]) -> list[float]:
    """Milliseconds from the instant at which each was to be sent to its start."""
    return [(one.at - one.payload) * 1000 for one in starts]
