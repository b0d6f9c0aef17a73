"""The calendar of a trial: times at which the triggers that go by it start nothing, some of them as soon as these are over."""

import random
from datetime import timedelta

import msgspec

from mainspring.domain.calendars.spec import Blackout, CalendarSpec
from mainspring.domain.triggers.spec import Delay, Roll
from proof.sim.fires_draw import moment
from proof.sim.plan import Act, Config

SHARE = 0.3
"""Of the trials that have one."""
NAME = "quiet"
MADE = 2.0
"""Before there are triggers, and before anything goes wrong: nobody forgets it."""


def draw_calendar(draws: random.Random, config: Config, fires: list[Act]) -> list[Act]:
    """What is asked of triggers, some of which go by a calendar; it is made first, and often saved again."""
    if draws.random() >= SHARE or not fires:
        return fires
    blackouts = tuple(draw_blackout(draws, config) for _ in range(draws.randint(1, 4)))
    made = save(draws, config, CalendarSpec(name=NAME, blackouts=blackouts), MADE)
    again = [save_again(draws, config, made) for _ in range(draws.choice((0, 1, 2)))]
    named = sorted({act.name for act in fires})
    users = [name for name in named if draws.random() < 0.7]
    rolls = {name: draws.choice(tuple(Roll)) for name in users}
    return [made, *again, *(go_by(act, rolls[act.name]) if act.name in rolls else act for act in fires)]


def draw_blackout(draws: random.Random, config: Config) -> Blackout:
    since = moment(config, draws.uniform(4.0, config.heal_at + 6.0))
    return Blackout(since=since, until=since + timedelta(seconds=draws.randint(2, 9)))


def save(draws: random.Random, config: Config, spec: CalendarSpec, at: float) -> Act:
    return Act(at=at, act="define_calendar", server=draws.randrange(config.servers), name=NAME, calendar=spec)


def save_again(draws: random.Random, config: Config, made: Act) -> Act:
    """As another version that says the same: triggers are looked at again, and nothing may come of it."""
    assert made.calendar is not None
    spec = msgspec.structs.replace(made.calendar, description=f"saved again {draws.randrange(1000)}")
    return save(draws, config, spec, draws.uniform(5.0, config.heal_at - 1.0))


def go_by(act: Act, roll: Roll) -> Act:
    """A fixed delay has no instants that could be left out."""
    if act.spec is None or isinstance(act.spec.when, Delay):
        return act
    return msgspec.structs.replace(act, spec=msgspec.structs.replace(act.spec, calendar=NAME, roll=roll))
