"""What operators said, against what was done afterwards: cancelled, paused, cordoned, not yet due."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from proof.checker.executions import STUBBORN, executed
from proof.checker.life import is_claim
from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import RuleChange

TAKERS = frozenset({"live"})


def cancelled_runs_on(story: Story) -> Iterator[Violation]:
    """S18: a cancelled run is never claimed again, unless a caller retries it afterwards."""
    retried: dict[str, float] = defaultdict(lambda: -1.0)
    for invoked in story.invocations:
        if invoked.act == "retry":
            # It may have been done at any time until it was answered.
            told = story.answers.get(invoked.id)
            over = float("inf") if told is None or told.phase == "info" else told.at
            retried[invoked.run] = max(retried[invoked.run], over)
    for asked, answer in story.answered("cancel"):
        if retried[asked.run] >= asked.at or story.forgotten(asked.at, answer.at):
            continue
        for line in story.chains.get(asked.run, []):
            if is_claim(line) and line.at > answer.at:
                yield story.blame("S18", "claimed after its cancel was answered", asked.run)
                break


def cancelled_goes_on(story: Story) -> Iterator[Violation]:
    """S18: an attempt that was to be cancelled is stopped, wherever its executor is attached, if its handler lets itself."""
    bound = 2 * story.setup.poll + story.setup.stop_grace + story.setup.slack + 0.5
    for asked, answer in story.answered("cancel"):
        until = answer.at + bound
        chain = story.chains.get(asked.run)
        if answer.state != "running" or not chain or chain[-1].job == STUBBORN:
            continue
        for begun, end in executed(story.executions.get(asked.run, [])):
            went_on = begun.at <= answer.at and end.at > until
            if went_on and not story.disturbed(answer.at - story.setup.lease, until):
                yield story.blame("S18", f"went on for {end.at - answer.at:.1f} s after its cancel", asked.run)


def wish_forgotten(story: Story) -> Iterator[Violation]:
    """S18: an attempt that was to be cancelled ends its run, whatever it ends with."""
    for run, chain in story.chains.items():
        for before, line in pairwise(chain):
            if before.wish and before.state == "running" and line.state in {"queued", "waiting"}:
                yield story.blame("S18", "it was to be cancelled, and went back into its line", run, [before, line])


def paused_claims(story: Story) -> Iterator[Violation]:
    """S19: nothing of a paused queue is claimed, once every server had time to hear of it."""
    delay = 2 * story.setup.poll + story.setup.slack + 1.0
    spans = list(pauses(story))
    for run, chain in story.chains.items():
        for line in chain:
            for queue, since, until in spans:
                within = since + delay < line.at < until and line.queue == queue
                if within and is_claim(line) and not story.disturbed(since - story.setup.lease, line.at):
                    yield story.blame("S19", f"claimed while queue {queue} was paused", run, [line])


def pauses(story: Story) -> Iterator[tuple[str, float, float]]:
    """Queue, since when, until when."""
    begun: dict[str, RuleChange] = {}
    for line in story.records.rules:
        if line.kind != "pause" or line.lost:
            continue
        before = begun.pop(line.name, None)
        if before is not None:
            yield line.name, before.at, line.at
        if line.on:
            begun[line.name] = line
    for name, line in begun.items():
        yield name, line.at, float("inf")


def bad_taker(story: Story) -> Iterator[Violation]:
    """S21: a claim is for a session that lives and takes runs, as of that commit."""
    if not story.sessions:
        return
    for run, chain in story.chains.items():
        for line in chain:
            if is_claim(line) and story.state_of(line.session, line.seq) not in TAKERS:
                state = story.state_of(line.session, line.seq) or "unknown"
                yield story.blame("S21", f"claimed for a session that is {state}", run, [line])


def early(story: Story) -> Iterator[Violation]:
    """S12: never before its time."""
    margin = story.setup.clocks_apart + story.setup.slack
    for run, chain in story.chains.items():
        due = 0.0
        for line in chain:
            if is_claim(line) and line.at < due - margin:
                yield story.blame("S12", f"claimed {due - line.at:.3f} s before it was due", run)
            due = line.due_at
    for asked, answer in story.answered("enqueue"):
        if asked.key or asked.due_at is None:
            # Under a key the run may be another request's, due when that one said.
            continue
        for done in story.executions.get(answer.run, []):
            if done.at < asked.due_at - margin:
                yield story.blame("S12", "executed before the instant that was asked for", answer.run, [asked, done])
