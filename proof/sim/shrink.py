"""From a plan that fails to a small one that fails in the same way: first the faults, then the workload."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from proof.sim.plan import Plan
from proof.sim.run import simulate

T = TypeVar("T")

Progress = Callable[[str], None]


def shrink(plan: Plan, invariant: str, *, tries: int = 300, tell: Progress = lambda _: None) -> Plan:
    """The smallest plan found that still violates the invariant; each try is a whole trial."""
    budget = Budget(tries)

    def fails(candidate: Plan) -> bool:
        return budget.spend() and invariant in simulate(candidate.seed, plan=candidate).broken

    for field in ("nemesis", "workload", "nemesis"):
        before, plan = plan, shrink_field(plan, field, fails)
        tell(f"{field}: {len(getattr(before, field))} -> {len(getattr(plan, field))} ({budget.left} tries left)")
    return plan


def shrink_field(plan: Plan, field: str, fails: Callable[[Plan], bool]) -> Plan:
    def holding(items: Sequence[object]) -> Plan:
        return msgspec.structs.replace(plan, **{field: tuple(items)})

    return holding(ddmin(getattr(plan, field), lambda items: fails(holding(items))))


class Budget:
    """How many more trials may be run."""

    def __init__(self, tries: int) -> None:
        self.left = tries

    def spend(self) -> bool:
        self.left -= 1
        return self.left >= 0


def ddmin(items: Sequence[T], fails: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """Zeller's delta debugging: a subset that still fails, and none of whose parts at the last size can be left out."""
    if not items or fails(()):
        return ()
    parts = 2
    while len(items) >= 2:
        size = max(1, len(items) // parts)
        chunks = [items[at : at + size] for at in range(0, len(items), size)]
        smaller = next((rest for rest in without_each(chunks) if len(rest) < len(items) and fails(rest)), None)
        if smaller is not None:
            items, parts = smaller, max(parts - 1, 2)
        elif size == 1:
            return items
        else:
            parts = min(len(items), parts * 2)
    return items


def without_each(chunks: Sequence[Sequence[T]]) -> list[Sequence[T]]:
    return [[item for other in chunks if other is not chunk for item in other] for chunk in chunks]
