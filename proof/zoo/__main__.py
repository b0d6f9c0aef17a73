"""python -m proof.zoo [words of names]: which harness catches each bug, by which seed or case, and in how long."""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import msgspec

from proof.zoo.animals import BUGS
from proof.zoo.hunt import Hunt

SIDE_BY_SIDE = 2


def hunt_apart(name: str) -> Hunt:
    """In a process of its own: whatever a bug breaks there, the next hunt starts afresh."""
    command = [sys.executable, "-m", "proof.zoo.hunt", name]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode == 0:
        return msgspec.json.decode(done.stdout, type=Hunt)
    told = (done.stderr.decode(errors="replace").strip().splitlines() or [f"exit {done.returncode}"])[-1]
    return Hunt(bug=name, caught=False, by="nobody", told=f"the hunt itself broke down: {told}", took=0.0)


def hunts(names: Sequence[str], seconds: float) -> Iterator[Hunt]:
    """Each as it ends; those that have not begun in so many seconds are left out."""
    until = time.perf_counter() + seconds

    def in_time(name: str) -> Hunt | None:
        return hunt_apart(name) if time.perf_counter() < until else None

    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for done in as_completed([pool.submit(in_time, name) for name in names]):
            if (hunt := done.result()) is not None:
                yield hunt


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m proof.zoo", description=__doc__)
    parser.add_argument("words", nargs="*", help="hunt only those with one of these in their name")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no hunt behind so many")
    parser.add_argument("--record", type=Path, help="keep what was caught in this file, and do not hunt for it again")
    return parser.parse_args(arguments)


def recorded(record: Path | None) -> dict[str, Hunt]:
    """What was caught before, by its name."""
    if record is None or not record.exists():
        return {}
    known = [msgspec.json.decode(line, type=Hunt) for line in record.read_bytes().splitlines()]
    return {hunt.bug: hunt for hunt in known}


def keep(record: Path | None, hunt: Hunt) -> None:
    if record is not None and hunt.caught:
        with record.open("ab") as file:
            file.write(msgspec.json.encode(hunt) + b"\n")


def main(arguments: Sequence[str]) -> int:
    options = parse(arguments)
    wanted = [bug.name for bug in BUGS if not options.words or any(word in bug.name for word in options.words)]
    caught = {name: hunt for name, hunt in recorded(options.record).items() if name in wanted}
    for done in hunts([name for name in wanted if name not in caught], options.minutes * 60):
        print(done, flush=True)
        keep(options.record, done)
        if done.caught:
            caught[done.bug] = done
    print(f"{len(caught)} of {len(wanted)} bugs caught")
    return 0 if wanted and len(caught) == len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
