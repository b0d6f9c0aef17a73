"""The life of each run: legal steps only, attempts without a gap, one owner at a time, one end."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.records import Transition

STEPS = frozenset(
    {
        ("", "queued"),
        ("", "running"),
        ("", "waiting"),
        ("queued", "queued"),
        ("queued", "waiting"),
        ("queued", "running"),
        ("queued", "cancelled"),
        ("queued", "failed"),
        ("queued", "skipped"),
        ("waiting", "waiting"),
        ("waiting", "queued"),
        ("waiting", "cancelled"),
        ("waiting", "failed"),
        ("waiting", "skipped"),
        ("running", "running"),
        ("running", "queued"),
        ("running", "waiting"),
        ("running", "succeeded"),
        ("running", "failed"),
        ("running", "cancelled"),
        *((final, "queued") for final in FINAL),
    }
)
FROM_ITS_LANE, LIMIT = ("waiting", "running"), "limit"
"""A run that waits for its key's limit is started from its lane, without standing in its line again."""


def illegal(story: Story) -> Iterator[Violation]:
    """S3: only the steps that docs/states.md draws; a final state is left only because a caller retried."""
    retries = Counter(line.run for line in story.invocations if line.act == "retry")
    sweeps = Counter(line.job for line in story.invocations if line.act == "sweep")
    for run, chain in story.chains.items():
        revived = 0
        for before, line in pairwise([None, *chain]):
            step = (before.state if before is not None else "", line.state if line is not None else "")
            revived += step[0] in FINAL and step[1] == "queued"
            if step not in STEPS and not (step == FROM_ITS_LANE and before is not None and before.reason == LIMIT):
                yield story.blame("S3", f"{step[0] or 'nothing'} became {step[1]}", run)
        allowed = retries[run] + sweeps[chain[-1].job]
        if revived > allowed:
            message = f"left a final state {revived} times, and was retried {allowed} times"
            yield story.blame("S3", message, run)


def gap(story: Story) -> Iterator[Violation]:
    """S4: attempts are numbered 1, 2, 3 … in the order of their claims."""
    for run, chain in story.chains.items():
        expected = 0
        for line in chain:
            if is_claim(line):
                expected += 1
                if line.attempt != expected:
                    yield story.blame("S4", f"claim {expected} has number {line.attempt}", run)
                    break
            elif line.attempt != expected:
                yield story.blame("S4", f"number {line.attempt} after {expected} claims", run)
                break


def two_owners(story: Story) -> Iterator[Violation]:
    """S5: a run that an attempt owns is given to no other before that attempt is closed."""
    for run, chain in story.chains.items():
        for before, line in pairwise(chain):
            if before.state == line.state == "running" and before.token != line.token:
                yield story.blame("S5", "claimed while another attempt owned it", run, [before, line])
        if any(line.state == "running" and not line.token for line in chain):
            yield story.blame("S5", "running, and nobody owns it", run)
        if any(line.state in {"queued", "waiting"} and line.token for line in chain):
            yield story.blame("S5", "an attempt still owns it in its line", run)


def token_twice(story: Story) -> Iterator[Violation]:
    """S6: run and token name one attempt for ever, and it is executed at most once."""
    for run, chain in story.all_chains.items():
        tokens = Counter(line.token for line in chain if is_claim(line))
        for token, count in tokens.items():
            if count > 1:
                yield story.blame("S6", f"token {token} was given {count} times", run)
    starts = Counter(attempt_of(story, line) for line in story.records.executions if line.event == "start")
    for (run, name), count in starts.items():
        if count > 1:
            yield story.blame("S6", f"attempt {name} was executed {count} times", run)


def attempt_of(story: Story, line: object) -> tuple[str, str]:
    """What tells an execution from others: its token, or (where a fail-over cannot give it twice) its number."""
    run, token = getattr(line, "run", ""), getattr(line, "token", "")
    if token:
        return run, token
    number, session = getattr(line, "attempt", 0), getattr(line, "session", "")
    return run, f"{number}" if not story.setup.failovers else f"{number} of {session}"


def ended_twice(story: Story) -> Iterator[Violation]:
    """S8: an attempt is settled once; repeats of its outcome change nothing."""
    for run, chain in story.chains.items():
        ends = Counter(
            before.token for before, line in pairwise(chain) if before.state == "running" and line.state != "running"
        )
        for token, count in ends.items():
            if count > 1:
                yield story.blame("S8", f"attempt {token} was settled {count} times", run)
        lives = 1 + sum(before.state in FINAL and line.state not in FINAL for before, line in pairwise(chain))
        if sum(line.state in FINAL for line in chain) > lives:
            yield story.blame("S8", "it came to an end more than once", run)
    records = Counter((row.run, row.token) for row in story.records.attempt_rows)
    for (run, token), count in records.items():
        if count > 1:
            yield story.blame("S8", f"attempt {token} has {count} records", run)


def is_claim(line: Transition) -> bool:
    return line.state == "running" and line.before != "running"
