"""Limits, by the changes alone: never more attempts under way than they say, in order where that is promised."""

from collections import defaultdict
from collections.abc import Iterator

from proof.checker.life import LIMIT, is_claim
from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import Transition

APART_MAX = 0.2
"""Seconds by which clocks may be off where starts are counted against a rate."""
BURST = 1.0
"""Seconds for which a rate that was not used may be made up for."""


def over_limit(story: Story) -> Iterator[Violation]:
    """S37: attempts of a job, or of each of its keys, that are under way at once."""
    running: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in limited_changes(story):
        rule, place = story.setup.jobs[line.job], place_of(story, line)
        held = running[place]
        if line.state != "running":
            held.discard(line.run)
            continue
        held.add(line.run)
        if rule.at_once and len(held) > rule.at_once:
            message = f"{len(held)} of {' '.join(place)} are under way, {rule.at_once} may be"
            yield story.blame("S37", message, line.run, [line])
            return


def limited_changes(story: Story) -> Iterator[Transition]:
    for line in story.records.transitions:
        rule = story.setup.jobs.get(line.job)
        if not line.lost and rule is not None and (rule.at_once or rule.rate):
            yield line


def place_of(story: Story, line: Transition) -> tuple[str, str]:
    return line.job, story.groups.get(line.run, "") if story.setup.jobs[line.job].keyed else ""


def over_rate(story: Story) -> Iterator[Violation]:
    """S39: starts in any time, as far as clocks agree."""
    if story.setup.clocks_apart > APART_MAX or story.setup.failovers:
        return
    starts: dict[tuple[str, str], list[Transition]] = defaultdict(list)
    for line in limited_changes(story):
        if is_claim(line):
            starts[place_of(story, line)].append(line)
    for (job, _), claims in starts.items():
        rate = story.setup.jobs[job].rate
        for first, begun in enumerate(claims if rate else ()):
            for last in range(first + 1, len(claims)):
                span = claims[last].at - begun.at + 2 * story.setup.clocks_apart
                if last - first + 1 > rate * (BURST + span) + 1:
                    message = f"{last - first + 1} of {job} started within {span:.2f} s, at a rate of {rate} a second"
                    yield story.blame("S39", message, claims[last].run, claims[first : last + 1])
                    return


def overtaken(story: Story) -> Iterator[Violation]:
    """S40: of the runs that wait in a lane, the one that fell due first is started first."""
    waiting: dict[tuple[str, str], dict[str, Transition]] = defaultdict(dict)
    for line in limited_changes(story):
        if not story.setup.jobs[line.job].keyed:
            continue
        lane = waiting[place_of(story, line)]
        was = lane.pop(line.run, None)
        if line.state == "waiting" and line.reason == LIMIT:
            lane[line.run] = line
        elif is_claim(line) and was is not None:
            earlier = [one for one in lane.values() if (one.due_at, one.run) < (was.due_at, was.run)]
            if earlier:
                yield story.blame(
                    "S40", "it was started before one that waits for longer", line.run, [was, line, *earlier]
                )
                return
