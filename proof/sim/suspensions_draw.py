"""What is set aside in a trial: runs that come by checkpoints and are told to yield, and such as set themselves aside."""

import random

import msgspec

from proof.sim.plan import Act, Config, Steering

SHARE = 0.6
"""Of the trials that have some."""
SOON = (0.05, 1.5)
LATER = (0.5, 6.0)
MEANWHILE: tuple[Steering, ...] = ("resume_run", "resume_run", "suspend", "cancel")


def draw_suspensions(draws: random.Random, config: Config, *, calm: bool) -> list[Act]:
    if draws.random() >= SHARE and not calm:
        return []
    span = (3.0, config.heal_at - 5.0)
    acts: list[Act] = []
    for number in range(draws.randint(3, 7)):
        at, server = draws.uniform(*span), draws.randrange(config.servers)
        [draw_one] = draws.choices((draw_yielding, draw_parked, draw_failing), (4, 3, 1.5))
        acts += draw_one(draws, config, Act(at=at, act="enqueue", server=server, mark=f"aside-{number}"))
    return acts


def draw_yielding(draws: random.Random, config: Config, asked: Act) -> list[Act]:
    """A run that lasts beyond what it takes to tell it; a caller has it yield, and often resumes it soon."""
    seconds = round(draws.uniform(1.5, 4.0) * config.lease, 3)
    delay = round(draws.uniform(*LATER), 3) if draws.random() < 0.5 else 0.0
    acts = [born(asked, kind="checks", seconds=seconds), steer(draws, config, asked, "suspend", SOON, delay=delay)]
    if draws.random() < 0.3:
        acts.append(steer(draws, config, acts[-1], "suspend", LATER))
    if draws.random() < 0.5:
        acts.append(steer(draws, config, acts[-1], "resume_run", draws.choice((SOON, LATER))))
    return acts


def draw_parked(draws: random.Random, config: Config, asked: Act) -> list[Act]:
    """A run whose handler sets it aside, until an instant or until a caller resumes it."""
    wait = round(draws.uniform(*LATER), 3) if draws.random() < 0.6 else 0.0
    acts = [born(asked, kind="parks", seconds=0.2, fails=draws.choice((1, 1, 2)), wait=wait)]
    if draws.random() < 0.4:
        acts.append(steer(draws, config, asked, draws.choice(MEANWHILE), LATER))
    return acts


def draw_failing(draws: random.Random, config: Config, asked: Act) -> list[Act]:
    """A run that comes by nothing at which it could yield: it fails while it is to, or the caller thinks better of it."""
    acts = [
        born(asked, kind="flaky", seconds=round(draws.uniform(1.5, 2.5), 3), fails=1),
        steer(draws, config, asked, "suspend", SOON),
    ]
    if draws.random() < 0.5:
        acts.append(steer(draws, config, acts[-1], "resume_run", SOON))
    return acts


def born(asked: Act, **fields: object) -> Act:
    return msgspec.structs.replace(asked, **fields)


def steer(
    draws: random.Random, config: Config, behind: Act, act: Steering, span: tuple[float, float], *, delay: float = 0.0
) -> Act:
    at = behind.at + draws.uniform(*span)
    return Act(at=at, act=act, server=draws.randrange(config.servers), mark=behind.mark, delay=delay)
