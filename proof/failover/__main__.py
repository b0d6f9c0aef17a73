"""`python -m proof.failover`: kill the primary under load, and count what is lost and how soon it goes on.

Prints for each fault how long the database was away, how soon after that runs were accepted and executed again, and how many
accepted runs are missing; fails if any is, or if it took over 5 s.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from proof.failover.patroni import PatroniPair
from proof.failover.trial import FAULTS, GOING_AGAIN, Outcome, Trial


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proof.failover", description=__doc__)
    parser.add_argument("--fault", choices=sorted(FAULTS), action="append", help="only this one; may be repeated")
    parser.add_argument("--rate", type=float, default=50.0, help="runs asked for in a second")
    parser.add_argument("--keep", action="store_true", help="keep the folder with all logs")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mainspring-failover-"))
    folder.chmod(0o755)
    try:
        outcomes = asyncio.run(play(folder, given.fault or sorted(FAULTS), given.rate))
    finally:
        if given.keep:
            print(f"logs: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if all(one.held for one in outcomes) else 1


async def play(folder: Path, faults: list[str], rate: float) -> list[Outcome]:
    outcomes = []
    for fault in faults:
        place = folder / fault
        pair = PatroniPair(place)
        try:
            await pair.start()
            outcome = await Trial(pair, place, rate).play(fault)
        finally:
            pair.close()
        print(outcome.line, flush=True)
        outcomes.append(outcome)
    held = all(one.held for one in outcomes)
    print(f"{'held' if held else 'NOT HELD'}: nothing lost, and going again within {GOING_AGAIN:.0f} s")
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
