"""Triggers, in four parts: one that fires every second, a million of which some are due each minute, a herd that is due at
one instant, and the time that finding the next instant takes."""

from functools import partial

from bench.measurement import Measurement
from bench.systems.mainspring_drain import Drainable
from bench.systems.triggers_herd import herd
from bench.systems.triggers_minutes import minutes
from bench.systems.triggers_next import next_instant
from bench.systems.triggers_parts import measure_parts
from bench.systems.triggers_seconds import seconds
from bench.systems.triggers_sizes import sizes_from

PARTS = {"seconds": seconds, "minutes": minutes, "herd": herd, "next": next_instant}


def triggers(system: Drainable, *, quick: bool) -> list[Measurement]:
    sizes = sizes_from(quick=quick)
    parts = {name: partial(part, system, sizes) for name, part in PARTS.items()}
    return measure_parts(system.name, system.details, parts, sizes.parts)
