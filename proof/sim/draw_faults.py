"""What goes wrong in a trial: a different subset of faults each time, so that rare combinations come up too."""

import random
from collections.abc import Callable

from proof.sim.plan import Config, Trouble

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


def machine(draws: random.Random, config: Config) -> str:
    return executor(draws, config) if draws.random() < 0.7 else server(draws, config)


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


def clock_of_a_machine(fault: str, strengths: tuple[float, ...]) -> Draw:
    def one(draws: random.Random, config: Config) -> Trouble:
        at, lasts = moment(draws, config), long(draws, config)
        return Trouble(at=at, fault=fault, target=machine(draws, config), lasts=lasts, strength=draws.choice(strengths))

    return one


def fade(draws: random.Random, config: Config) -> Trouble:
    """Answers take longer and longer, up to most of a lease; then the executor is not heard any more."""
    return Trouble(
        at=round(draws.uniform(4.0, config.heal_at * 0.6), 3),
        fault="fade",
        target=executor(draws, config),
        lasts=round(draws.uniform(5.0, 7.0) * config.lease, 3),
        strength=round(draws.uniform(0.8, 0.95) * config.lease, 3),
    )


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
    "fade": fade,
    "slow_network": between("slow_network", (20.0, 200.0)),
    "doubles": between("doubles", (0.1, 0.5)),
    "store_outage": store("store_outage"),
    "store_refuses": store("store_refuses", (0.05, 0.3, 0.8)),
    "store_mutes": store("store_mutes", (0.05, 0.3, 0.8)),
    "store_slow": store("store_slow", (30.0, 300.0)),
    "store_lost": on("store_lost", server, any_length),
    "fail_over": store("fail_over"),
    "clock_jump": store("clock_jump", (-20.0, -0.3, 0.3, 20.0)),
    "machine_jump": clock_of_a_machine("machine_jump", (-3600.0, -20.0, -2.0, 2.0, 20.0, 3600.0)),
    "machine_drift": clock_of_a_machine("machine_drift", (-0.01, -0.001, 0.001, 0.01)),
}
