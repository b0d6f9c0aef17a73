"""A server of hundreds of executors is killed and started again: all come back soon, and not all at once."""

from collections import Counter
from pathlib import Path

import psutil

from proof.fleet.stage import Stage
from tests.support.processes import ServerProcess, eventually

BACK_WITHIN = 5.0
ANSWER_MAX = 1.0
"""Seconds for which the server may keep a health check waiting meanwhile."""
AT_ONCE = 0.5
"""The largest part of the executors that may dial within a tenth of a second."""
LOOK = 0.05
PARTS = 10


async def storm(stage: Stage, size: float) -> bool:
    """`size` is how many executors there are."""
    count, dials = round(size), stage.folder / "dials"
    server = await stage.server(0)
    stage.links(count, dials, server)
    await eventually(lambda: attached(server, count), "all executors", within=120.0)
    await server.kill()
    # Long enough that every executor has failed some times.
    await stage.clock.sleep(3.0)
    server.start()
    await server.listening()
    began, slowest, spent = stage.clock.monotonic(), 0.0, processor_time(server)

    async def back() -> bool:
        nonlocal slowest
        asked = stage.clock.monotonic()
        is_back = await attached(server, count)
        slowest = max(slowest, stage.clock.monotonic() - asked)
        await stage.clock.sleep(LOOK)
        return is_back

    await eventually(back, "all executors again", within=60.0)
    took = stage.clock.monotonic() - began
    spent = processor_time(server) - spent
    most, tries = crowd(dials, began - 1.0)
    print(f"{count} executors: all attached {took:.1f} s after the server listened again (at most {BACK_WITHIN} s)")
    print(f"processor time of the server for it {spent:.2f} s, {spent / count * 1000:.1f} ms for each")
    print(f"slowest health check meanwhile {slowest * 1000:.0f} ms (at most {ANSWER_MAX * 1000:.0f})")
    print(f"{tries} dials; at most {most} within a tenth of a second (at most {AT_ONCE:.0%} of the executors)")
    return took <= BACK_WITHIN and slowest <= ANSWER_MAX and most <= AT_ONCE * count


async def attached(server: ServerProcess, count: int) -> bool:
    found = await server.readiness()
    return found is not None and found.code == 200 and found.executors >= count


def processor_time(server: ServerProcess) -> float:
    times = psutil.Process(server.pid).cpu_times()
    return float(times.user + times.system)


def crowd(dials: Path, since: float) -> tuple[int, int]:
    """The most dials in a tenth of a second, and all of them."""
    times = [at for line in dials.read_text().splitlines() if (at := float(line)) >= since]
    return max(Counter(int(at * PARTS) for at in times).values(), default=0), len(times)
