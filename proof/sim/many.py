"""Many seeds on all cores: progress while they run, and in the end whether all that had to be seen was seen."""

import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

import msgspec

from proof.checker import CHECKS, Verdict
from proof.sim.draw import draw
from proof.sim.run import try_plan
from proof.sim.sometimes import Sometimes

TRIALS_PER_PROCESS = 40
"""Then new ones take over: what a trial leaves behind stays small."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One seed, without its records."""

    seed: int
    verdict: Verdict
    seconds: float
    took: float
    reached: dict[str, int]
    faults: list[str]
    trace: str


class Summary(msgspec.Struct, kw_only=True):
    """What all seeds come to."""

    seeds: int = 0
    failed: list[Result] = []
    seconds: float = 0.0
    took: float = 0.0
    elapsed: float = 0.0
    reached: Counter[str] = msgspec.field(default_factory=Counter)
    faults: Counter[str] = msgspec.field(default_factory=Counter)
    checked: set[str] = set()
    """Invariants that at least one seed had something to look at for."""

    def add(self, result: Result) -> None:
        self.seeds += 1
        self.seconds += result.seconds
        self.took += result.took
        self.reached.update(result.reached)
        self.faults.update(result.faults)
        self.checked |= set(result.verdict.checked)
        if not result.verdict.valid:
            self.failed = [*self.failed, result]

    @property
    def speed(self) -> float:
        """Virtual seconds per second of a core."""
        return self.seconds / max(self.took, 1e-9)

    @property
    def unseen(self) -> list[str]:
        return Sometimes.missing(self.reached)

    @property
    def idle(self) -> list[str]:
        """Invariants that no seed had anything to look at for."""
        return [name for name in dict.fromkeys(name for name, _ in CHECKS) if name not in self.checked]


def one(seed: int) -> Result:
    trial = try_plan(draw(seed))
    return Result(
        seed=seed,
        verdict=trial.verdict,
        seconds=trial.seconds,
        took=trial.took,
        reached=dict(trial.reached),
        faults=[fault.fault for fault in trial.records.faults],
        trace=trial.trace,
    )


def many(seeds: Iterable[int], *, cores: int | None = None) -> Iterator[tuple[Result, Summary]]:
    """Each result as it comes, with what all so far come to."""
    summary, began = Summary(), time.perf_counter()
    cores, context = cores or os.cpu_count() or 1, multiprocessing.get_context("spawn")
    for some in batched(list(seeds), cores * TRIALS_PER_PROCESS):
        # A process that dies takes the pool with it: nothing is passed over in silence.
        with ProcessPoolExecutor(cores, context) as pool:
            for done in as_completed([pool.submit(one, seed) for seed in some]):
                summary.add(done.result())
                summary.elapsed = time.perf_counter() - began
                yield done.result(), summary


def batched(seeds: list[int], size: int) -> Iterator[list[int]]:
    return (seeds[at : at + size] for at in range(0, len(seeds), size))
