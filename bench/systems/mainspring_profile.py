"""Where the time of one run goes: processor time of each process and thread over a drain, shared out among its runs."""

from bench.mainspring.names import NOOP
from bench.measurement import Measurement
from bench.servers import Servers
from bench.starts import count_starts
from bench.systems.mainspring_cpu import Spent, since, spent_by_server, spent_by_threads
from bench.systems.mainspring_drain import Drainable, check_history, wait_until_drained
from bench.systems.mainspring_installation import Executor, Installation
from bench.systems.mainspring_store import any_live

COUNT, COUNT_QUICK = 150_000, 6000
MICROSECONDS = 1_000_000
FUNCTIONS = {
    "claim": "claim (database, wall)",
    "claim_bundled": "claim in bundles (database, wall)",
    "succeed": "settle (database, wall)",
}
"""By name, without the number of the version."""


def profile(system: Drainable, *, quick: bool) -> list[Measurement]:
    count = COUNT_QUICK if quick else COUNT
    here, servers = system.here, system.servers
    assert servers is not None
    track_functions(here, servers)
    here.ask("fill", NOOP, str(count), "0")
    servers.settle()
    with here.store.read() as reader:
        executor = here.start_executor(system.app, "--pool", system.pool)
        # Booting is not part of a run: counted from the first starts.
        here.wait(lambda: count_starts(executor.probe) > 0, "no run was started")
        early, before = count_starts(executor.probe), spent(here, executor, servers)
        seconds = wait_until_drained(here, executor, reader, question=any_live(here.store), count=count)
        used = since(before, spent(here, executor, servers))
        check_history(here, reader, expected=count)
    parts = {part: value / (count - early) for part, value in used.items()}
    whole = {"all (processor)": sum(parts.values()), "all (wall)": seconds / count}
    return as_measurements(system, {**parts, **whole, **function_times(here, servers, count)}, count)


def spent(here: Installation, executor: Executor, servers: Servers) -> Spent:
    threads = spent_by_threads(executor.process.pid, "executor", ["user's loop", "link"], "other threads")
    return {**spent_by_server(here, servers), **threads}


def track_functions(here: Installation, servers: Servers) -> None:
    """Let PostgreSQL time the functions that claim and settle; the server has to connect anew for that."""
    if here.store.kind != "postgres":
        return
    name = here.files.name
    here.stop_server()
    servers.postgres.query(name, f"ALTER DATABASE \"{name}\" SET track_functions = 'pl'")
    here.start_server()


def function_times(here: Installation, servers: Servers, count: int) -> Spent:
    if here.store.kind != "postgres":
        return {}
    # A backend publishes the last of its statistics when it ends, and otherwise ten seconds later.
    here.stop_server()
    question = "SELECT funcname, total_time FROM pg_stat_user_functions WHERE schemaname = 'mainspring'"
    rows = [row.split("|") for row in servers.postgres.query(here.files.name, question).splitlines()]
    named = [(name.rpartition("_")[0], float(total)) for name, total in rows]
    return {FUNCTIONS[name]: total / 1000 / count for name, total in named if name in FUNCTIONS}


def as_measurements(system: Drainable, parts: Spent, count: int) -> list[Measurement]:
    details = {**system.details, "count": count}
    return [
        Measurement("profile", system.name, part, seconds * MICROSECONDS, "µs/run", details)
        for part, seconds in parts.items()
    ]
