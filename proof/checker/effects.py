"""Effects: what the ledger knows of is not done again, unless the handler was told that nobody knows."""

from collections.abc import Iterator
from itertools import pairwise

from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import Execution


def effect_again(story: Story) -> Iterator[Violation]:
    """S32: only the first attempt that has the effect takes it for the first, and once it came to pass nobody has it again."""
    for run, lines in story.executions.items():
        # What the ledger held may have been forgotten with the commits that were lost.
        if not is_revived(story, run) and not story.forgotten(lines[0].at, lines[-1].at):
            yield from effect_again_of(story, run, lines)


def effect_again_of(story: Story, run: str, lines: list[Execution]) -> Iterator[Violation]:
    """By the numbers of attempts, not by time: one that was cut off may come late, and is the earlier one all the same."""
    over = {line.token for line in lines if line.event == "end"}
    applied = sorted((line for line in lines if line.event == "applied"), key=lambda line: line.attempt)
    for earlier, line in pairwise(applied):
        if line.token == earlier.token:
            continue
        if line.outcome == "first":
            yield story.blame("S32", f"effect {line.name} was begun before, and its handler was not told", run)
        if earlier.token in over:
            yield story.blame("S32", f"effect {line.name} had come to pass, and was had again", run)


def is_revived(story: Story, run: str) -> bool:
    """Whether a caller had it run again: then it begins anew, and so do its effects."""
    return any(a.state in FINAL and b.state not in FINAL for a, b in pairwise(story.chains.get(run, [])))
