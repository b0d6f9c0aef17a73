"""Drains of work that looks like users': inputs of some size, handlers that compute, wait or fail."""

from collections.abc import Callable, Iterator, Sequence

from bench.drain import Drained, as_measurement, drain_in_rounds, ratio_to
from bench.measurement import Measurement
from bench.options import Options
from bench.peers.workload import Workload
from bench.servers import Servers
from bench.systems import System
from bench.systems.registry import is_ours

MAIL = Workload(name="mail", count=20_000, body=400, busy=0.0002)
WORKLOADS: dict[str, tuple[Workload, ...]] = {
    "mail": (MAIL,),
    "io": (Workload(name="io", count=40_000, body=100, wait=0.02),),
    "mixed": (Workload(name="mixed", count=60_000, body=100, lanes=10, failing=3),),
    "payload": (
        Workload(name="4 kB", count=20_000, body=4_000),
        Workload(name="32 kB", count=4_000, body=32_000),
    ),
    "pools": (Workload(name="no-op", count=40_000, body=1), MAIL),
}
STEADY = Workload(name="steady", body=100, wait=0.005)


def measure_workloads(
    bench: str, systems: Sequence[System], servers: Servers, options: Options, say: Callable[[str], None]
) -> list[Measurement]:
    measured: list[Measurement] = []
    for workload in WORKLOADS[bench]:
        found = drain_in_rounds(bench, workload, systems, servers, options, say)
        label = "" if workload.name == bench else f"{workload.name} "
        measured += [as_measurement(one, options, f"{label}rate") for one in found]
        measured += comparisons(found, label)
    return measured


def comparisons(found: Sequence[Drained], label: str) -> Iterator[Measurement]:
    """Each of ours over each peer; where there are none, over the first of ours."""
    ours = [one for one in found if is_ours(one.system)]
    rivals = [one for one in found if not is_ours(one.system)] or ours[:1]
    for one in ours:
        for rival in rivals:
            if rival is not one:
                yield from ratio_to(one, [rival], f"{label}ratio to {rival.system.name}")
