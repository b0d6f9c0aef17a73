"""python -m proof.zoo [words of names]: which harness catches each bug, by which seed or case, and in how long."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

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


def hunts(names: Sequence[str]) -> Iterator[Hunt]:
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for done in as_completed([pool.submit(hunt_apart, name) for name in names]):
            yield done.result()


def main(words: Sequence[str]) -> int:
    wanted = [bug.name for bug in BUGS if not words or any(word in bug.name for word in words)]
    escaped = 0
    for done in hunts(wanted):
        print(done, flush=True)
        escaped += not done.caught
    print(f"{len(wanted) - escaped} of {len(wanted)} bugs caught")
    return 1 if escaped or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
