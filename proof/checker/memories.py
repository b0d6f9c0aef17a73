"""Steps: what an attempt was told is remembered, and what is remembered is not called again."""

from collections.abc import Iterator

from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import Execution


def step_again(story: Story) -> Iterator[Violation]:
    """S31: once a step has returned to a handler it is never called again, and every attempt gets the same result."""
    forced = {line.run for line in story.invocations if line.act == "retry"}
    for run, lines in story.executions.items():
        # What was remembered may have been forgotten with the commits that were lost.
        if run not in forced and not story.forgotten(lines[0].at, lines[-1].at):
            yield from step_again_of(story, run, lines)


def step_again_of(story: Story, run: str, lines: list[Execution]) -> Iterator[Violation]:
    results: dict[str, Execution] = {}
    for line in lines:
        known = results.get(line.name)
        if line.event == "step" and known is not None and known.token != line.token:
            yield story.blame("S31", f"step {line.name} had returned, and was called again", run)
            return
        if line.event == "stepped" and known is not None and known.outcome != line.outcome:
            yield story.blame("S31", f"step {line.name} gave {known.outcome}, then {line.outcome}", run)
            return
        if line.event == "stepped":
            results.setdefault(line.name, line)
