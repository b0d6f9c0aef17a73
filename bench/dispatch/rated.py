"""A rate of 500 a second over two servers, with a backlog behind it: how much of it is used, and whether it is exceeded."""

from bisect import bisect_left

from bench.dispatch.clusters import servers_of, wait_for_all, wait_until
from bench.mainspring.names import RATED
from bench.measurement import Measurement
from bench.options import Options
from bench.starts import count_starts, read_starts
from bench.systems.mainspring_drain import Drainable

RATE = 500
BURST = 10
"""What may come together without a burst of its own: a fiftieth of a second's starts."""
SECONDS, SECONDS_QUICK = 60, 6
APP = "bench.mainspring.guarded:app"


def rated(system: Drainable, options: Options) -> list[Measurement]:
    seconds = SECONDS_QUICK if options.quick else SECONDS
    count, place = RATE * (seconds + 5), system.here
    place.register(APP)
    place.ask("fill", RATED, str(count), "0")
    with servers_of(place) as urls:
        executors = [place.start_executor(APP, "--server", url, mode="stamps") for url in urls]
        wait_for_all(place, executors)
        wanted = RATE * (seconds + 1)
        wait_until(place, lambda: sum(count_starts(one.probe) for one in executors) > wanted, "too few", seconds * 3.0)
        starts = sorted(start.at for one in executors for start in read_starts(one.probe))
    return as_measurements(system, starts, seconds, len(urls))


def as_measurements(system: Drainable, starts: list[float], seconds: int, servers: int) -> list[Measurement]:
    # From the second second on: the first executor may have been alone before.
    begin = bisect_left(starts, starts[0] + 1.0)
    window = starts[begin : bisect_left(starts, starts[begin] + seconds)]
    used = len(window) / (RATE * seconds) * 100
    densest = max(bisect_left(window, at + 1.0) - place for place, at in enumerate(window))
    details = {**system.details, "count": len(window), "servers": servers, "burst": BURST, "densest": densest}
    return [
        Measurement("dispatch", system.name, "rate used", used, "%", details),
        Measurement("dispatch", system.name, "most starts in a second, of 500", densest, "runs", details),
    ]
