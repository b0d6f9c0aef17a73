"""Looks for a bug of the simulation: with it in place, one of the first seeds must break an invariant."""

import msgspec

from proof.sim.draw import draw
from proof.sim.run import simulate
from proof.zoo.bug import Bug

SEEDS_MAX = 200


class Catch(msgspec.Struct, frozen=True, kw_only=True):
    """What gave a bug away."""

    seed: int
    broken: tuple[str, ...]
    message: str


def hunt_in_simulation(bug: Bug, *, first: int = 0, seeds: int = SEEDS_MAX) -> Catch | None:
    """The first seed that breaks something with the bug, and nothing without it; None if the bug has escaped."""
    for seed in range(first, first + seeds):
        if bug.needs and bug.needs.isdisjoint(ingredients(seed)):
            continue
        with bug.change():
            verdict = simulate(seed)
        if not verdict.valid and simulate(seed).valid:
            message = verdict.violations[0].message if verdict.violations else str(verdict)
            return Catch(seed=seed, broken=verdict.broken, message=message)
    return None


def ingredients(seed: int) -> set[str]:
    """What goes wrong in that trial, what clients ask for, and which way a clock is set."""
    plan = draw(seed)
    found = {trouble.fault for trouble in plan.nemesis} | {act.act for act in plan.workload} | {plan.config.turn}
    kinds: set[str] = {act.kind for act in plan.workload if act.act == "enqueue"}
    return found | kinds | ({"workflow"} if plan.config.flows else set())
