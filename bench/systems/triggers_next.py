"""How long it takes to find the next instant of a cron expression."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random

from bench.measurement import Measurement
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable
from bench.systems.triggers_sizes import Sizes
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.fire_times.timers import Timer
from mainspring.domain.triggers.spec import Cron, TriggerSpec
from mainspring.errors import InvalidInputError

TYPICAL = (
    "* * * * *",
    "*/5 * * * *",
    "*/15 * * * *",
    "0 * * * *",
    "17 * * * *",
    "0 */2 * * *",
    "30 9 * * *",
    "0 0 * * *",
    "30 9 * * 1-5",
    "0 9,12,18 * * *",
    "*/10 8-18 * * mon-fri",
    "0 3 * * sun",
    "0 0 1 * *",
    "15 2 1,15 * *",
    "0 0 1 1 *",
    "0 12 * 6-8 *",
    "* * * * * *",
    "*/30 * * * * *",
    "0 0 * * 6,7",
    "5 4 1-7 * *",
)
WORST = (
    "0 0 29 2 *",
    "0 0 29 2 mon",
    "59 59 23 29 2 *",
    "0 0 l 2 *",
    "0 0 l * *",
    "0 0 15w * *",
    "0 0 1w 1 *",
    "0 0 lw * *",
    "0 0 * * 5#5",
    "0 0 * 2 mon#5",
    "0 0 * * 5l",
    "30 2 * 3 sun",
    "30 2 * 10 sun",
    "30 1 * 11 sun",
)
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe")
IMPOSSIBLE = ("0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 31w 2 *")
BEGIN, YEARS = datetime(2026, 1, 1, tzinfo=UTC), 10
EDGES = (datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC), datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
"""Just before Berlin's clocks are set forward, and while they are set back."""
MICROSECONDS = 1_000_000


def next_instant(system: Drainable, sizes: Sizes) -> list[Measurement]:
    many, edges = instants(sizes.calls), EDGES * (sizes.calls // 2)
    typical = [time_of(timer, many) for timer in timers(TYPICAL)]
    worst = [time_of(timer, many) for timer in timers(WORST)]
    at_edges = [time_of(timer, edges) for timer in timers((*TYPICAL, *WORST))]
    details: dict[str, object] = {"calls": sizes.calls}
    refused = 1000 * max(map(time_refused, IMPOSSIBLE))
    return [
        as_measurement(system, "next, typical", typical, 0.5, details),
        as_measurement(system, "next, worst", worst, 1.0, details),
        as_measurement(system, "next, at the edges", at_edges, 1.0, details),
        Measurement("triggers", system.name, "impossible refused", refused, "ms", details),
    ]


def timers(expressions: Sequence[str]) -> list[Timer]:
    return [made(text, zone) for text, zone in product(expressions, ZONES)]


def made(text: str, zone: str) -> Timer:
    spec = TriggerSpec(name="bench", job="noop", when=Cron(expressions=(text,), zone=zone))
    return timer_of(spec, created_at=BEGIN)


def instants(count: int) -> list[datetime]:
    """The same ones for all, from ten years."""
    chance = Random(1)
    return [BEGIN + timedelta(seconds=chance.randrange(YEARS * 365 * 86_400)) for _ in range(count)]


def time_of(timer: Timer, instants: Sequence[datetime]) -> float:
    """Seconds of processor time of one call, as the mean of many."""
    begin = time.process_time()
    for at in instants:
        timer.next(at)
    return (time.process_time() - begin) / len(instants)


def time_refused(text: str) -> float:
    return timed(lambda: made(text, "Europe/Berlin"))


def timed(act: Callable[[], object]) -> float:
    begin = time.perf_counter()
    try:
        act()
    except InvalidInputError:
        return time.perf_counter() - begin
    raise AssertionError("an impossible day was not refused")


def as_measurement(
    system: Drainable, name: str, values: Sequence[float], share: float, details: dict[str, object]
) -> Measurement:
    """Of the expressions in all zones, the time that this share of them does not exceed."""
    found = [value * MICROSECONDS for value in values]
    more = {"expressions": len(found), "p50": percentile(found, 0.5), "min": min(found), "max": max(found)}
    return Measurement("triggers", system.name, name, percentile(found, share), "µs", {**details, **more})
