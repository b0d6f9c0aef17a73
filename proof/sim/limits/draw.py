"""Draws runs of jobs with limits: of the job, of each key, and of starts in a time."""

import random

from proof.sim.jobs import Kind
from proof.sim.plan import Act, Config

SHARE = 0.4
"""Of the seeds in which there are such jobs."""
LIMITED: tuple[Kind, ...] = ("capped", "keyed", "rated")
GROUPS = ("red", "green", "blue")
CANCELS = 0.1


def draw_limits(draws: random.Random, config: Config, *, calm: bool) -> list[Act]:
    if calm or draws.random() >= SHARE:
        return []
    acts: list[Act] = []
    kinds = draws.sample(LIMITED, draws.randint(1, len(LIMITED)))
    for number in range(draws.randint(10, 40)):
        at, server = draws.uniform(3.0, config.heal_at - 1.0), draws.randrange(config.servers)
        act = Act(
            at=at,
            act="enqueue",
            server=server,
            mark=f"limited-{number}",
            kind=draws.choice(kinds),
            seconds=round(draws.uniform(0.05, 0.6 * config.lease), 3),
            fails=draws.choice((0, 0, 0, 1)),
            key=f"key-limited-{number}",
            group=draws.choice(GROUPS),
        )
        acts.append(act)
        if draws.random() < CANCELS:
            acts.append(Act(at=at + draws.uniform(0.1, 5.0), act="cancel", server=server, mark=act.mark))
    return acts
