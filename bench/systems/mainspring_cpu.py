"""Processor time of Mainspring's processes and threads, and of PostgreSQL's."""

import psutil

from bench.servers import Servers
from bench.systems.mainspring_installation import Installation

Spent = dict[str, float]
"""Seconds of processor time by part."""


def spent_by_server(here: Installation, servers: Servers) -> Spent:
    """What the server has used, and the database behind it."""
    assert here.server is not None
    found = spent_by_threads(here.server.pid, "server", ["event loop"], "store threads")
    if here.store.kind == "postgres":
        found |= spent_by_postgres(servers.postgres.process.pid, here.files.name)
    return found


def spent_by_threads(pid: int, role: str, names: list[str], rest: str) -> Spent:
    """Threads get their names in the order in which they were started; what comes after is one part."""
    threads = sorted(psutil.Process(pid).threads(), key=lambda thread: thread.id)
    found: Spent = {}
    for position, thread in enumerate(threads):
        part = f"{role} {names[position] if position < len(names) else rest}"
        found[part] = found.get(part, 0.0) + thread.user_time + thread.system_time
    return found


def spent_by_postgres(postmaster: int, database: str) -> Spent:
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


def since(before: Spent, after: Spent) -> Spent:
    return {part: seconds - before.get(part, 0.0) for part, seconds in after.items()}
