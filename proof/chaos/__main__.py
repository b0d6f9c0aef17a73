"""python -m proof.chaos [--minutes n] [--fault name …] [--seed n] [--rate n] [--loopback] [--times report]"""

import argparse
import asyncio
import shutil
import signal
import sys
from pathlib import Path

import msgspec

from mainspring.errors import ConfigError
from proof.chaos.leftovers import Leftovers
from proof.chaos.plan import KINDS, NAMESPACES, abilities, make_plan
from proof.chaos.processes import CODE
from proof.chaos.report import render
from proof.chaos.stage import new_seed
from proof.chaos.trial import play, say

FOLDER = CODE / ".chaos"
RATE = 20.0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m proof.chaos", description="Break a fleet, and see what holds.")
    parser.add_argument("--minutes", type=float, default=10, help="about how long (default 10); below 9 a short round")
    parser.add_argument(
        "--fault", action="append", default=[], choices=[kind.name for kind in KINDS], help="only these"
    )
    parser.add_argument("--seed", type=int, help="for the order, the targets and the load; by lot if left out")
    parser.add_argument("--rate", type=float, default=RATE, help="requests per second (default 20)")
    parser.add_argument("--loopback", action="store_true", help="without namespaces, as where they are not permitted")
    parser.add_argument(
        "--times",
        choices=["decide", "report"],
        default="decide",
        help="whether a time over its target fails the trial, or is only reported, as on a machine shared with others",
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where reports, records and logs go")
    return parser.parse_args()


def main(arguments: argparse.Namespace) -> int:
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for gone in Leftovers(arguments.folder / "leftovers.jsonl").sweep():
        say(f"cleared away, of an earlier trial: {gone}")
    seed = new_seed() if arguments.seed is None else arguments.seed
    able = abilities() - {NAMESPACES} if arguments.loopback else abilities()
    plan = make_plan(60 * arguments.minutes, seed, only=arguments.fault, able=able)
    folder = arguments.folder / f"seed-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    report = asyncio.run(play(plan, folder, rate=arguments.rate, loopback=arguments.loopback))
    report = msgspec.structs.replace(report, times_decide=arguments.times == "decide")
    text = render(report)
    (folder / "report.txt").write_text(text)
    print(text)
    say(f"records, logs and throughput.svg: {folder}")
    return 0 if report.good else 1


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    # A terminated trial clears away like an interrupted one.
    signal.signal(signal.SIGTERM, interrupt)
    try:
        sys.exit(main(parse()))
    except KeyboardInterrupt:
        sys.exit("interrupted; everything that was started has been stopped")
    except (OSError, ConfigError) as error:
        sys.exit(f"chaos: {error}")
