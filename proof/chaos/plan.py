"""Which faults are inflicted in which order: from a seed, as far as this machine permits them."""

import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from proof.chaos.faults import clocks, connections, databases, deaths, memory, pairs, partitions
from proof.chaos.figures import Figure
from proof.chaos.fleet import FAKETIME
from proof.chaos.network import namespaces_permitted
from proof.chaos.stage import Stage

Inflict = Callable[[Stage, random.Random], Awaitable[list[Figure]]]

NAMESPACES, FAKED_TIME, GROUPS = "network namespaces (root)", "libfaketime", "memory cgroups (root)"


@dataclass(frozen=True)
class Kind:
    """One kind of fault."""

    inflict: Inflict
    about: float
    """Seconds that it takes, with its healing and the rest afterwards."""
    needs: tuple[str, ...] = ()
    short: bool = False
    """Whether it is part of the short round."""

    @property
    def name(self) -> str:
        return self.inflict.__name__


KINDS = (
    Kind(deaths.kill_executor, 8, short=True),
    Kind(deaths.kill_server, 5, short=True),
    Kind(deaths.freeze_executor, 10, short=True),
    Kind(databases.crash_postgres, 6, short=True),
    Kind(deaths.freeze_server, 10),
    Kind(deaths.kill_child, 4),
    Kind(memory.out_of_memory, 5, needs=(GROUPS,)),
    Kind(deaths.rolling_restart, 26),
    Kind(deaths.drain_hung, 14),
    Kind(partitions.isolate_executor, 12, needs=(NAMESPACES,)),
    Kind(partitions.one_way, 6, needs=(NAMESPACES,)),
    Kind(partitions.cut_from_database, 10, needs=(NAMESPACES,)),
    Kind(partitions.every_pair, 41, needs=(NAMESPACES,)),
    Kind(connections.slow_connections, 10),
    Kind(connections.cut_connections, 8),
    Kind(connections.stall_connections, 10),
    Kind(connections.empty_balancer, 9),
    Kind(connections.kill_pooler, 6),
    Kind(databases.fail_over_sync, 11),
    Kind(databases.fail_over_async, 9, needs=(NAMESPACES,)),
    Kind(databases.disk_full, 10, needs=(NAMESPACES,)),
    Kind(databases.no_connections, 11),
    Kind(databases.lock_runs, 10),
    Kind(databases.long_transaction, 38),
    Kind(clocks.jump_clocks, 20, needs=(FAKED_TIME,)),
    Kind(pairs.two_at_once, 20),
)


@dataclass(frozen=True)
class Plan:
    """What is to be done, in this order."""

    seed: int
    kinds: tuple[Kind, ...]
    left_out: dict[str, str]
    """Faults that this machine does not permit, and what they would need."""


def make_plan(seconds: float, seed: int, *, only: Sequence[str] = (), able: Iterable[str] | None = None) -> Plan:
    """As many rounds as fit: in less than what all of them take, the short round; at least one, and one of what was named."""
    able = set(abilities() if able is None else able)
    wanted = [kind for kind in KINDS if not only or kind.name in only]
    left_out = {kind.name: ", ".join(set(kind.needs) - able) for kind in wanted if not set(kind.needs) <= able}
    possible = [kind for kind in wanted if kind.name not in left_out]
    if not only and seconds < sum(kind.about for kind in possible):
        possible = [kind for kind in possible if kind.short]
        left_out = {}
    time = 0.0 if only else seconds
    return Plan(seed, tuple(rounds(possible, time, random.Random(seed))), left_out)


def rounds(possible: Sequence[Kind], seconds: float, lot: random.Random) -> list[Kind]:
    """Whole rounds, each in an order of its own, until the time is used up."""
    chosen: list[Kind] = []
    once = sum(kind.about for kind in possible)
    for _ in range(max(1, int(seconds // once)) if once else 0):
        chosen += lot.sample(possible, len(possible))
    return chosen


@cache
def abilities() -> frozenset[str]:
    """What this machine permits."""
    found = {
        NAMESPACES: namespaces_permitted(),
        FAKED_TIME: bool(FAKETIME),
        GROUPS: memory.groups_permitted(),
    }
    return frozenset(name for name, there in found.items() if there)
