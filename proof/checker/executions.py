"""What was physically executed, against who owned the run: nobody else at the same time, and no end unheard."""

from collections.abc import Iterator
from itertools import pairwise

from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import Execution, Transition

STUBBORN = "stubborn"
"""Handlers of this name do not stop when they are told to: that they overlap is their own doing."""
POISON = "poison"
"""Handlers of this name take their executor with them."""
FORGETTING = frozenset({"fail_over", "clock_jump"})
"""What may take a run from an executor that did nothing wrong and cannot know yet."""


def overlaps(story: Story) -> Iterator[Violation]:
    """S9: while one attempt is executed, no other is, unless the machine of the first stood still."""
    if any(fault.fault in FORGETTING for fault in story.records.faults):
        return
    for run, lines in story.executions.items():
        if story.chains.get(run) and story.chains[run][-1].job == STUBBORN:
            continue
        spans = list(executed(lines))
        for (begun, end), (later, _) in pairwise(sorted(spans, key=lambda span: span[0].at)):
            if begun.at <= later.at < end.at - story.setup.slack and not stood_still(story, begun, later.at):
                message = (
                    f"attempt {later.attempt} began {end.at - later.at:.3f} s before attempt {begun.attempt} ended"
                )
                yield story.blame("S9", message, run)


def executed(lines: list[Execution]) -> Iterator[tuple[Execution, Execution]]:
    """The beginning and the end of each execution; one that was killed with its process has no end to speak of."""
    begun: dict[tuple[str, str], Execution] = {}
    for line in lines:
        if line.event == "start":
            begun[line.executor, line.token] = line
        elif line.event in {"end", "killed"} and (first := begun.pop((line.executor, line.token), None)) is not None:
            yield first, line


def stood_still(story: Story, line: Execution, until: float) -> bool:
    """Or a fail-over forgot that it was ever given away: its executor hears of that only afterwards."""
    since = line.at - story.setup.lease
    return story.forgotten(line.at) or any(
        fault.fault.startswith("pause") and fault.target == line.executor and fault.at <= until and fault.until >= since
        for fault in story.records.faults
    )


def unheard(story: Story) -> Iterator[Violation]:
    """S8: an attempt that has come to its own end is not taken for one that never began, unless a fail-over forgot that end."""
    if any(fault.fault in FORGETTING for fault in story.records.faults):
        return
    for run, chain in story.chains.items():
        ends = {line.token: line for line in story.executions.get(run, []) if line.event == "end"}
        for before, line in pairwise(chain):
            end = ends.get(before.token) if before.token else None
            # Who yields because of a wish that is taken back meanwhile goes on from there.
            if end is None or end.outcome == "yielded" or was_leaving(story, end) or story.forgotten(end.at):
                continue
            if is_release(before, line) and end.at < line.at:
                yield story.blame(
                    "S8", f"its handler had {end.outcome}, and it was put back as if nothing had happened", run
                )


def is_release(before: Transition, line: Transition) -> bool:
    if line.reason == "snoozed":
        return False
    same = (before.failures, before.losses) == (line.failures, line.losses)
    return before.state == "running" and line.state == "queued" and same


def was_leaving(story: Story, end: Execution) -> bool:
    """An executor that is told to stop may leave before it has found a server that listens."""
    return any(fault.fault == "stop_executor" and fault.target == end.executor for fault in story.records.faults)


def groundless(story: Story) -> Iterator[Violation]:
    """S16: where nothing went wrong for a while, nothing is lost."""
    calm = 3 * (story.setup.lease + story.setup.grace)
    deaths = sorted(strikes(story))
    for run, chain in story.chains.items():
        for before, line in pairwise(chain):
            since = before.at - calm
            struck = any(since <= at <= line.at for at in deaths)
            if line.losses > before.losses and not struck and not story.disturbed(since, line.at):
                yield story.blame("S16", "lost, although nothing had gone wrong", run)


def strikes(story: Story) -> Iterator[float]:
    """When a handler took its executor with it."""
    for run, chain in story.chains.items():
        if chain[-1].job == POISON:
            yield from (line.at for line in story.executions.get(run, []) if line.event == "start")
