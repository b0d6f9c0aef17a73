"""`python -m proof.sim`: many seeds, one seed with its story, or a saved plan."""

import argparse
import sys
from pathlib import Path

from proof.sim.draw import draw
from proof.sim.many import Result, Summary, many
from proof.sim.plan import Plan
from proof.sim.run import Trial, try_plan
from proof.sim.shrink import shrink
from proof.sim.sometimes import GOALS
from proof.sim.story import tell

SPEED_MIN = 50.0
SEEDS_FOR_ALL = 200
"""From so many seeds on, everything that has to be seen sometimes must have been seen."""


def main() -> int:
    options = parse()
    if options.seed is not None or options.plan is not None:
        plan = Plan.load(Path(options.plan)) if options.plan else draw(options.seed)
        return show(try_plan(plan), options)
    return run_many(range(options.first, options.first + options.seeds), options.cores)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m proof.sim", description=__doc__)
    parser.add_argument("--seeds", type=int, default=300, help="how many seeds to try")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--cores", type=int, default=None, help="how many processes to use")
    parser.add_argument("--seed", type=int, help="try only this one")
    parser.add_argument("--plan", help="try a saved plan")
    parser.add_argument("--story", action="store_true", help="tell everything that happened")
    parser.add_argument("--run", default="", help="with --story: only of this run, by its mark (r7) or its id")
    parser.add_argument("--shrink", action="store_true", help="look for the smallest plan that fails in the same way")
    parser.add_argument("--save", help="write the plan, shrunk or as it is, to this file")
    return parser.parse_args()


def show(trial: Trial, options: argparse.Namespace) -> int:
    if options.shrink and not trial.verdict.valid:
        small = shrink(trial.plan, trial.verdict.broken[0], tell=print)
        trial = try_plan(small)
    if options.save:
        trial.plan.save(Path(options.save))
    if options.story:
        for line in tell(trial.plan, trial.records, run=options.run):
            print(line)
    print(f"{trial.seconds:.0f} virtual seconds in {trial.took:.2f} s of a core, trace {trial.trace[:16]}")
    print(trial.verdict)
    return 0 if trial.verdict.valid else 1


def run_many(seeds: range, cores: int | None) -> int:
    summary = Summary()
    for result, so_far in many(seeds, cores=cores):
        summary = so_far
        progress(result, so_far, len(seeds))
    return report(summary)


def progress(result: Result, summary: Summary, count: int) -> None:
    if not result.verdict.valid:
        print(f"\nseed {result.seed}: {result.verdict}")
        print(f"  replay: python -m proof.sim --seed {result.seed} --story", flush=True)
    if summary.seeds % 20 == 0 or summary.seeds == count:
        print(f"{summary.seeds}/{count} seeds, {len(summary.failed)} failed, {summary.elapsed:.0f} s", flush=True)


def report(summary: Summary) -> int:
    print(f"\n{summary.seconds:.0f} virtual seconds, {summary.speed:.0f} for each second of a core")
    print("faults: " + ", ".join(f"{count} {name}" for name, count in sorted(summary.faults.items())))
    print("sometimes: " + ", ".join(f"{goal} {summary.reached[goal]}" for goal in GOALS))
    idle = f"; nothing to look at for {', '.join(summary.idle)}" if summary.idle else ""
    print(f"checked: {len(summary.checked)} invariants{idle}")
    reasons = []
    if summary.failed:
        reasons.append(f"seeds {', '.join(str(result.seed) for result in summary.failed)} failed")
    if summary.seeds >= SEEDS_FOR_ALL and summary.unseen:
        reasons.append(f"never seen: {', '.join(summary.unseen)}")
    if summary.seeds >= SEEDS_FOR_ALL and summary.idle:
        reasons.append(f"never checked: {', '.join(summary.idle)}")
    if summary.speed < SPEED_MIN:
        print(f"slower than {SPEED_MIN:.0f} times real time")
    print(f"invalid: {'; '.join(reasons)}" if reasons else f"valid: {summary.seeds} seeds held", flush=True)
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main())
