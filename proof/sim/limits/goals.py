"""Which of the goals about limits a trial reached."""

from collections import Counter

from proof.checker.blocking import BLOCKED, SUPERSEDED
from proof.checker.life import LIMIT
from proof.checker.limits import limited_changes, place_of
from proof.checker.story import Story
from proof.sim.sometimes import Sometimes

SKIPS = {SUPERSEDED: "run superseded by a later one", BLOCKED: "run blocked by the one before"}


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
    reach_by_policies(story, sometimes)


def reach_by_policies(story: Story, sometimes: Sometimes) -> None:
    probed = False
    for line in story.records.rules:
        if line.kind == "open" and line.on:
            sometimes.reach("breaker opened")
        elif line.kind == "probing":
            if line.on:
                sometimes.reach("breaker probed")
            elif probed:
                sometimes.reach("breaker closed again")
            probed = line.on
    for change in story.records.transitions:
        if change.state == "skipped" and change.reason in SKIPS:
            sometimes.reach(SKIPS[change.reason])
    if full(story):
        sometimes.reach("executor had no licence left")


def full(story: Story) -> bool:
    """Whether as many attempts of one session were under way as it has licences for."""
    held: dict[str, str] = {}
    for line in story.records.transitions:
        rule = story.setup.jobs.get(line.job)
        if rule is None or not rule.licences:
            continue
        held.pop(line.run, None)
        if line.state == "running":
            held[line.run] = line.session
            if Counter(held.values())[line.session] * rule.licences == story.setup.licences:
                return True
    return False
