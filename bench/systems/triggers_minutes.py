"""A million triggers that are due once an hour, a sixtieth of them at each minute: loaded by the bulk call, then watched."""

import math
import time

from bench.measurement import Measurement
from bench.starts import read_starts
from bench.systems.mainspring_cpu import Spent, since, spent_by_server
from bench.systems.mainspring_drain import Drainable
from bench.systems.mainspring_store import Reader
from bench.systems.triggers_memory import Memory, memory_of
from bench.systems.triggers_seconds import wait_until
from bench.systems.triggers_sizes import Sizes
from bench.ticks import MINUTE, Tick, hourly, judge, on_wall

HOURLY = "{minute} * * * *"
AHEAD = 50.0
"""Fires of a minute are prepared from 45 s ahead on; the first that counts is prepared like all the others."""
PATIENCE = 20.0


def minutes(system: Drainable, sizes: Sizes) -> list[Measurement]:
    here, servers = system.renew("minutes"), system.servers
    assert servers is not None
    executor = here.start_executor(system.app, "--pool", system.pool, mode="stamps")
    here.wait(lambda: here.attached() == 1, "the executor did not connect")
    fresh = spent_by_server(here, servers)
    loaded, begin, full = here.ask("triggers", str(sizes.count), HOURLY), time.time(), spent_by_server(here, servers)
    first = whole_minute(begin + AHEAD)
    last = first + (sizes.minutes - 1) * MINUTE
    wait_until(last + PATIENCE, here.check_alive)
    used, seconds = since(full, spent_by_server(here, servers)), time.time() - begin
    expected = due_between(sizes.count, first, last)
    found = judge(hourly(on_wall(read_starts(executor.probe))), expected)
    with here.store.read() as reader:
        details = {
            **system.details,
            "triggers": sizes.count,
            "minutes": sizes.minutes,
            "due_each": len(expected) // sizes.minutes,
            **ledger(reader, first, last),
        }
        claimed = claim_delays(reader, first, last)
    return [
        Measurement("triggers", system.name, "load", loaded, "s", {**details, "processor": since(fresh, full)}),
        *found.measurements(system.name, "each minute", "s", details),
        *as_claims(system, claimed, details),
        *as_use(system, used, memory_of(here.server), {**details, "seconds": seconds}),
    ]


def whole_minute(at: float) -> int:
    return math.ceil(at / MINUTE) * MINUTE


def due_between(count: int, first: int, last: int) -> list[Tick]:
    """Every instant of triggers 1 to `count`, from one minute to another, both included."""
    return [
        (number, due)
        for due in range(first, last + 1, MINUTE)
        for number in range(due // MINUTE % MINUTE, count + 1, MINUTE)
        if number
    ]


def ledger(reader: Reader, first: int, last: int) -> dict[str, object]:
    """What the store says: instants in the ledger, each with a run of its own, and runs that succeeded at once."""
    fired = f"SELECT count(DISTINCT run) FROM mainspring.fires WHERE {between('fire_at', first, last)}"
    done = (
        f"SELECT count(*) FROM mainspring.history WHERE state = 3 AND attempt = 1 AND {between('due_at', first, last)}"
    )
    skipped = f"SELECT count(*) FROM mainspring.skips WHERE {between('last_at', first, last)}"
    return {"fired": reader.value(fired), "succeeded": reader.value(done), "skipped": reader.value(skipped)}


def claim_delays(reader: Reader, first: int, last: int) -> dict[str, float]:
    """Seconds from the instant to the claim, as history has it."""
    delay = "extract(epoch FROM started_at - due_at)"
    where = f"FROM mainspring.history WHERE {between('due_at', first, last)}"
    return {
        f"p{share}": float(
            reader.value(f"SELECT percentile_disc({share / 100}) WITHIN GROUP (ORDER BY {delay}) {where}")
        )
        for share in (50, 95, 99)
    }


def between(column: str, first: int, last: int) -> str:
    return f"{column} BETWEEN to_timestamp({first}) AND to_timestamp({last})"


def as_claims(system: Drainable, claimed: dict[str, float], details: dict[str, object]) -> list[Measurement]:
    return [
        Measurement("triggers", system.name, f"each minute, claimed {share}", value, "s", details)
        for share, value in claimed.items()
    ]


def as_use(system: Drainable, used: Spent, memory: Memory, details: dict[str, object]) -> list[Measurement]:
    sizes = {"server memory": memory.now_mb, "server memory, peak": memory.peak_mb}
    return [
        *(Measurement("triggers", system.name, name, value, "MB", details) for name, value in sizes.items()),
        *(
            Measurement("triggers", system.name, f"processor of {part}", spent, "s", details)
            for part, spent in used.items()
        ),
    ]
