"""The rows of the bench, each on an installation of its own."""

import os
from collections.abc import Callable

from bench.dispatch.behind_one import behind_one
from bench.dispatch.broken import broken
from bench.dispatch.drains import fair, gated, keyed_1, keyed_20
from bench.dispatch.flood import flood
from bench.dispatch.rated import rated
from bench.dispatch.round_robin import round_robin
from bench.dispatch.unconcerned import unconcerned
from bench.dispatch.why_waiting import why_waiting
from bench.measurement import Measurement
from bench.options import Options
from bench.systems.mainspring_drain import Drainable

Row = Callable[[Drainable, Options], list[Measurement]]
ROWS: dict[str, Row] = {
    "gated": gated,
    "keyed_20": keyed_20,
    "keyed_1": keyed_1,
    "fair": fair,
    "behind_one": behind_one,
    "flood": flood,
    "breaker": broken,
    "rate": rated,
    "unconcerned": unconcerned,
    "round_robin": round_robin,
    "why": why_waiting,
}
WANTED = os.environ.get("DISPATCH_ROWS", "")
"""Names with commas between; empty: all."""


def dispatch(system: Drainable, options: Options) -> list[Measurement]:
    names = WANTED.split(",") if WANTED else list(ROWS)
    found: list[Measurement] = []
    for name in names:
        system.renew(name)
        found += ROWS[name](system, options)
    return found
