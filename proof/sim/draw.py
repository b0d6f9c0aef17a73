"""From a seed to a plan: what is set up, and what is asked for."""

import random
from typing import Literal

import msgspec

from proof.sim.calendars_draw import draw_calendar
from proof.sim.draw_faults import draw_nemesis
from proof.sim.draw_lasting import ROOM, draw_alone, draw_lasting
from proof.sim.fires_draw import draw_firing, draw_lapse
from proof.sim.jobs import LASTING, TIMEOUT, TRIES_ENDLESS, Kind
from proof.sim.limits.draw import draw_limits, draw_policies
from proof.sim.plan import Act, Config, Plan, Steering
from proof.sim.streams import stream
from proof.sim.suspensions_draw import draw_suspensions
from proof.sim.workflows.draw import draw_flows

WEIGHTS: dict[Kind, float] = {
    "quick": 6,
    "long": 3,
    "flaky": 3,
    "stubborn": 1,
    "poison": 0.4,
    "steps": 3,
    "effects": 2,
    "timed": 1.5,
    "again": 1,
    "quits": 1,
    "snoozes": 1.5,
    "budgeted": 0.7,
    "once": 1.5,
    "asks": 1.5,
}
SHARES = (0.3, 1.0, 1.0, 4.0)
NEVER_CALM = frozenset({"stubborn", "poison"})
SWEPT: tuple[Kind, ...] = ("flaky", "quits", "budgeted", "once", "timed")
"""Whose dead letters people have run again."""
FAILS: dict[Kind, tuple[int, ...]] = {
    "flaky": (0, 1, 1, 2, 5),
    "steps": (0, 0, 1, 2),
    "effects": (0, 0, 1, 2),
    "again": (1, 1, 2, 5),
    "quits": (0, 0, 1),
    "snoozes": (1, 1, 2, 3),
    "budgeted": (TRIES_ENDLESS,),
}
"""How many attempts fail, or are put off, before one does not."""
STEERING: dict[Steering, int] = {
    "cancel": 5,
    "retry": 3,
    "get": 2,
    "pause": 1,
    "resume": 1,
    "cordon": 1,
    "drain": 3,
    "uncordon": 3,
    "suspend": 4,
    "resume_run": 2,
    "sweep": 3,
}
RECOVERIES = 0.15
"""Share of seeds in which a sweep meets dead letters that succeed when they are tried again."""
CALM = 0.05
"""Share of seeds in which nothing goes wrong: everything has to be prompt then."""


def draw(seed: int) -> Plan:
    calm = stream(seed, "calm").random() < CALM
    config = with_times(stream(seed, "times"), draw_config(stream(seed, "config"), calm=calm))
    fires, troubles = draw_firing(stream(seed, "firing"), config, calm=calm)
    fires = draw_calendar(stream(seed, "calendar"), config, fires)
    workload = [*draw_workload(stream(seed, "workload"), config, calm=calm), *fires]
    if not calm:
        workload += draw_recovery(stream(seed, "recovery"), config)
        lapse, jump = draw_lapse(stream(seed, "lapse"), config)
        workload, troubles = [*workload, *lapse], [*troubles, *jump]
    nemesis = [] if calm else [*draw_nemesis(stream(seed, "nemesis"), config), *troubles]
    if not calm and (alone := draw_alone(stream(seed, "alone"), config)):
        config, nemesis = msgspec.structs.replace(config, slots=ROOM), alone
    workload += draw_lasting(stream(seed, "lasting"), config, nemesis)
    workload += draw_suspensions(stream(seed, "suspensions"), config, calm=calm)
    config, flows = draw_flows(stream(seed, "workflows"), config, calm=calm)
    workload += [*flows, *draw_limits(stream(seed, "limits"), config, calm=calm)]
    config, steered = draw_policies(stream(seed, "policies"), config, calm=calm)
    workload += steered
    return Plan(
        seed=seed,
        config=config,
        workload=tuple(sorted(workload, key=lambda act: act.at)),
        nemesis=tuple(sorted(nemesis, key=lambda trouble: trouble.at)),
    )


