"""Triggers, in four parts: one that fires every second, a million of which some are due each minute, a herd that is due at
one instant, and the time that finding the next instant takes."""

from collections.abc import Callable, Mapping

from bench.measurement import Measurement
from bench.systems.mainspring_drain import Drainable
from bench.systems.triggers_herd import herd
from bench.systems.triggers_minutes import minutes
from bench.systems.triggers_next import next_instant
from bench.systems.triggers_seconds import seconds
from bench.systems.triggers_sizes import Sizes, sizes_from

Part = Callable[[Drainable, Sizes], list[Measurement]]
PARTS: Mapping[str, Part] = {"seconds": seconds, "minutes": minutes, "herd": herd, "next": next_instant}


def triggers(system: Drainable, *, quick: bool) -> list[Measurement]:
    sizes = sizes_from(quick=quick)
    return [measurement for part in sizes.parts for measurement in PARTS[part](system, sizes)]
