"""Breakers, by the changes alone: nothing starts while one is open, few while it is probed, and in the end none is open."""

from collections import defaultdict
from collections.abc import Iterator
from operator import attrgetter

from proof.checker.life import is_claim
from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import RuleChange, Transition

OF_BREAKERS = frozenset({"open", "probing"})


def started_while_open(story: Story) -> Iterator[Violation]:
    """S44: from the commit that opens a breaker to the one that lets probes through, nothing of its jobs is claimed."""
    is_open: dict[str, bool] = {}
    for line in guarded_changes(story):
        if isinstance(line, RuleChange):
            if line.kind == "open":
                is_open[line.name] = line.on
        elif is_claim(line) and is_open.get(story.setup.jobs[line.job].breaker):
            yield story.blame("S44", f"{line.job} was started while its breaker was open", line.run, [line])
            return


def too_many_probes(story: Story) -> Iterator[Violation]:
    """S44: while a breaker is probed, no more attempts that began meanwhile are under way than it has probes."""
    probing: dict[str, bool] = {}
    under_way: dict[str, set[str]] = defaultdict(set)
    for line in guarded_changes(story):
        if isinstance(line, RuleChange):
            if line.kind == "probing" and probing.get(line.name) is not line.on:
                probing[line.name] = line.on
                under_way[line.name].clear()
            continue
        rule = story.setup.jobs[line.job]
        if line.state != "running":
            under_way[rule.breaker].discard(line.run)
        elif is_claim(line) and probing.get(rule.breaker):
            under_way[rule.breaker].add(line.run)
            if len(under_way[rule.breaker]) > rule.probes:
                message = f"{len(under_way[rule.breaker])} probes are under way, {rule.probes} may be"
                yield story.blame("S44", message, line.run, [line])
                return


def left_open(story: Story) -> Iterator[Violation]:
    """L13: once all is well and everything has ended, no breaker is open: each wait has an end of its own."""
    last = {line.name: line for line in story.records.rules if line.kind == "open" and not line.lost}
    for name, line in last.items():
        if line.on and story.setup.drained:
            yield story.blame(
                "L13", f"breaker {name} is open since {line.at:.1f}, and nobody looks at it", lines=[line]
            )


def guarded_changes(story: Story) -> Iterator[Transition | RuleChange]:
    """Changes of breakers, and of the runs that they guard, in the order of commits."""
    guarded = {job for job, rule in story.setup.jobs.items() if rule.breaker}
    found: list[Transition | RuleChange] = [line for line in story.records.transitions if line.job in guarded]
    found += [line for line in story.records.rules if line.kind in OF_BREAKERS]
    yield from sorted((line for line in found if not line.lost), key=attrgetter("seq"))
