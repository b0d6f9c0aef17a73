"""Where attempts are: on executors that have what they book, and on the one that they are for."""

from collections import defaultdict
from collections.abc import Iterator

from proof.checker.life import is_claim
from proof.checker.story import Story
from proof.checker.verdict import Violation


def over_booked(story: Story) -> Iterator[Violation]:
    """S42: the attempts that a session executes book no more than its executor has; one that has ended books nothing."""
    booked: dict[str, dict[str, int]] = defaultdict(dict)
    for line in story.records.executions:
        claimed = story.claims.get((line.run, line.token))
        rule = None if claimed is None else story.setup.jobs.get(claimed.job)
        if claimed is None or rule is None or not rule.licences:
            continue
        held = booked[claimed.session]
        if line.event in {"end", "killed"}:
            held.pop(line.run + line.token, None)
        elif line.event == "start":
            held[line.run + line.token] = rule.licences
        if sum(held.values()) > story.setup.licences:
            message = f"{sum(held.values())} are booked, there are {story.setup.licences}"
            yield story.blame("S42", message, line.run, [claimed, line])
            return


def on_another(story: Story) -> Iterator[Violation]:
    """S42: a run that is for one executor is claimed for no other."""
    for line in story.records.transitions:
        rule = story.setup.jobs.get(line.job)
        if line.lost or rule is None or not rule.executor or not is_claim(line):
            continue
        name = story.executor_of.get(line.session, "")
        if name != rule.executor:
            yield story.blame("S42", f"it is for {rule.executor}, and went to {name}", line.run, [line])
            return
