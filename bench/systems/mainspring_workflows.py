"""Workflows of no-op steps, end to end with a real executor: from the request to the result."""

from statistics import median

from bench.measurement import Measurement
from bench.systems.mainspring_chains import chains
from bench.systems.mainspring_drain import Drainable

ROUNDS = 3
SHAPES = {"chain": 1_000, "layers": 1_011, "mapped": 10_002, "broken": 101, "chains": 10_000}
"""Steps of each; of the one that is resumed, those that are run again."""
APP = "bench.mainspring.workflows:app"


def workflows(system: Drainable, *, quick: bool) -> list[Measurement]:
    place = system.here
    place.start_executor(APP, "--pool", "loop=0:2000:6000")
    place.wait(lambda: place.attached() == 1, "the executor did not connect")
    found = []
    for shape, steps in SHAPES.items():
        times = [place.ask("workflows", shape) for _ in range(1 if quick else ROUNDS)]
        details = {"steps": steps, "rounds": times, "steps_per_second": steps / median(times)}
        found.append(Measurement("workflows", system.name, shape, median(times), "s", details))
    return found + chains(system, rounds=1 if quick else ROUNDS)
