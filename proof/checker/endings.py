"""What handlers said at their end, and what jobs say of losses and time, against what was made of it."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import Execution, Transition

PUT_OFF = frozenset({"failed", "snoozed"})
LOST = "lost"
TIMED_OUT = "timed_out"
DRIFT = 0.02
"""By how much of a time an executor's clock may be wrong about it."""


def settled(story: Story) -> Iterator[tuple[Transition, Transition, Execution]]:
    """Each attempt that came to an end of its own and was settled: its claim's last change, what became of it, its end."""
    for run, chain in story.chains.items():
        ends = {line.token: line for line in story.executions.get(run, []) if line.event == "end" and line.token}
        for before, line in pairwise(chain):
            if before.state == "running" and line.state != "running" and before.token in ends:
                yield before, line, ends[before.token]


def early_again(story: Story) -> Iterator[Violation]:
    """S16: an attempt that its handler wants later is not due before."""
    margin = story.setup.clocks_apart + story.setup.slack + 0.001
    for before, line, end in settled(story):
        heard = line.failures > before.failures or line.reason == "snoozed"
        wanted = end.at + end.wait
        if heard and line.state == "queued" and end.outcome in PUT_OFF and end.wait and line.due_at < wanted - margin:
            yield story.blame("S16", f"due {wanted - line.due_at:.3f} s before its handler wants it", line.run)


def snooze_charged(story: Story) -> Iterator[Violation]:
    """S16: a snooze is no failure."""
    for before, line, end in settled(story):
        if end.outcome == "snoozed" and line.failures > before.failures:
            yield story.blame("S16", "its handler put it off, and that counted as a failure", line.run)


def gave_up_again(story: Story) -> Iterator[Violation]:
    """S16: what its handler has given up is not tried again by itself."""
    for before, line, end in settled(story):
        if end.outcome == "gave_up" and line.failures > before.failures and line.state == "queued":
            yield story.blame("S16", "its handler had given up, and it is tried again", line.run)


def over_budget(story: Story) -> Iterator[Violation]:
    """S16: no attempt falls due behind the budget of its job, counted from the first one's start."""
    margin = story.setup.clocks_apart + story.setup.slack + 0.01
    first: dict[tuple[str, int], float] = {}
    for before, line, end in settled(story):
        rule = story.setup.jobs.get(line.job)
        begun = [one.at for one in story.executions[line.run] if one.event == "start" and one.token == end.token]
        if rule is None or not rule.budget or not begun:
            continue
        # A run that an operator has run again has its budget anew.
        lives = sum(1 for one in story.chains[line.run] if one.before in FINAL and one.seq < line.seq)
        since = first.setdefault((line.run, lives), begun[0])
        # An outcome that comes late is taken for one that just came: by so much, a first attempt seems to have begun later.
        limit = since + rule.budget + margin + (line.at - end.at)
        if line.state == "queued" and line.failures > before.failures and line.due_at > limit:
            yield story.blame("S16", f"due {line.due_at - since:.3f} s after its start, over its budget", line.run)


def lost_again(story: Story) -> Iterator[Violation]:
    """S16: a loss is repeated only if the job, or where it leaves that to people, an operator says so."""
    asked = Counter(line.run for line in story.invocations if line.act == "retry")
    for run, chain in story.chains.items():
        rule = story.setup.jobs.get(chain[-1].job)
        if rule is None or rule.on_lost == "retry":
            continue
        for before, line in pairwise(chain):
            repeated = line.losses > before.losses and line.state in {"queued", "running"}
            if repeated:
                yield story.blame("S16", f"repeated after a loss, and its job says {rule.on_lost}", run)
        answers = sum(a.state == "waiting" and a.reason == LOST and b.state == "queued" for a, b in pairwise(chain))
        if answers > asked[run]:
            yield story.blame("S16", "nobody was asked about its loss, and it went on", run)


def overtime(story: Story) -> Iterator[Violation]:
    """S17: a handler is gone soon after its timeout, with what it asked for besides."""
    grace = story.setup.stop_grace + story.setup.slack + 1.0
    for start, end, limit in timed(story):
        took = end.at - start.at
        if took > limit * (1 + DRIFT) + grace and not story.disturbed(start.at - story.setup.lease, end.at):
            yield story.blame("S17", f"took {took:.3f} s, and had {limit:.3f} s", start.run)


def cut_short(story: Story) -> Iterator[Violation]:
    """S17: a handler has all the time that its job and its own wish give it."""
    outcomes = {(row.run, row.token): row.outcome for row in story.records.attempt_rows}
    for start, end, limit in timed(story):
        chain = story.chains.get(start.run, [])
        bounded = any(line.deadline_at is not None for line in chain)
        took = end.at - start.at
        late = outcomes.get((start.run, start.token)) == TIMED_OUT and not bounded
        if late and took < limit * (1 - DRIFT) - story.setup.slack:
            yield story.blame("S17", f"timed out after {took:.3f} s of {limit:.3f} s", start.run)


def timed(story: Story) -> Iterator[tuple[Execution, Execution, float]]:
    """The beginning and end of each execution whose time is limited, with the limit."""
    for run, lines in story.executions.items():
        chain = story.chains.get(run)
        rule = story.setup.jobs.get(chain[-1].job) if chain else None
        if rule is None or not rule.timeout:
            continue
        starts = {line.token: line for line in lines if line.event == "start"}
        for line in lines:
            if line.event in {"end", "killed"} and line.token in starts:
                yield starts[line.token], line, rule.timeout + line.wait
