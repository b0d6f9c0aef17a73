"""`python -m proof.fleet TRIAL`: what a fleet of real processes does, printed and compared with its target."""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from proof.fleet.burst import burst
from proof.fleet.flows import killed_server
from proof.fleet.join import join
from proof.fleet.registry import registry_away
from proof.fleet.restart import rolling_restart
from proof.fleet.stage import Stage
from proof.fleet.storm import storm
from tests.support.postgres import start_postgres

Trial = Callable[[Stage, float], Awaitable[bool]]
TRIALS: dict[str, tuple[Trial, float, str]] = {
    "restart": (rolling_restart, 500.0, "runs a second"),
    "join": (join, 0.0, "not used"),
    "burst": (burst, 10_000.0, "runs"),
    "flows": (killed_server, 1_000.0, "workflow runs under way"),
    "storm": (storm, 300.0, "executors"),
    "registry": (registry_away, 600.0, "seconds without etcd"),
}
"""By name: the trial, its size and what that is."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proof.fleet", description=__doc__)
    parser.add_argument("trial", choices=sorted(TRIALS))
    parser.add_argument(
        "--size", type=float, help="; ".join(f"{name}: {what}" for name, (_, _, what) in TRIALS.items())
    )
    parser.add_argument("--keep", action="store_true", help="keep the folder with all logs")
    given = parser.parse_args()
    trial, size, _ = TRIALS[given.trial]
    folder = Path(tempfile.mkdtemp(prefix="mainspring-fleet-"))
    postgres, cluster = start_postgres()
    try:
        held = asyncio.run(play(trial, Stage(folder, postgres), size if given.size is None else given.size))
    finally:
        if cluster is not None:
            cluster.stop()
        if given.keep:
            print(f"logs: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print("held" if held else "NOT HELD")
    return 0 if held else 1


async def play(trial: Trial, stage: Stage, size: float) -> bool:
    await stage.open()
    try:
        return await trial(stage, size)
    finally:
        stage.close()


if __name__ == "__main__":
    sys.exit(main())
