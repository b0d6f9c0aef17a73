"""Which of the goals about limits a trial reached."""

from collections import Counter

from proof.checker.life import LIMIT
from proof.checker.limits import limited_changes, place_of
from proof.checker.story import Story
from proof.sim.sometimes import Sometimes


def reach_by_limits(story: Story, sometimes: Sometimes) -> None:
    running: Counter[tuple[str, str]] = Counter()
    held: set[str] = set()
    for line in limited_changes(story):
        if line.state == "waiting" and line.reason == LIMIT:
            sometimes.reach("run waited in its lane")
        if (line.state == "running") == (line.run in held):
            continue
        place = place_of(story, line)
        running[place] += 1 if line.state == "running" else -1
        held ^= {line.run}
        if line.state == "running" and running[place] == story.setup.jobs[line.job].at_once:
            sometimes.reach("limit of a job reached")
