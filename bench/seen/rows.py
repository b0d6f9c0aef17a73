"""The rows of the bench, each on an installation of its own."""

import os
from collections.abc import Callable

from bench.measurement import Measurement
from bench.options import Options
from bench.seen.drains import drains, prices
from bench.seen.evaluate import evaluate
from bench.seen.scrape import scrape
from bench.seen.told import storm, told
from bench.systems.mainspring_drain import Drainable

Row = Callable[[Drainable, Options], list[Measurement]]
ROWS: dict[str, Row] = {
    "drains": drains,
    "prices": prices,
    "scrape": scrape,
    "evaluate": evaluate,
    "told": told,
    "storm": storm,
}
WANTED = os.environ.get("SEEN_ROWS", "")
"""Names with commas between; empty: all."""


def seen(system: Drainable, options: Options) -> list[Measurement]:
    found: list[Measurement] = []
    for name in WANTED.split(",") if WANTED else ROWS:
        system.renew(name)
        found += ROWS[name](system, options)
    return found
