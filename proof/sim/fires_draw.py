"""What a trial does with triggers: which ones there are, what becomes of them, and what goes wrong as they fall due."""

import random
from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.domain.cron import Fold, Gap
from mainspring.domain.triggers.fire_times.misfires import Misfire
from mainspring.domain.triggers.spec import AnyRule, At, Cron, Delay, Every, Overlap, TriggerSpec, Windows
from proof.sim.plan import Act, Config, Steering, Trouble, start_of

SHARE = 0.8
"""Of the trials that have triggers at all."""
ZONE = "Europe/Berlin"
"""Whose clock is set in the trials in which one is."""
STEERED: dict[Steering, int] = {
    "define": 4,
    "pause_trigger": 3,
    "resume_trigger": 3,
    "skip_next": 2,
    "fire_now": 1,
    "delete_trigger": 1,
}
SOON = 0.02
"""Seconds around an instant in which it is fired, or claimed."""
LATE = 90.0
"""Seconds by which all clocks are set forward, so that what was due is missed."""
MISSED_AFTER = 60.0
LAPSES = 0.05
"""Share of the trials in which triggers are due once, in a time that nobody sees pass."""
LAPSED = (Misfire.SKIP, Misfire.SKIP, Misfire.ONCE, Misfire.ALL)


def draw_firing(draws: random.Random, config: Config, *, calm: bool) -> tuple[list[Act], list[Trouble]]:
    """What clients ask for, and what goes wrong besides."""
    if draws.random() >= SHARE:
        return [], []
    acts: list[Act] = []
    for number in range(draws.randint(1, 4)):
        acts += draw_life(draws, config, f"t{number}", calm=calm)
    return acts, [] if calm else draw_troubles(draws, config)


def draw_life(draws: random.Random, config: Config, name: str, *, calm: bool) -> list[Act]:
    """One trigger: it is made, and mostly changed, paused, resumed or taken away later on."""
    made = draws.uniform(3.0, 8.0 if draws.random() < 0.8 else config.heal_at - 2)
    acts = [define(draws, config, name, made, calm=calm)]
    for _ in range(draws.choice((0, 0, 1, 2, 4))):
        at = draws.uniform(made + 0.5, max(config.heal_at - 1.0, made + 0.6))
        act = draws.choices(list(STEERED), list(STEERED.values()))[0]
        if act == "define":
            acts.append(define(draws, config, name, at, calm=calm, before=acts[0].spec))
        else:
            acts.append(Act(at=at, act=act, server=draws.randrange(config.servers), name=name))
        if act in {"pause_trigger", "delete_trigger"} and draws.random() < 0.6:
            acts.append(revival(draws, config, name, at, act, calm=calm))
    return acts


def revival(draws: random.Random, config: Config, name: str, at: float, act: str, *, calm: bool) -> Act:
    """A pause ends, and what was taken away is made anew."""
    later = at + draws.uniform(0.5, 8.0)
    if act == "delete_trigger":
        return define(draws, config, name, later, calm=calm)
    return Act(at=later, act="resume_trigger", server=draws.randrange(config.servers), name=name)


def define(
    draws: random.Random, config: Config, name: str, at: float, *, calm: bool, before: TriggerSpec | None = None
) -> Act:
    """A definition; an edit often leaves the rule as it is."""
    spec, lasts = draw_spec(draws, config, name, at, calm=calm)
    if before is not None and draws.random() < 0.5:
        spec = msgspec.structs.replace(spec, when=before.when, end_at=before.end_at)
    server = draws.randrange(config.servers)
    return Act(at=at, act="define", server=server, name=name, spec=spec, seconds=lasts)


def draw_spec(draws: random.Random, config: Config, name: str, at: float, *, calm: bool) -> tuple[TriggerSpec, float]:
    """A definition, and how long each of its runs takes."""
    when = draw_rule(draws, config, at)
    job = draws.choice(("quick", "quick", "quick", "long", "quits", "flaky"))
    lasts = draws.uniform(0.01, 0.3) if calm or draws.random() < 0.6 else draws.uniform(0.5, 4.0)
    overlap = Overlap.ALLOW if draws.random() < 0.5 else draws.choice(list(Overlap))
    spec = TriggerSpec(
        name=name,
        job=job,
        when=when,
        misfire=draws.choice(list(Misfire)),
        catch_up_max=draws.choice((1, 2, 100)),
        start_deadline=draws.choice((1.0, 3.0)) if draws.random() < 0.2 else None,
        overlap=overlap,
        overlap_max=draws.choice((1, 3)),
        pause_after=draws.choice((1, 2, 3)) if job == "quits" and draws.random() < 0.6 else None,
        fires_max=draws.randint(2, 9) if draws.random() < 0.15 else None,
        jitter=draws.choice((0.5, 2.0)) if draws.random() < 0.15 else 0.0,
        end_at=moment(config, draws.uniform(at + 2, config.heal_at)) if draws.random() < 0.1 else None,
    )
    return spec, round(lasts, 3)


