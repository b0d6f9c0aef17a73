"""From a seed to a plan: a different subset of faults each time, so that rare combinations come up too."""

import random
from collections.abc import Callable

from proof.sim.plan import Act, Config, Kind, Plan, Steering, Trouble
from proof.sim.streams import stream

QUEUES = {
    "quick": "default",
    "long": "default",
    "flaky": "other",
    "stubborn": "other",
    "poison": "default",
    "steps": "other",
}
ATTEMPTS = {"quick": 3, "long": 3, "flaky": 4, "stubborn": 2, "poison": 3, "steps": 5}
STEERING: dict[Steering, int] = {
    "cancel": 5,
    "retry": 3,
    "get": 2,
    "pause": 1,
    "resume": 1,
    "cordon": 1,
    "uncordon": 1,
    "suspend": 4,
    "resume_run": 2,
}
CALM = 0.05
"""Share of seeds in which nothing goes wrong: everything has to be prompt then."""


def draw(seed: int) -> Plan:
    calm = stream(seed, "calm").random() < CALM
    config = draw_config(stream(seed, "config"), calm=calm)
    return Plan(
        seed=seed,
        config=config,
        workload=tuple(draw_workload(stream(seed, "workload"), config, calm=calm)),
        nemesis=() if calm else tuple(draw_nemesis(stream(seed, "nemesis"), config)),
    )


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
    for number in range(count):
        at, server = draws.uniform(*span), draws.randrange(config.servers)
        acts.append(draw_enqueue(draws, config, at, server, f"r{number}", calm=calm))
        if acts[-1].key and draws.random() < 0.6:
            acts.append(draw_repeat(draws, acts[-1]))
    acts += [draw_steering(draws, config, span, count) for _ in range(0 if calm else draws.randint(0, 12))]
    return sorted(acts, key=lambda act: act.at)


def draw_enqueue(draws: random.Random, config: Config, at: float, server: int, mark: str, *, calm: bool) -> Act:
    weights = (6, 2, 3, 0, 0, 2) if calm else (8, 3, 4, 1, 0.4, 3)
    kind: Kind = draws.choices(("quick", "long", "flaky", "stubborn", "poison", "steps"), weights)[0]
    lasting = kind in {"long", "stubborn"}
    seconds = draws.uniform(0.5, 2.5) * config.lease if lasting else draws.uniform(0.01, 0.5)
    fails = {"flaky": (0, 1, 1, 2, 5), "steps": (0, 0, 1, 2)}.get(kind, (0,))
    return Act(
        at=at,
        act="enqueue",
        server=server,
        mark=mark,
        kind=kind,
        seconds=round(seconds * 4, 3) if kind == "steps" else round(seconds, 3),
        fails=draws.choice(fails),
        delay=round(draws.uniform(0.1, 8.0), 3) if draws.random() < 0.2 else 0.0,
        deadline=round(draws.uniform(0.5, 12.0), 3) if draws.random() < 0.12 else 0.0,
        key=f"key-{mark}" if draws.random() < 0.5 else "",
    )


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
        key=first.key,
    )


def draw_steering(draws: random.Random, config: Config, span: tuple[float, float], count: int) -> Act:
    at, server = draws.uniform(*span), draws.randrange(config.servers)
    act = draws.choices(list(STEERING), list(STEERING.values()))[0]
    if act in {"pause", "resume"}:
        return Act(at=at, act=act, server=server, name=draws.choice(("default", "other")))
    if act in {"cordon", "uncordon"}:
        return Act(at=at, act=act, server=server, name=f"executor-{draws.randrange(config.executors)}")
    return Act(at=at, act=act, server=server, mark=f"r{draws.randrange(count)}", force=draws.random() < 0.3)


Draw = Callable[[random.Random, Config], Trouble]


def draw_nemesis(draws: random.Random, config: Config) -> list[Trouble]:
    kinds = draws.sample(sorted(FAULTS), k=draws.randint(1, 5))
    troubles = [FAULTS[draws.choice(kinds)](draws, config) for _ in range(draws.randint(1, 9))]
    if config.midnight:
        # A standby that has not heard of the new day's tables is not what a fail-over is about.
        troubles = [one for one in troubles if one.fault != "fail_over"]
    return sorted(troubles, key=lambda trouble: trouble.at)


def server(draws: random.Random, config: Config) -> str:
    return f"server-{draws.randrange(config.servers)}"


def executor(draws: random.Random, config: Config) -> str:
    return f"executor-{draws.randrange(config.executors)}"


def moment(draws: random.Random, config: Config) -> float:
    return round(draws.uniform(4.0, config.heal_at - 2.0), 3)


def short(draws: random.Random, config: Config) -> float:
    return round(draws.uniform(0.05, 0.9) * config.lease, 3)


def long(draws: random.Random, config: Config) -> float:
    return round(draws.uniform(1.0, 3.0) * (config.lease + config.grace), 3)


def any_length(draws: random.Random, config: Config) -> float:
    return short(draws, config) if draws.random() < 0.5 else long(draws, config)


def on(
    fault: str, target: Callable[[random.Random, Config], str], lasts: Callable[[random.Random, Config], float]
) -> Draw:
    def one(draws: random.Random, config: Config) -> Trouble:
        at = moment(draws, config)
        return Trouble(at=at, fault=fault, target=target(draws, config), lasts=lasts(draws, config))

    return one


def between(fault: str, strengths: tuple[float, ...] = (0.0,)) -> Draw:
    def one(draws: random.Random, config: Config) -> Trouble:
        at = moment(draws, config)
        return Trouble(
            at=at,
            fault=fault,
            target=executor(draws, config),
            other=server(draws, config),
            lasts=any_length(draws, config),
            strength=draws.choice(strengths),
        )

    return one


def store(fault: str, strengths: tuple[float, ...] = (0.0,)) -> Draw:
    def one(draws: random.Random, config: Config) -> Trouble:
        at = moment(draws, config)
        return Trouble(at=at, fault=fault, lasts=any_length(draws, config), strength=draws.choice(strengths))

    return one


FAULTS: dict[str, Draw] = {
    "kill_server": on("kill_server", server, any_length),
    "pause_server": on("pause_server", server, any_length),
    "stop_server": on("stop_server", server, any_length),
    "kill_executor": on("kill_executor", executor, any_length),
    "vanish_executor": on("vanish_executor", executor, any_length),
    "pause_executor": on("pause_executor", executor, any_length),
    "stop_executor": on("stop_executor", executor, any_length),
    "isolate_executor": on("isolate_executor", executor, any_length),
    "partition": between("partition"),
    "one_way_up": between("one_way_up"),
    "one_way_down": between("one_way_down"),
    "cut": between("cut"),
    "slow_network": between("slow_network", (20.0, 200.0)),
    "doubles": between("doubles", (0.1, 0.5)),
    "store_outage": store("store_outage"),
    "store_refuses": store("store_refuses", (0.05, 0.3, 0.8)),
    "store_mutes": store("store_mutes", (0.05, 0.3, 0.8)),
    "store_slow": store("store_slow", (30.0, 300.0)),
    "store_lost": on("store_lost", server, any_length),
    "fail_over": store("fail_over"),
    "clock_jump": store("clock_jump", (-20.0, -0.3, 0.3, 20.0)),
}
