"""One trigger that fires every second."""

import math
import time
from collections.abc import Callable, Iterable

from bench.measurement import Measurement
from bench.starts import read_starts
from bench.systems.mainspring_drain import Drainable
from bench.systems.triggers_sizes import Sizes
from bench.ticks import Tick, Ticks, judge, on_wall

EVERY_SECOND = "* * * * * *"
REST = 5.0
"""Until the first instant that counts: first connections and plans are not measured."""
PATIENCE = 5.0
ROUNDING = 0.001


def seconds(system: Drainable, sizes: Sizes) -> list[Measurement]:
    here = system.renew("seconds")
    executor = here.start_executor(system.app, "--pool", system.pool, mode="stamps")
    here.wait(lambda: here.attached() == 1, "the executor did not connect")
    here.ask("triggers", "1", EVERY_SECOND)
    begin, count = begin_and_count(sizes)
    wait_until(begin + count + PATIENCE, here.check_alive)
    found = judge_seconds(on_wall(read_starts(executor.probe)), begin, count)
    return found.measurements(system.name, "every second", "ms", {**system.details, "minutes": sizes.tick_minutes})


def begin_and_count(sizes: Sizes) -> tuple[int, int]:
    """The first instant that counts, and how many do."""
    return math.ceil(time.time() + REST), round(sizes.tick_minutes * 60)


def judge_seconds(starts: Iterable[tuple[int, float]], begin: int, count: int) -> Ticks:
    """A start belongs to the second in which it happens."""
    found: list[tuple[Tick, float]] = []
    for _, at in starts:
        due = math.floor(at + ROUNDING)
        found.append(((1, due), at - due))
    return judge(found, [(1, begin + number) for number in range(count)])


def wait_until(instant: float, check_alive: Callable[[], None]) -> None:
    while (left := instant - time.time()) > 0:
        check_alive()
        time.sleep(min(left, 1.0))
