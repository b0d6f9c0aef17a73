"""What attempts ended with, against what the handlers say they did."""

from collections.abc import Iterator
from itertools import pairwise

from proof.checker.life import is_claim
from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import Execution, Transition

QUARANTINED = "quarantined"
ATTEMPTS_SPENT = "attempts_spent"
STUBBORN = "stubborn"
"""Handlers of this name do not stop when they are told to."""
DEADLINE_PASSED = "deadline_passed"


def stale(story: Story) -> Iterator[Violation]:
    """S7: only the attempt that owns the run ends it, and it succeeds only if that very attempt's handler returned."""
    for run, chain in story.chains.items():
        owner = ""
        for line in chain:
            if line.state == "running":
                owner = line.token
                continue
            if line.state in FINAL and line.token and line.token != owner:
                yield story.blame("S7", f"ended by {line.token}, and owned by {owner or 'nobody'}", run)
            if line.state == "succeeded" and not returned(story.executions.get(run, []), line, story.setup.slack):
                yield story.blame("S7", "succeeded, and the handler of that attempt never returned", run)
            owner = ""


def returned(executions: list[Execution], end: Transition, slack: float) -> bool:
    return any(
        line.event == "end"
        and line.outcome == "succeeded"
        and (line.token == end.token if line.token else line.attempt == end.attempt)
        and line.at <= end.at + slack
        for line in executions
    )


def over_policy(story: Story) -> Iterator[Violation]:
    """S16: no more failures than the job allows, no more losses than make a poison pill, and each counted once."""
    for run, chain in story.chains.items():
        rule = story.setup.jobs.get(chain[-1].job)
        for before, line in pairwise(chain):
            if line.failures + line.losses > before.failures + before.losses + 1:
                yield story.blame("S16", "one attempt counted more than once", run, [before, line])
            if is_claim(line) and line.losses >= story.setup.losses_max:
                yield story.blame("S16", f"claimed again after {line.losses} losses", run)
            if rule is not None and is_claim(line) and line.failures >= rule.attempts:
                yield story.blame("S16", f"claimed again after {line.failures} failures", run)
        last = chain[-1]
        if last.reason == QUARANTINED and last.losses < story.setup.losses_max:
            yield story.blame("S16", f"quarantined after {last.losses} losses", run)
        if rule is not None and last.reason == ATTEMPTS_SPENT and last.failures < rule.attempts:
            yield story.blame("S16", f"given up after {last.failures} of {rule.attempts} failures", run)


def unfounded(story: Story) -> Iterator[Violation]:
    """S16: a failure is counted only if that attempt's handler began; a loss only if its session died."""
    for run, chain in story.chains.items():
        for before, line in pairwise(chain):
            if before.state != "running" or line.state == "running":
                continue
            began = [one for one in story.executions.get(run, []) if one.token in {"", before.token}]
            # Its deadline may have come while it still waited for a slot: then nothing began.
            if line.failures > before.failures and not began and line.reason != DEADLINE_PASSED:
                yield story.blame("S16", "a failure of a handler that never began", run)
            if line.losses > before.losses and story.sessions and not has_died(story, before.session, line.seq):
                yield story.blame("S16", "a loss, although its session lived", run)


def has_died(story: Story, session: str, seq: int) -> bool:
    # An executor may itself report an attempt as lost, when the child that ran it died: chaos has such handlers.
    return not story.sessions.get(session) or story.state_of(session, seq) == "dead" or story.setup.slack > 0


def late_start(story: Story) -> Iterator[Violation]:
    """S17: behind its deadline, or the one for its first start, a run is given to nobody."""
    margin = story.setup.clocks_apart + story.setup.slack
    for run, chain in story.chains.items():
        for before, line in pairwise([chain[0], *chain]):
            # What stood there while it waited: with the first claim, the deadline for its start makes way.
            limit = line.deadline_at if before.deadline_at is None else before.deadline_at
            # A server looks at its clock before it asks the store, which may be slow.
            at = line.at if line.instant is None else min(line.at, line.instant)
            if is_claim(line) and limit is not None and at > limit + margin:
                yield story.blame("S17", f"claimed {at - limit:.3f} s behind its deadline", run, [before, line])


def overstays(story: Story) -> Iterator[Violation]:
    """S17: a handler that can be stopped is gone soon after its deadline.

    The executor counts from the moment the start reached it, so what that took on its way is added.
    """
    bound = story.setup.stop_grace + story.setup.clocks_apart + story.setup.slack + 1.0
    # Of these, what stands there may be the instant by which it had to begin.
    to_begin = {answer.run for asked, answer in story.answered("enqueue") if asked.start_within}
    to_begin |= {line.run for line in story.records.fires}
    for run, chain in story.chains.items():
        deadline = chain[-1].deadline_at
        if deadline is None or run in to_begin:
            continue
        for line in story.executions.get(run, []):
            claim = story.claims.get((run, line.token))
            travelled = 0.0 if claim is None else began_at(story, line) - claim.at
            late = line.event in {"end", "killed"} and line.at > deadline + bound + travelled
            if late and chain[-1].job != STUBBORN and not story.disturbed(deadline - story.setup.lease, line.at):
                yield story.blame("S17", "the handler went on behind its deadline", run)


def began_at(story: Story, line: Execution) -> float:
    starts = (one for one in story.executions[line.run] if one.event == "start" and one.token == line.token)
    return next((one.at for one in starts), line.at)
