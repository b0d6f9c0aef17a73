"""python -m bench.console.forecast [--database sqlite|postgres] [--triggers N]: a forecast that nobody has asked for yet."""

import argparse
import os
import tempfile
import time
from pathlib import Path

from bench.console.fill import fill_postgres, fill_sqlite
from bench.console.place import Place, opened
from bench.console.reads import prepare
from bench.stats import percentile

RUNS = 1_000
EVERY = 0.25
PATH = "forecast?hours=24&step=900"


def measure(place: Place) -> str:
    """Read it every quarter of a second until all is counted, and the overview beside it."""
    begun, processor = time.monotonic(), place.processor_with_database()
    reads, others, counting = [], [], True
    while counting:
        took, found = place.call("GET", PATH)
        reads.append(took)
        others.append(place.call("GET", "overview")[0])
        counting = found["counting"]
        time.sleep(EVERY)
    whole, spent = time.monotonic() - begun, place.processor_with_database() - processor
    return (
        f"{len(reads)} reads: first {reads[0]:.1f}, p95 {percentile(reads, 0.95):.1f}, most {max(reads):.1f} ms; overview"
        f" beside them p95 {percentile(others, 0.95):.1f} ms; {found['triggers']:,} triggers after {whole:.1f} s,"
        f" processor {spent:.1f} s, complete {found['complete']}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.console.forecast", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--triggers", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, opened(options.database, Path(folder)) as place:
        prepare(place)
        place.stop()
        if options.database == "sqlite":
            fill_sqlite(Path(folder) / "mainspring.db", RUNS, options.triggers)
        else:
            fill_postgres(place.store_url, RUNS, options.triggers)
        place.start()
        print(f"{options.database}, load {os.getloadavg()[0]:.1f}: {measure(place)}")


if __name__ == "__main__":
    main()
