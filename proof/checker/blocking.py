"""Blocking policies, replayed over each lane's history: who is skipped had to be, and who is replaced makes way."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from proof.checker.executions import executed
from proof.checker.life import LIMIT
from proof.checker.limits import limited_changes, place_of
from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import Transition

BLOCKED, SUPERSEDED = "blocked", "superseded"
LINE_MAX = 2
"""Runs that have never started and wait in a lane of which only the latest waits: one about to start, and that one."""


class Lane:
    """Who waits and who runs."""

    def __init__(self) -> None:
        self.waiting: dict[str, Transition] = {}
        self.running: dict[str, Transition] = {}

    def follow(self, line: Transition) -> None:
        self.waiting.pop(line.run, None)
        self.running.pop(line.run, None)
        if line.state == "running":
            self.running[line.run] = line
        elif line.state == "waiting" and line.reason == LIMIT:
            self.waiting[line.run] = line


def skipped_wrongly(story: Story) -> Iterator[Violation]:
    """S46: a run is blocked only where its lane was taken, and superseded only by another that waits from then on."""
    lanes: dict[tuple[str, str], Lane] = defaultdict(Lane)
    entered: dict[tuple[str, str], list[float]] = defaultdict(list)
    for line in blocking_changes(story):
        if is_entering(line):
            entered[place_of(story, line)].append(line.at)
    for line in blocking_changes(story):
        place = place_of(story, line)
        lane = lanes[place]
        others = (lane.waiting.keys() | lane.running.keys()) - {line.run}
        if line.state == "skipped" and line.reason == BLOCKED and not others:
            yield story.blame("S46", f"blocked though {' '.join(place)} was free", line.run, [line])
            return
        # Real databases have an instant for each change of one commit.
        near = any(abs(at - line.at) <= story.setup.slack for at in entered[place])
        if line.state == "skipped" and line.reason == SUPERSEDED and not near:
            yield story.blame("S46", f"superseded by no other of {' '.join(place)}", line.run, [line])
            return
        lane.follow(line)


def too_many_wait(story: Story) -> Iterator[Violation]:
    """S46: of the runs that have never started, only the latest waits behind the one that is about to."""
    lanes: dict[tuple[str, str], Lane] = defaultdict(Lane)
    for line, after in pairwise([*blocking_changes(story), None]):
        assert line is not None
        lane = lanes[place_of(story, line)]
        lane.follow(line)
        new = [one for one in lane.waiting.values() if one.attempt == 0]
        whole = after is None or after.at > line.at
        if whole and len(new) > LINE_MAX:
            message = f"{len(new)} wait in {' '.join(place_of(story, line))}, though only the latest may"
            yield story.blame("S46", message, line.run, new)
            return


def replaced_goes_on(story: Story) -> Iterator[Violation]:
    """S46: an attempt that a newer run replaces is stopped, whichever server dies."""
    bound = 2 * story.setup.poll + story.setup.stop_grace + story.setup.slack + 1.0
    lanes: dict[tuple[str, str], Lane] = defaultdict(Lane)
    for line in blocking_changes(story):
        lane = lanes[place_of(story, line)]
        lane.follow(line)
        if story.setup.jobs[line.job].blocking != "replace" or not is_entering(line) or line.attempt:
            continue
        for run in lane.running:
            for begun, end in executed(story.executions.get(run, [])):
                until = line.at + bound
                went_on = begun.at <= line.at and end.at > until
                if went_on and not story.disturbed(line.at - story.setup.lease, until):
                    message = f"went on for {end.at - line.at:.1f} s after a newer run came in its place"
                    yield story.blame("S46", message, run)
                    return


def is_entering(line: Transition) -> bool:
    return line.state == "waiting" and line.reason == LIMIT


def blocking_changes(story: Story) -> Iterator[Transition]:
    for line in limited_changes(story):
        if story.setup.jobs[line.job].blocking != "queue":
            yield line
