"""Which of the goals about runs that are set aside a trial reached."""

from collections.abc import Iterator
from itertools import pairwise

from proof.checker.endings import settled
from proof.checker.story import Story
from proof.checker.suspensions import YIELDED, is_aside, is_to_yield
from proof.records import Execution, Transition
from proof.sim.sometimes import Sometimes


def reach_by_suspensions(story: Story, sometimes: Sometimes) -> None:
    for chain in story.chains.values():
        for before, line in pairwise(chain):
            for goal in goals_of_changes(story, before, line):
                sometimes.reach(goal)
    for before, line, end in settled(story):
        if is_aside(line):
            sometimes.reach(goal_of_end(before, end))
    for lines in story.executions.values():
        starts = {line.token: line.attempt for line in lines if line.event == "start"}
        for token, first in first_checkpoints(lines).items():
            if starts.get(token, 1) > 1 and first > 1:
                sometimes.reach("run went on from its checkpoint")


def goals_of_changes(story: Story, before: Transition, line: Transition) -> Iterator[str]:
    if is_to_yield(before) and line.state == "running" and not line.reason:
        yield "wish to suspend taken back in time"
    if is_aside(before) and line.state == "queued":
        resumed = any(
            asked.act == "resume_run" and asked.at <= line.at <= answer.at
            for asked, answer in story.answered("resume_run")
            if asked.run == line.run
        )
        yield "suspended run resumed" if resumed else "suspended run went on at its instant"


def goal_of_end(before: Transition, end: Execution) -> str:
    if end.outcome == YIELDED:
        return "handler yielded"
    return "wish to suspend met another end" if is_to_yield(before) else "handler suspended its own run"


def first_checkpoints(lines: list[Execution]) -> dict[str, int]:
    """By token: how far the attempt had come at its first checkpoint."""
    found: dict[str, int] = {}
    for line in lines:
        if line.event == "checkpoint":
            found.setdefault(line.token, int(line.outcome))
    return found