def with_times(draws: random.Random, config: Config) -> Config:
    """How far ahead fires are prepared, and whether a clock is set meanwhile."""
    turns: tuple[Literal["", "forward", "back"], ...] = ("", "", "", "", "", "", "forward", "back", "back")
    turn = "" if config.midnight else draws.choice(turns)
    return msgspec.structs.replace(config, look_ahead=draws.choice((1.0, 3.0, 8.0, 30.0)), turn=turn)


def draw_config(draws: random.Random, *, calm: bool) -> Config:
    servers = draws.choice((1, 2, 2, 3))
    lease = draws.choice((2.0, 3.0, 3.0, 5.0))
    skewed = draws.random() < 0.4 and not calm
    return Config(
        servers=servers,
        executors=draws.choice((2, 3, 3, 4)),
        lease=lease,
        grace=draws.choice((0.5, 1.0)),
        poll=draws.choice((0.5, 1.0)),
        claim_batch=draws.choice((1, 3, 50, 2000)),
        slots=64 if calm else draws.choice((1, 2, 4, 16)),
        waiting=draws.choice((0, 2, 8)),
        stop_grace=draws.choice((0.5, 1.5)),
        heal_at=draws.uniform(25.0, 45.0),
        midnight=draws.random() < 0.15,
        skews=tuple(round(draws.uniform(-30, 30), 3) for _ in range(servers)) if skewed else (),
        core=not calm and servers > 1 and draws.random() < 0.25,
    )


def draw_workload(draws: random.Random, config: Config, *, calm: bool) -> list[Act]:
    span = (3.0, config.heal_at - 1.0)
    count = draws.randint(20, 90)
    acts: list[Act] = []
    mix = draw_mix(draws, calm=calm)
    for number in range(count):
        at, server = draws.uniform(*span), draws.randrange(config.servers)
        acts.append(draw_enqueue(draws, config, mix, at, server, f"r{number}"))
        asked = acts[-1]
        if asked.key and draws.random() < 0.6:
            acts.append(draw_repeat(draws, asked))
        if not calm and draws.random() < 0.2:
            acts.append(draw_cancel(draws, asked))
        if draws.random() < 0.05:
            acts += draw_children(draws, asked, calm=calm)
    acts += [draw_steering(draws, config, span, count) for _ in range(0 if calm else draws.randint(0, 12))]
    return sorted(acts, key=lambda act: act.at)


def draw_mix(draws: random.Random, *, calm: bool) -> dict[Kind, float]:
    """How often each kind is asked for: some of them far more than others, and others in the next trial."""
    shares = {kind: weight * draws.choice(SHARES) for kind, weight in WEIGHTS.items()}
    return {kind: share for kind, share in shares.items() if not (calm and kind in NEVER_CALM)}


def draw_enqueue(
    draws: random.Random, config: Config, mix: dict[Kind, float], at: float, server: int, mark: str
) -> Act:
    kind = draws.choices(list(mix), list(mix.values()))[0]
    return Act(
        at=at,
        act="enqueue",
        server=server,
        mark=mark,
        kind=kind,
        seconds=round(seconds_of(draws, config, kind), 3),
        fails=draws.choice(FAILS.get(kind, (0,))),
        wait=round(wait_of(draws, kind), 3),
        delay=round(draws.uniform(0.1, 8.0), 3) if draws.random() < 0.2 else 0.0,
        deadline=round(draws.uniform(0.5, 12.0), 3) if draws.random() < 0.12 else 0.0,
        start_within=round(draws.uniform(0.3, 6.0), 3) if draws.random() < 0.08 else 0.0,
        key=f"key-{mark}" if draws.random() < 0.5 else "",
    )


