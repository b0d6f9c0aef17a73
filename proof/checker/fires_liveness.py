"""That triggers go on: at their instants as long as one server can, and behind every run that they wait for."""

from collections.abc import Iterator

from proof.checker.fires import is_exhausted
from proof.checker.fires_calendar import left_out_last
from proof.checker.fires_policy import ended_at
from proof.checker.fires_story import Step, firing_of
from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import TriggerChange

PROMPT = 3.0
SERVERS = frozenset({"kill_server", "pause_server", "stop_server", "store_lost"})
"""What befalls one server: another one fires in its place."""
STORE = frozenset({"store_outage", "store_refuses", "store_mutes", "store_slow", "fail_over", "clock_jump"})
CLOCKS_AGREE = 0.1
RECOVERY = 2.0
"""Seconds behind a fault until everybody is as before."""


def late_fire(story: Story) -> Iterator[Violation]:
    """L3: an instant that was known beforehand is fired in time, whichever server has just died."""
    if story.setup.clocks_apart > CLOCKS_AGREE:
        return
    firing = firing_of(story)
    bound = PROMPT + 2 * story.setup.poll + story.setup.slack
    for step in firing.steps:
        row = step.before
        if row is None or row.paused or step.by_people or step.follows or row.next_due is None:
            continue
        due = firing.time_of(row.next_due)
        fired = any(line.fire_at == row.next_due for line in step.fires)
        if fired and row.at < due and step.at - due > bound and not hindered(story, due, step.at):
            yield story.blame("L3", f"fired {step.at - due:.1f} s behind its instant", step.fires[0].run, step.lines)


def hindered(story: Story, since: float, until: float) -> bool:
    """Whether no server could have fired then."""
    on = [one for one in story.records.faults if one.at <= until and one.until + RECOVERY >= since]
    down = {one.target for one in on if one.fault in SERVERS}
    return any(one.fault in STORE for one in on) or len(down) >= story.setup.servers


def left_behind(story: Story) -> Iterator[Violation]:
    """L3: when all is healed, no trigger is behind its instants, or waits for a run that has long been over."""
    healed = story.setup.healed_at
    if healed is None:
        return
    bound = PROMPT + 2 * story.setup.poll + story.setup.clocks_apart + story.setup.slack
    for steps in firing_of(story).by_trigger.values():
        last, row = steps[-1], steps[-1].before
        if row is None or last.after is None or not last.after.gone or last.at < healed + bound:
            continue
        late = max(behind(story, last, row), behind_calendar(story, steps, row))
        if late > bound:
            yield story.blame("L3", f"trigger {row.name} was left behind for {late:.1f} s", lines=last.lines)


def behind(story: Story, last: Step, row: TriggerChange) -> float:
    """Seconds by which the trigger should have been moved when it was taken away."""
    ends = [ended_at(story.chains.get(run, [])) for run in row.pending]
    over = [last.at - end for end in ends if end is not None]
    if row.paused or row.next_due is None or is_exhausted(row):
        return max(over, default=0.0)
    return max([*over, last.at - firing_of(story).time_of(row.next_due)])


def behind_calendar(story: Story, steps: list[Step], row: TriggerChange) -> float:
    """Seconds by which a server should have written down what a calendar left out and nothing came after."""
    if row.paused or row.next_due is not None or is_exhausted(row):
        return 0.0
    firing = firing_of(story)
    at = left_out_last(firing, steps[:-1], row)
    return 0.0 if at is None else steps[-1].at - firing.time_of(at)
