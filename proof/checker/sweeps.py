"""Acts on many runs: canaries first, and the rest only if they did well; children with their parent."""

from collections.abc import Iterator
from itertools import pairwise

from proof.checker.life import is_claim
from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import Operation

SWEEP_MAX = 6.0
"""Seconds that a sweep has for what is left to it, while nothing goes wrong."""


def canaries_ignored(story: Story) -> Iterator[Violation]:
    """S33: behind its canaries a sweep goes on only if all of them succeeded."""
    if story.setup.failovers:
        return
    for row in story.records.sweep_rows:
        if not row.canaries:
            continue
        if row.state == "stopped" and row.changed > row.canaries:
            yield story.blame("S33", f"stopped behind {row.canaries} canaries, and changed {row.changed}", lines=[row])
        bad = [run for run in row.tried if not did_well(story, run)]
        if row.changed > len(row.tried) and bad:
            yield story.blame("S33", "went on, and a canary had not succeeded", bad[0], [row, *story.chains[bad[0]]])


def did_well(story: Story, run: str) -> bool:
    """Whether it succeeded after a caller had it run again."""
    revived = False
    for before, line in pairwise(story.chains.get(run, [])):
        revived |= before.state in FINAL and line.state not in FINAL
        if revived and line.state == "succeeded":
            return True
    return False


def children_run_on(story: Story) -> Iterator[Violation]:
    """S18: what a cancelled run had asked for is not started any more."""
    retried = {line.run: line.at for line in story.invocations if line.act == "retry"}
    swept = [(line.job, line.at) for line in story.invocations if line.act == "sweep"]
    for asked, answer in story.answered("cancel_below"):
        if story.forgotten(0.0, answer.at):
            continue
        since = answer.at + (SWEEP_MAX if answer.state == "sweeping" else 0.0)
        calm = answer.state != "sweeping" or not story.disturbed(answer.at - story.setup.lease, since)
        for child in children_of(story, asked):
            chain = story.chains.get(child, [])
            again = retried.get(child, -1.0) >= asked.at
            again |= any(chain and job == chain[-1].job and at >= asked.at for job, at in swept)
            if calm and not again and any(is_claim(line) and line.at > since for line in chain):
                yield story.blame("S18", "started after it was cancelled with its parent", child)


def children_of(story: Story, asked: Operation) -> Iterator[str]:
    """Those that were there when it was asked for."""
    for born, answer in story.answered("enqueue"):
        if born.parent == asked.run and answer.at < asked.at:
            yield answer.run
