"""Faults that only what is under way can show: they come alone in some trials, and meet runs that last."""

import math
import random

from proof.sim.draw_faults import FAULTS
from proof.sim.plan import Act, Config, Trouble

ALONE = 0.12
"""Share of the trials in which one kind of fault is all that goes wrong: nothing else excuses what comes of it."""
SUBTLE = ("fade", "machine_jump")
ROOM = 16
"""Slots of each executor in such a trial: what is given up begins elsewhere at once."""
FADE_STEP, FADE_EVERY = 0.1, 0.25
"""By how much of a lease answers take longer, each time that so much of it has passed: too little to look like silence."""


def draw_alone(draws: random.Random, config: Config) -> list[Trouble]:
    """Faults of one subtle kind, or none: then others go wrong."""
    if draws.random() >= ALONE:
        return []
    kind = draws.choice(SUBTLE)
    # An executor that could begin what was given up must not fade as well.
    count = 1 if kind == "fade" else draws.randint(1, 4)
    return [FAULTS[kind](draws, config) for _ in range(count)]


def draw_lasting(draws: random.Random, config: Config, troubles: list[Trouble]) -> list[Act]:
    """Runs that begin before each subtle fault has its effect, and mostly last beyond it."""
    subtle = [one for one in troubles if one.fault in SUBTLE]
    return [act for place, one in enumerate(subtle) for act in lasting(draws, config, one, f"lasting-{place}")]


def lasting(draws: random.Random, config: Config, trouble: Trouble, mark: str) -> list[Act]:
    felt = silence_of(trouble, config.lease) if trouble.fault == "fade" else trouble.at
    return [
        Act(
            at=round(max(felt - draws.uniform(0.1, 1.2) * config.lease, 3.0), 3),
            act="enqueue",
            server=draws.randrange(config.servers),
            mark=f"{mark}-{number}",
            kind="long",
            seconds=round(draws.uniform(1.5, 3.0) * config.lease, 3),
        )
        for number in range(draws.randint(4, 10))
    ]


def steps_of(trouble: Trouble, lease: float) -> int:
    """How often answers get slower, in a network that fades."""
    return math.ceil(trouble.strength / (lease * FADE_STEP))


def silence_of(trouble: Trouble, lease: float) -> float:
    """When nothing more is heard in a network that fades."""
    return trouble.at + (steps_of(trouble, lease) + 2) * lease * FADE_EVERY
