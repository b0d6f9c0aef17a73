"""python -m bench [BENCH] [--systems a,b] [--quick] [--rounds n] [--scale x]"""

import argparse
import signal
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial

from bench import report
from bench.attempt import attempt
from bench.benches import BENCHES, bulk_ratios
from bench.drain import drain
from bench.measurement import Measurement
from bench.options import Options
from bench.servers import Servers
from bench.systems import System
from bench.systems.registry import all_systems, is_ours
from bench.workloads import WORKLOADS, measure_workloads

NAMES = (
    *("enqueue", "client", "drain", *WORKLOADS, "steady", "on_time", "history", "latency", "burst", "memory"),
    *("parked", "concurrent", "profile", "listing", "triggers", "workflows", "dispatch", "seen"),
)
ASKED_FOR = ("open_transaction",)
"""Takes half an hour, so it is measured only if it is named."""
HELP = f"which bench; all of them but {', '.join(ASKED_FOR)} (OPEN_MINUTES=30) if left out"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Mainspring beside its peers.")
    parser.add_argument("bench", nargs="?", choices=NAMES + ASKED_FOR, help=HELP)
    parser.add_argument("--systems", help="names with commas between; all of them if left out")
    parser.add_argument("--quick", action="store_true", help="small counts and one round: only shows that it works")
    parser.add_argument("--rounds", type=int, help="how often to repeat enqueue and drain (default 3)")
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the 3 and 10 million rows of history")
    return parser.parse_args()


def choose(systems: Sequence[System], names: str | None) -> list[System]:
    if names is None:
        return list(systems)
    wanted = names.split(",")
    unknown = set(wanted) - {system.name for system in systems}
    if unknown:
        raise SystemExit(f"unknown systems: {', '.join(sorted(unknown))}")
    return [system for system in systems if system.name in wanted]


def install(systems: Sequence[System], benches: Sequence[str]) -> tuple[list[System], list[Measurement]]:
    """Install every system; one that cannot be has a failure for each bench instead."""
    ready: list[System] = []
    failures: list[Measurement] = []
    for system in systems:
        say(f"installing {system.name}")
        error = attempt(system.install)
        if error is None:
            ready.append(system)
            continue
        say(f"installing {system.name}: FAILED: {error}")
        failures += [failure(name, system, error) for name in benches if name in system.benches]
    return ready, failures


def failure(bench: str, system: System, error: Exception) -> Measurement:
    return Measurement(bench, system.name, "all", None, "", {**system.details}, f"{type(error).__name__}: {error}")


def measure(bench: str, systems: Sequence[System], servers: Servers, options: Options) -> list[Measurement]:
    able = [system for system in systems if bench in system.benches]
    if bench == "drain":
        return drain(able, servers, options, say)
    if bench in WORKLOADS:
        return measure_workloads(bench, able, servers, options, say)
    found: list[Measurement] = []
    for system in able:
        say(f"{bench} {system.name}")
        outcome = attempt(partial(BENCHES[bench], system, servers, options))
        if isinstance(outcome, Exception):
            say(f"{bench} {system.name}: FAILED: {outcome}")
            outcome = [failure(bench, system, outcome)]
        found += outcome
    if bench == "enqueue":
        found += bulk_ratios(found, [system.name for system in able if is_ours(system)])
    return found


def measure_all(benches: Sequence[str], systems: Sequence[System], options: Options) -> list[Measurement]:
    ready, found = install(systems, benches)
    with closing(Servers()) as servers:
        for bench in benches:
            new = measure(bench, ready, servers, options)
            report.write(new, servers.versions(), report.QUICK_RESULTS if options.quick else report.RESULTS)
            found += new
    return found


def main() -> int:
    arguments = parse()
    # A terminated benchmark stops its servers like an interrupted one.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    rounds = arguments.rounds or (1 if arguments.quick else 3)
    options = Options(quick=arguments.quick, rounds=rounds, scale=arguments.scale)
    systems = choose(all_systems(), arguments.systems)
    found = measure_all([arguments.bench] if arguments.bench else NAMES, systems, options)
    print(report.table(found))
    failed = [measurement for measurement in found if measurement.failure is not None]
    if failed:
        say(f"\n!!! {len(failed)} measurements FAILED; see the remarks above")
    ours = {system.name for system in systems if is_ours(system)}
    return 1 if any(measurement.system in ours for measurement in failed) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; everything that was started has been stopped")
