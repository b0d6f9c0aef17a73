"""Runs that are set aside: nobody is given one meanwhile, it costs nothing, and it goes on when it was told to."""

from collections.abc import Iterator
from itertools import pairwise

from proof.checker.endings import TIMED_OUT
from proof.checker.life import is_claim
from proof.checker.liveness import PROMPT
from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import Execution, Operation, Transition

SUSPENDED, SUSPENDING = "suspended", "suspending"
YIELDED = "yielded"
SET_ASIDE = frozenset({SUSPENDED, YIELDED})
"""What a handler says at its end when it sets its own run aside, or was asked to."""
PASSED = frozenset({"stepped", "checkpoint"})
"""What a handler comes to past which it cannot get while a caller wants its run set aside."""
LET_GO = frozenset({"resume_run", "retry"})
NEVER = float("inf")


def claimed_although_suspended(story: Story) -> Iterator[Violation]:
    """S35: behind a suspend that was acknowledged nobody is given the run, before something lets it go on."""
    for asked, answer in story.answered("suspend"):
        if story.forgotten(asked.at, answer.at):
            continue
        behind = (line for line in story.chains.get(asked.run, []) if is_claim(line) and line.at > answer.at)
        first = next(behind, None)
        if first is not None and not was_let_go(story, asked, first.at):
            shown = [asked, answer, *story.chains[asked.run]]
            yield story.blame("S35", "claimed after its suspend was answered", asked.run, shown)


def was_let_go(story: Story, asked: Operation, until: float) -> bool:
    """Whether the run may have been resumed, come to its instant, or ended and been run again, since the suspend was asked for.

    An act without an answer may have been done at any time behind it; so may a suspend with another instant.
    """
    since, latest = asked.at, until + margin(story)
    for other in story.steered.get(asked.run, []):
        if other.at > until or over(story, other) < since:
            continue
        if other.act in LET_GO or (other.act == "suspend" and other.due_at is not None and other.due_at <= latest):
            return True
    return any(line.state in FINAL and since <= line.at <= until for line in story.chains[asked.run])


def over(story: Story, asked: Operation) -> float:
    """Until when it may have been done."""
    answer = story.answers.get(asked.id)
    return NEVER if answer is None or answer.phase == "info" else answer.at


def margin(story: Story) -> float:
    return story.setup.clocks_apart + story.setup.slack + 0.001


def suspension_forgotten(story: Story) -> Iterator[Violation]:
    """S35: an attempt that was to yield has its run set aside, unless it ends it, whatever the attempt ends with."""
    for run, chain in story.chains.items():
        for before, line in pairwise(chain):
            if is_to_yield(before) and line.state == "queued":
                message = "it was to be suspended, and went back into its line"
                yield story.blame("S35", message, run, [before, line])


def is_to_yield(line: Transition) -> bool:
    return line.state == "running" and line.reason == SUSPENDING


def is_aside(line: Transition) -> bool:
    return line.state == "waiting" and line.reason == SUSPENDED


def set_going(story: Story) -> Iterator[Violation]:
    """S35: what is set aside goes back into its line only because a caller says so, or its instant has come."""
    for run, chain in story.chains.items():
        for before, line in pairwise(chain):
            if is_aside(before) and line.state == "queued" and not has_cause(story, line):
                yield story.blame("S35", "it was suspended, and went on although nobody said so", run)


def has_cause(story: Story, line: Transition) -> bool:
    slack, latest = story.setup.slack, line.at + margin(story)
    for asked in story.steered.get(line.run, []):
        if asked.act in LET_GO and asked.at <= line.at + slack and line.at <= over(story, asked) + slack:
            return True
        if asked.act == "suspend" and asked.due_at is not None and asked.due_at <= latest:
            return True
    return any(one.at + one.wait <= latest for one in own_wishes(story, line.run) if one.wait)


def own_wishes(story: Story, run: str) -> list[Execution]:
    """The ends with which the run's own handlers set it aside."""
    return [line for line in story.executions.get(run, []) if line.event == "end" and line.outcome == SUSPENDED]


def suspension_charged(story: Story) -> Iterator[Violation]:
    """S35: an attempt that yields, or sets its run aside, is neither a failure nor a loss.

    Its handler's word alone does not tell a loss: it may never have been heard.
    """
    kept = {(row.run, row.token): row.outcome for row in story.records.attempt_rows}
    for run, chain in story.chains.items():
        ends = {line.token: line for line in story.executions.get(run, []) if line.event == "end"}
        for before, line in pairwise(chain):
            if before.state != "running" or line.state == "running":
                continue
            outcome, end = kept.get((run, before.token), ""), ends.get(before.token)
            said = end is not None and end.outcome in SET_ASIDE and end.at <= line.at and outcome != TIMED_OUT
            failed, lost = line.failures > before.failures, line.losses > before.losses
            if (failed and (said or outcome == SUSPENDED)) or (lost and outcome == SUSPENDED):
                yield story.blame("S35", "it was suspended, and that was counted against it", run)


def never_yields(story: Story) -> Iterator[Violation]:
    """S35: a handler that is told to yield does not get beyond its next checkpoint or step."""
    bound = 2 * story.setup.poll + story.setup.slack + 0.5
    for run, chain in story.chains.items():
        for wish, until in wishes(chain):
            for line in story.executions.get(run, []):
                late = line.event in PASSED and line.token == wish.token and wish.at + bound < line.at <= until
                if late and not story.disturbed(wish.at - story.setup.lease, line.at):
                    message = f"came by a {line.event} {line.at - wish.at:.1f} s after it was to yield"
                    yield story.blame("S35", message, run)
                    break


def wishes(chain: list[Transition]) -> Iterator[tuple[Transition, float]]:
    """Since when, and until when, the handler of an attempt is to yield."""
    begun: Transition | None = None
    for line in chain:
        if begun is not None and not is_to_yield(line):
            yield begun, line.at
            begun = None
        elif begun is None and is_to_yield(line):
            begun = line
    if begun is not None:
        yield begun, NEVER


def overslept(story: Story) -> Iterator[Violation]:
    """S35: what is set aside until an instant goes on soon after it; only where there is no doubt which one that is."""
    bound = PROMPT + 2 * story.setup.poll + margin(story)
    for run, chain in story.chains.items():
        for before, line in pairwise([*chain, None]):
            if before is None or not is_aside(before) or (line is not None and is_aside(line)):
                continue
            instant = only_instant(story, run, before)
            limit = None if instant is None else max(instant, before.at) + bound
            if instant is None or limit is None or (line.at if line else story.records.run_rows[0].at) <= limit:
                continue
            if not story.forgotten(0.0, limit) and not story.disturbed(instant - story.setup.lease, limit):
                yield story.blame("S35", f"it was to go on at {instant:.3f}, and did not", run)


def only_instant(story: Story, run: str, aside: Transition) -> float | None:
    """The instant of the one suspend, be it a client's or its handler's, that anybody has ever asked for."""
    asked = [one.due_at for one in story.steered.get(run, []) if one.act == "suspend"]
    own = [line.at + line.wait if line.wait else None for line in own_wishes(story, run) if line.at <= aside.at]
    every = [*asked, *own]
    return every[0] if len(every) == 1 else None
