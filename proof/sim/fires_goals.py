"""Which of the goals that concern triggers a trial reached."""

from collections.abc import Iterator

from proof.checker.fires_policy import time_of
from proof.checker.fires_story import (
    Firing,
    Step,
    firing_of,
    is_followed,
    is_put_off,
    is_timed,
    lasting,
    rule_of,
    spec_of,
)
from proof.checker.fires_walker import MICROS
from proof.checker.story import Story
from proof.records import FireChange, TriggerChange
from proof.sim.sometimes import Sometimes

SOON = 1.0
"""Seconds after a server's death in which what fell due is fired by another."""
DEATHS = frozenset({"kill_server", "pause_server"})
REASONS = frozenset(
    {"missed", "too_late", "too_many", "overlap", "held_full", "replaced", "paused", "asked", "calendar"}
)


def reach_by_fires(story: Story, sometimes: Sometimes) -> None:
    firing = firing_of(story)
    for step in firing.steps:
        for goal in goals_of(firing, step):
            sometimes.reach(goal)
    forgotten = {(line.trigger, line.fire_at) for line in story.records.fires if line.lost and line.on}
    for trigger, at, _ in lasting(firing):
        if (trigger, at) in forgotten:
            sometimes.reach("instant fired anew after a fail-over forgot it")


def goals_of(firing: Firing, step: Step) -> Iterator[str]:
    now, before, after = time_of(firing.story, step), step.before, step.after
    yield from (f"instant skipped: {line.reason}" for line in step.skips if line.reason in REASONS)
    if step.withdrawn:
        yield "prepared fire withdrawn"
    for line in step.fires:
        yield from goals_of_a_fire(firing, step, line, now)
    if before is not None and after is not None:
        yield from goals_of_a_move(step, before, after)
    came = [line for line in step.fires if now is not None and line.fire_at <= now]
    if len(came) > 1 and after is not None and not is_followed(spec_of(after)):
        yield "instants of one lapse caught up with"
    if any(line.reason == "missed" for line in step.skips):
        yield f"lapse of which {'only the latest' if came else 'nothing'} was fired"


def goals_of_a_move(step: Step, before: TriggerChange, after: TriggerChange) -> Iterator[str]:
    if step.follows and any(line.fire_at in before.held for line in step.fires):
        yield "instant fired once the run before was over"
    if spec_of(after).get("overlap") == "cancel_previous" and set(after.held) - set(before.held):
        yield "previous run cancelled for an instant"
    if after.paused and not before.paused and not step.by_people:
        yield "trigger paused by its failures"
    if step.follows and after.next_due is not None and spec_of(after)["when"]["kind"] == "delay":
        yield "fixed delay begun by a run's end"
    if "fires_max" in spec_of(after) and after.fired == spec_of(after)["fires_max"] and step.fires:
        yield "trigger ran out of fires"


def goals_of_a_fire(firing: Firing, step: Step, line: FireChange, now: int | None) -> Iterator[str]:
    yield "instant fired"
    if now is not None and line.fire_at > now:
        yield "fire prepared ahead"
    due = firing.time_of(line.fire_at)
    if any(one.fault in DEATHS and due - SOON <= one.at <= due <= one.until for one in firing.story.records.faults):
        yield "fired by another server after a death"
    row = step.after or step.before
    if row is not None and row.spec and "Berlin" in str(rule_of(row)) and " 2 * * *" in str(rule_of(row)):
        yield "time of day that was missing" if is_forward(line.fire_at) else "time of day that came twice"
    if row is not None and is_timed(row) and is_put_off(row) and line.fire_at in firing.ends(row):
        yield "instant put off by a calendar"


def is_forward(at: int) -> bool:
    """Whether it lies in the first half of the year, in which clocks are set forward."""
    return at // MICROS < 1_909_000_000