def draw_rule(draws: random.Random, config: Config, at: float) -> AnyRule:
    kind = draws.choices(("cron", "interval", "delay", "once", "windows"), (6, 3, 2, 2, 1))[0]
    match kind:
        case "interval":
            anchor = moment(config, draws.uniform(0, 3)) if draws.random() < 0.3 else None
            return Every(every=draws.choice((1.0, 1.5, 2.0, 5.0, 7.0)), anchor=anchor)
        case "delay":
            return Delay(delay=draws.choice((1.0, 2.0, 4.0)))
        case "once":
            return At(at=moment(config, at + draws.uniform(0.5, 12.0)))
        case "windows":
            opens = moment(config, at + draws.uniform(-5, 5))
            closes = opens + timedelta(seconds=draws.randint(5, 30))
            return Windows(every=draws.choice((1.0, 2.0, 3.0)), opens=f"{opens:%H:%M:%S}", closes=f"{closes:%H:%M:%S}")
        case _:
            return draw_cron(draws, config)


def draw_cron(draws: random.Random, config: Config) -> Cron:
    if not config.turn or draws.random() < 0.3:
        seconds = draws.choice(("*", "*/2", "*/5", "3,17,41", "10-30/4", "0"))
        second = (f"{draws.randrange(60)} * * * * *",) if draws.random() < 0.2 else ()
        return Cron(expressions=(f"{seconds} * * * * *", *second), zone=draws.choice(("UTC", ZONE)))
    # Times of day around the turn: some come twice, or never.
    minute, start = draws.choice(((59, 30), (59, 45), (0, 0), (0, 5)))
    expression = f"{start}-{start + 14}/{draws.choice((3, 5))} {minute} 2 * * *"
    return Cron(expressions=(expression,), zone=ZONE, gap=draws.choice(list(Gap)), fold=draws.choice(list(Fold)))


def moment(config: Config, seconds: float) -> datetime:
    """So many seconds behind the beginning, to the second: the smallest step of any rule."""
    found = start_of(config) + timedelta(seconds=seconds)
    return found.astimezone(UTC).replace(microsecond=0)


def draw_troubles(draws: random.Random, config: Config) -> list[Trouble]:
    """A server dies, stops or hears nothing just when something falls due; clocks go a long way."""
    troubles = []
    for _ in range(draws.choice((0, 1, 2))):
        due = draws.randint(8, int(config.heal_at) - 3) - start_of(config).microsecond / 1e6
        fault = draws.choice(("kill_server", "kill_server", "pause_server", "stop_server"))
        troubles.append(
            Trouble(
                at=round(due + draws.uniform(-SOON, SOON), 4),
                fault=fault,
                target=f"server-{draws.randrange(config.servers)}",
                lasts=round(draws.uniform(1.0, 3.0) * config.look_ahead, 3),
            )
        )
    if draws.random() < 0.06:
        at = round(draws.uniform(10.0, config.heal_at - 5.0), 3)
        troubles.append(Trouble(at=at, fault="clock_jump", strength=LATE))
    return troubles


def draw_lapse(draws: random.Random, config: Config) -> tuple[list[Act], list[Trouble]]:
    """All clocks go a long way, over instants for which it is too late then, whether they were prepared or not."""
    first, last = 1.0, LATE - MISSED_AFTER - 1
    if draws.random() >= LAPSES:
        return [], []
    at = round(draws.uniform(10.0, config.heal_at - 5.0), 3)
    acts = []
    for number in range(draws.randint(1, 3)):
        when = At(at=moment(config, at + draws.uniform(first, last)))
        spec = TriggerSpec(name=f"lapse-{number}", job="quick", when=when, misfire=draws.choice(LAPSED))
        made, server = draws.uniform(3.0, at - 1.0), draws.randrange(config.servers)
        acts.append(Act(at=made, act="define", server=server, name=spec.name, spec=spec, seconds=0.1))
    return [*acts, draw_often(draws, config, at)], [Trouble(at=at, fault="clock_jump", strength=LATE)]


def draw_often(draws: random.Random, config: Config, lapse: float) -> Act:
    """One that misses many instants of the lapse, and catches up with a few of them."""
    every, most = draws.choice((2.0, 5.0, 7.0)), draws.choice((1, 2, 5))
    spec = TriggerSpec(name="lapse-often", job="quick", when=Every(every=every), misfire=Misfire.ALL, catch_up_max=most)
    made, server = draws.uniform(3.0, lapse - 1.0), draws.randrange(config.servers)
    return Act(at=made, act="define", server=server, name=spec.name, spec=spec, seconds=0.1)
