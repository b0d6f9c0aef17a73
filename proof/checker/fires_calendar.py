"""What calendars leave out: written down, and only that."""

from collections.abc import Iterator

from proof.checker.fires_story import Firing, Step, firing_of, is_timed, spec_of
from proof.checker.fires_walker import EVER
from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import SkipChange, TriggerChange


def left_out_wrongly(story: Story) -> Iterator[Violation]:
    """S11: what is written down as left out by a calendar begins and ends with instants that it does leave out."""
    firing = firing_of(story)
    for step in firing.steps:
        row = step.before or step.after
        for line in spans(step):
            ends = {line.first, line.last}
            if row is None or not ends <= set(firing.left_out(row, line.first, line.last + 1)):
                message = (
                    f"from {firing.time_of(line.first):.3f} to {firing.time_of(line.last):.3f} no calendar says so"
                )
                yield story.blame("S11", message, lines=step.lines)


def left_out_untold(story: Story) -> Iterator[Violation]:
    """S11: a server that fires after instants that a calendar leaves out has written them down."""
    firing = firing_of(story)
    for steps in firing.by_trigger.values():
        told: list[SkipChange] = []
        for step in steps:
            told += spans(step)
            for at in untold(firing, step, told):
                message = f"the instant {firing.time_of(at):.3f} was left out, and nobody wrote it down"
                yield story.blame("S11", message, lines=step.lines)


def untold(firing: Firing, step: Step, told: list[SkipChange]) -> list[int]:
    """Instants between those of the step's fires and the ones before them, as far as the trigger was as it is."""
    row = step.before
    if row is None or step.after is None or step.by_people or not is_timed(row):
        return []
    found: list[int] = []
    for line in step.fires:
        since = max([row.updated_at + 1, *firing.named(row, 0, line.fire_at)[-1:]])
        found += firing.left_out(row, since, line.fire_at)
    return [at for at in found if not any(line.first <= at <= line.last for line in told)]


def left_out_last(firing: Firing, steps: list[Step], row: TriggerChange) -> int | None:
    """The last instant of a trigger, if a calendar leaves it out and nobody wrote it down; none of one without an end."""
    spec = spec_of(row)
    if not is_timed(row) or ("end_at" not in spec and spec["when"]["kind"] != "once"):
        return None
    since = max([row.updated_at + 1, *firing.named(row, 0, EVER)[-1:]])
    told = [line for step in steps for line in spans(step)]
    rest = firing.left_out(row, since, EVER)[-1:]
    return next((at for at in rest if not any(line.first <= at <= line.last for line in told)), None)


def spans(step: Step) -> list[SkipChange]:
    return [line for line in step.skips if line.reason == "calendar"]