def seconds_of(draws: random.Random, config: Config, kind: Kind) -> float:
    if kind in LASTING:
        return draws.uniform(0.5, 2.5) * config.lease
    if kind == "timed":
        return draws.uniform(0.3, 2.5) * TIMEOUT
    return draws.uniform(0.01, 0.5) * (4 if kind in {"steps", "effects"} else 1)


def wait_of(draws: random.Random, kind: Kind) -> float:
    """How long a handler wants to pass before its next attempt, or how much more time it wants for this one."""
    if kind == "timed":
        return draws.choice((0.0, 0.0, 0.5 * TIMEOUT, 2 * TIMEOUT))
    return draws.uniform(0.2, 4.0) if kind in {"again", "snoozes"} else 0.0


def draw_cancel(draws: random.Random, asked: Act) -> Act:
    """While it waits, runs, or waits for its next attempt."""
    at = asked.at + asked.delay + draws.uniform(0.05, max(asked.seconds, 1.0))
    return Act(at=at, act="cancel", server=asked.server, mark=asked.mark)


def draw_children(draws: random.Random, parent: Act, *, calm: bool) -> list[Act]:
    """Runs that its handler asks for, and mostly a caller who cancels them with it."""
    at = parent.at + draws.uniform(0.2, 1.0)
    children = [
        Act(
            at=at + number * 0.1,
            act="enqueue",
            server=parent.server,
            mark=f"{parent.mark}-child-{number}",
            kind=draws.choice(("quick", "long")),
            seconds=round(draws.uniform(0.5, 6.0), 3),
            parent=parent.mark,
            key=f"key-{parent.mark}-child-{number}",
        )
        for number in range(draws.randint(1, 5))
    ]
    if calm or draws.random() < 0.25:
        return children
    cancel = at + draws.uniform(0.6, 4.0)
    few = draws.random() < 0.5
    return [*children, Act(at=cancel, act="cancel_below", server=parent.server, mark=parent.mark, few=few)]


def draw_recovery(draws: random.Random, config: Config) -> list[Act]:
    """Some runs die of what is over soon; people try one of them again, and the others if that one succeeds."""
    if draws.random() >= RECOVERIES:
        return []
    at, server = draws.uniform(3.5, 6.0), draws.randrange(config.servers)
    dead = [
        Act(
            at=at + number * 0.1,
            act="enqueue",
            server=server,
            mark=f"dead-{number}",
            kind="flaky",
            seconds=0.05,
            fails=5,
        )
        for number in range(5)
    ]
    sweep = draws.uniform(14.0, config.heal_at - 2.0)
    return [*dead, Act(at=sweep, act="sweep", server=server, kind="flaky", canaries=1)]


def draw_repeat(draws: random.Random, first: Act) -> Act:
    """The same request again, or another one under the same key."""
    same = draws.random() < 0.7
    return Act(
        at=first.at + draws.uniform(0.0, 6.0),
        act="enqueue",
        server=draws.randrange(3),
        mark=first.mark if same else f"{first.mark}-other",
        kind=first.kind,
        seconds=first.seconds if same else first.seconds + 0.001,
        fails=first.fails,
        wait=first.wait,
        key=first.key,
    )


def draw_steering(draws: random.Random, config: Config, span: tuple[float, float], count: int) -> Act:
    at, server = draws.uniform(*span), draws.randrange(config.servers)
    act = draws.choices(list(STEERING), list(STEERING.values()))[0]
    if act in {"pause", "resume"}:
        return Act(at=at, act=act, server=server, name=draws.choice(("default", "other")))
    if act in {"cordon", "drain", "uncordon"}:
        return Act(at=at, act=act, server=server, name=f"executor-{draws.randrange(config.executors)}")
    if act == "sweep":
        return Act(at=at, act=act, server=server, kind=draws.choice(SWEPT), canaries=draws.choice((0, 0, 1, 2)))
    return Act(at=at, act=act, server=server, mark=f"r{draws.randrange(count)}", force=draws.random() < 0.3)
