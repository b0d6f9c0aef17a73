"""Draws runs of jobs with limits: of the job, of each key, and of starts in a time; and of jobs with other policies."""

import random

import msgspec

from mainspring.domain.breakers.spec import BreakerSpec
from proof.sim.jobs import GATEWAY, PROBES, Kind
from proof.sim.plan import Act, Config

SHARE = 0.4
"""Of the seeds in which there are such jobs."""
LIMITED: tuple[Kind, ...] = ("capped", "keyed", "rated")
STEERED: tuple[Kind, ...] = (
    "paced",
    "latest",
    "discards",
    "replaces",
    "booked",
    "pinned",
    "hashed",
    "guarded",
    "guarded",
)
GROUPS = ("red", "green", "blue")
CANCELS = 0.1
BREAKER = BreakerSpec(
    min_calls=4, window=5.0, wait=1.0, wait_max=4.0, probes=PROBES, probe_within=3.0, witnesses=1, failures=0.5
)
"""Short enough for a trial to see it open, probed and closed."""
DOWNS, DOWN_MAX = 2, 6.0
LASTS = 8
"""How much longer than others those take that newer ones replace."""


def draw_limits(draws: random.Random, config: Config, *, calm: bool) -> list[Act]:
    if calm or draws.random() >= SHARE:
        return []
    kinds = draws.sample(LIMITED, draws.randint(1, len(LIMITED)))
    return draw_runs(draws, config, kinds, "limited")


def draw_policies(draws: random.Random, config: Config, *, calm: bool) -> tuple[Config, list[Act]]:
    """Runs of jobs that block, book, go to one executor, or have a breaker, whose downstream is down meanwhile."""
    if calm or draws.random() >= SHARE:
        return config, []
    kinds = draws.sample(STEERED, draws.randint(1, 4))
    acts = draw_runs(draws, config, kinds, "steered")
    if "guarded" not in kinds:
        return config, acts
    begins = [draws.uniform(4.0, config.heal_at - 8.0) for _ in range(draws.randint(1, DOWNS))]
    downs = tuple((round(begin, 3), round(begin + draws.uniform(0.5, DOWN_MAX), 3)) for begin in sorted(begins))
    define = Act(at=1.5, act="define_breaker", server=draws.randrange(config.servers), name=GATEWAY)
    return msgspec.structs.replace(config, downs=downs), [define, *acts]


def draw_runs(draws: random.Random, config: Config, kinds: list[Kind], name: str) -> list[Act]:
    acts: list[Act] = []
    for number in range(draws.randint(10, 40)):
        at, server = draws.uniform(3.0, config.heal_at - 1.0), draws.randrange(config.servers)
        kind = draws.choice(kinds)
        act = Act(
            at=at,
            act="enqueue",
            server=server,
            mark=f"{name}-{number}",
            kind=kind,
            seconds=round(draws.uniform(0.05, 0.6 * config.lease) * (LASTS if kind == "replaces" else 1), 3),
            fails=draws.choice((0, 0, 0, 1)),
            key=f"key-{name}-{number}",
            group=draws.choice(GROUPS),
        )
        acts.append(act)
        if draws.random() < CANCELS:
            acts.append(Act(at=at + draws.uniform(0.1, 5.0), act="cancel", server=server, mark=act.mark))
    return acts
