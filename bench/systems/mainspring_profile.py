"""Where the time of one run goes: processor time of each process and thread over a drain, shared out among its runs."""

import psutil

from bench.mainspring.names import NOOP
from bench.measurement import Measurement
from bench.starts import count_starts
from bench.systems.mainspring_drain import check_history, wait_until_drained
from bench.systems.mainspring_installation import Executor
from bench.systems.mainspring_parked import Drainable
from bench.systems.mainspring_store import any_live

COUNT, COUNT_QUICK = 150_000, 6000
MICROSECONDS = 1_000_000
FUNCTIONS = {"claim_1": "claim (database, wall)", "succeed_1": "settle (database, wall)"}

Spent = dict[str, float]
"""Seconds of processor time by part."""


def profile(system: Drainable, *, quick: bool) -> list[Measurement]:
    count = COUNT_QUICK if quick else COUNT
    here = system.here
    track_functions(system)
    here.ask("fill", NOOP, str(count), "0")
    assert system.servers is not None
    system.servers.settle()
    with here.store.read() as reader:
        executor = here.start_executor(system.app, "--pool", system.pool)
        # Booting is not part of a run: counted from the first starts.
        here.wait(lambda: count_starts(executor.probe) > 0, "no run was started")
        early, before = count_starts(executor.probe), spent(system, executor)
        seconds = wait_until_drained(here, executor, reader, question=any_live(here.store), count=count)
        after = spent(system, executor)
        check_history(here, reader, expected=count)
    parts = {part: (after[part] - before.get(part, 0.0)) / (count - early) for part in after}
    walls = {"all (wall)": seconds / count, **function_times(system, count)}
    return as_measurements(system, {**parts, **walls}, count)


def spent(system: Drainable, executor: Executor) -> Spent:
    here = system.here
    assert here.server is not None
    found = {
        **threads_of(here.server.pid, "server", ["event loop"], "store threads"),
        **threads_of(executor.process.pid, "executor", ["user's loop", "link"], "other threads"),
    }
    if here.store.kind == "postgres":
        assert system.servers is not None
        found |= postgres_spent(system.servers.postgres.process.pid, here.files.name)
    return found


def threads_of(pid: int, role: str, names: list[str], rest: str) -> Spent:
    """Threads get their names in the order in which they were started; what comes after is one part."""
    threads = sorted(psutil.Process(pid).threads(), key=lambda thread: thread.id)
    found: Spent = {}
    for position, thread in enumerate(threads):
        part = f"{role} {names[position] if position < len(names) else rest}"
        found[part] = found.get(part, 0.0) + thread.user_time + thread.system_time
    return found


def postgres_spent(postmaster: int, database: str) -> Spent:
    """Backends of the database are told from PostgreSQL's own processes by what they call themselves."""
    found = {"postgres backends": 0.0, "postgres own processes": 0.0}
    for process in psutil.Process(postmaster).children():
        try:
            line, times = " ".join(process.cmdline()), process.cpu_times()
        except psutil.Error:
            continue
        part = "postgres backends" if f" {database} " in line else "postgres own processes"
        found[part] += times.user + times.system
    return found


def track_functions(system: Drainable) -> None:
    """Let PostgreSQL time the functions that claim and settle; the server has to connect anew for that."""
    here = system.here
    if here.store.kind != "postgres" or system.servers is None:
        return
    name = here.files.name
    here.stop_server()
    system.servers.postgres.query(name, f"ALTER DATABASE \"{name}\" SET track_functions = 'pl'")
    here.start_server()


def function_times(system: Drainable, count: int) -> Spent:
    if system.here.store.kind != "postgres" or system.servers is None:
        return {}
    # A backend publishes the last of its statistics when it ends, and otherwise ten seconds later.
    system.here.stop_server()
    question = "SELECT funcname, total_time FROM pg_stat_user_functions WHERE schemaname = 'mainspring'"
    rows = [row.split("|") for row in system.servers.postgres.query(system.here.files.name, question).splitlines()]
    return {FUNCTIONS[name]: float(total) / 1000 / count for name, total in rows if name in FUNCTIONS}


def as_measurements(system: Drainable, parts: Spent, count: int) -> list[Measurement]:
    details = {**system.details, "count": count}
    return [
        Measurement("profile", system.name, part, seconds * MICROSECONDS, "µs/run", details)
        for part, seconds in parts.items()
    ]
