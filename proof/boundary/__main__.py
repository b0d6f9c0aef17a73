"""`python -m proof.boundary`: kill servers at the instants of triggers, and count what became of these."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from proof.boundary.trial import Outcome, try_boundaries
from tests.support.postgres import start_postgres


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proof.boundary", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how many servers to kill")
    parser.add_argument("--seed", type=int, default=1, help="how exactly to hit each instant")
    options = parser.parse_args()
    outcome = asyncio.run(on_postgres(options.kills, options.seed))
    print(outcome)
    return 0 if outcome.count.held else 1


async def on_postgres(kills: int, seed: int) -> Outcome:
    postgres, cluster = start_postgres()
    try:
        url = await postgres.create_migrated()
        with tempfile.TemporaryDirectory(prefix="mainspring-boundary-") as folder:
            return await try_boundaries(url, Path(folder), kills=kills, seed=seed)
    finally:
        if cluster is not None:
            cluster.stop()


if __name__ == "__main__":
    sys.exit(main())
