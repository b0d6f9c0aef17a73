"""What was asked for against what there is: nothing lost, nothing invented, one key one run, refused is absent."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import Operation

UNKNOWN_JOB = "unknown_job"


def lost(story: Story) -> Iterator[Violation]:
    """S1: an accepted run is there, whatever happened since."""
    there = {row.run for row in story.records.run_rows}
    for asked, answer in story.answered("enqueue"):
        if answer.run not in there and not story.forgotten(asked.at, answer.at):
            yield story.blame("S1", "an accepted run is gone", answer.run, [asked, answer])
    # A fail-over may forget the newest commits; what it was told of before must still be there.
    for run, chain in story.chains.items():
        if run not in there:
            yield story.blame("S1", "a run that the store had is gone", run, chain)


def phantom(story: Story) -> Iterator[Violation]:
    """S2: nothing is executed that was not asked for, or before the claim of it was committed."""
    asked = {line.run for line in story.records.operations if line.act == "enqueue" and line.run}
    marks = {line.mark for line in story.invocations if line.act == "enqueue" and line.mark}
    known = {row.run for row in story.records.run_rows if row.mark in marks}
    known |= {line.run for line in story.records.fires}
    # Workflow runs ask for those of their steps; also for some that a fail-over forgot, and that an executor had by then.
    known |= {line.run for line in story.records.transitions if line.job in story.setup.steps}
    told_to = {line.name for line in story.invocations if line.act == "fire_now"}
    known |= {row.run for row in story.records.run_rows if row.trigger in told_to and row.fire_at is None}
    for line in story.records.executions:
        if line.event != "start":
            continue
        if line.run not in asked and line.run not in known and not story.forgotten(line.at):
            yield story.blame("S2", "executed, but nobody asked for it", line.run, [line])
        claim = story.claims.get((line.run, line.token)) if line.token else None
        if line.token and story.setup.audit and claim is None:
            yield story.blame("S2", "executed without a claim", line.run)
        elif claim is not None and claim.at > line.at + story.setup.slack:
            yield story.blame("S2", "executed before its claim was committed", line.run, [line, claim])


def key_twice(story: Story) -> Iterator[Violation]:
    """S15: one key, one run; another request under the same key is refused."""
    by_key: dict[str, list[tuple[Operation, Operation]]] = defaultdict(list)
    for asked, answer in story.answered("enqueue"):
        if asked.key and not story.forgotten(asked.at, answer.at):
            by_key[asked.key].append((asked, answer))
    for key, pairs in by_key.items():
        lines = [line for pair in pairs for line in pair]
        if len({answer.run for _, answer in pairs}) > 1:
            yield story.blame("S15", f"key {key} was answered with several runs", lines=lines)
        if len({asked.digest for asked, _ in pairs}) > 1:
            yield story.blame("S15", f"key {key} was accepted for two different requests", lines=lines)
    for key, count in Counter(row.key for row in story.records.run_rows if row.key).items():
        if count > 1:
            rows = [row for row in story.records.run_rows if row.key == key]
            yield story.blame("S15", f"{count} runs hold key {key}", lines=rows)


def refused_exists(story: Story) -> Iterator[Violation]:
    """S28: what was refused leaves nothing behind, and nothing asked for once is there twice."""
    runs: dict[str, list[str]] = defaultdict(list)
    for row in story.records.run_rows:
        if row.mark:
            runs[row.mark].append(row.run)
    tries: dict[str, list[Operation]] = defaultdict(list)
    for asked in story.invocations:
        if asked.act == "enqueue" and asked.mark:
            tries[asked.mark].append(asked)
    for mark, asked_for in tries.items():
        found = runs.get(mark, [])
        if found and all(story.phase(asked) == "fail" for asked in asked_for):
            yield story.blame("S28", "it was refused, and is there", found[0], asked_for)
        if len(found) > 1 and not story.setup.failovers:
            yield story.blame("S28", f"asked for once, and there {len(found)} times", found[0], asked_for)


def refused_wrongly(story: Story) -> Iterator[Violation]:
    """S28: no run is refused for want of a job that the store has known before it was asked for."""
    known: dict[str, float] = {}
    for asked, answer in story.answered("enqueue"):
        known[asked.job] = min(answer.at, known.get(asked.job, answer.at))
    for asked in story.invocations:
        told = story.answers.get(asked.id)
        if told is not None and told.code == UNKNOWN_JOB and known.get(asked.job, asked.at) < asked.at:
            yield story.blame("S28", f"job {asked.job} was known, and refused as unknown", lines=[asked, told])


def fold(story: Story) -> Iterator[Violation]:
    """S27: the changes, one after the other, make up exactly the tables."""
    rows = {row.run: row for row in story.records.run_rows}
    for run, row in rows.items():
        chain = story.chains.get(run)
        if chain is None and run in story.all_chains:
            continue
        if chain is None:
            yield story.blame("S27", "it is in the tables, and no change made it", run, [row])
            continue
        last = chain[-1]
        for field in ("state", "attempt", "failures", "losses"):
            if getattr(last, field) != getattr(row, field):
                message = f"{field} is {getattr(row, field)} in the tables, {getattr(last, field)} by its changes"
                yield story.blame("S27", message, run, [*chain, row])
    held = {row.key: row.run for row in story.records.key_rows}
    for row in rows.values():
        if row.key and held and held.get(row.key) != row.run:
            yield story.blame("S27", f"key {row.key} is not held by the run that has it", row.run, [row])
