"""The way out of every attempt: into history, or back into its line."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.metadata import STEP, deadline_of, read_metadata
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome, Successes, Verdict
from mainspring.domain.runs.run import RunState
from mainspring.store.acts.runs.settled import note_waits, record_deaths
from mainspring.store.interface import Decide
from mainspring.store.sql import Queries
from mainspring.store.sqlite.rows import Parameters, batch, instant, instant_or_none, micros_or_none, printable, starts
from mainspring.store.sqlite.tx import SqliteTx, drive

UNLESS_FAILED, IN_ANY_CASE = 1, 2
"""Which jobs leave no input and result of a run in history, by how it ended."""
RECORDED = frozenset({Outcome.FAILED, Outcome.TIMED_OUT, Outcome.CANCELLED, Outcome.SUSPENDED, Outcome.LOST})


class MatchedOutcome(msgspec.Struct, frozen=True):
    """An outcome that matched, and the decision about it."""

    held: Held
    ended: Ended
    decision: Decision


def succeed(c: sqlite3.Connection, sql: Queries, day: str, done: Successes, now: int) -> int:
    rows = [
        (RunState.SUCCEEDED, None, 0, 0, wait, duration, start, len(result))
        for wait, duration, start, result in zip(
            done.waits, done.durations, starts(done.results), done.results, strict=False
        )
    ]
    parameters = batch(done.runs, rows, tokens=b"".join(done.tokens), results=b"".join(done.results), now=now)
    return finish(c, sql, day, parameters, forgets=UNLESS_FAILED)


def settle(
    c: sqlite3.Connection, sql: Queries, day: str, ended: Sequence[Ended], decide: Decide, now: int
) -> dict[RunId, RunState]:
    settled = [MatchedOutcome(held, end, decide(held, end)) for held, end in matched(c, sql, ended)]
    record_attempts(c, sql, day, [end.ended for end in settled if end.ended.outcome in RECORDED], now)
    close(c, sql, day, [end for end in settled if end.decision.state.final], now)
    tx = SqliteTx(c, sql)
    decided = [(one.ended, one.decision) for one in settled]
    if dead := [one for one in decided if one[1].state is RunState.FAILED]:
        drive(record_deaths(tx, dead, instant(now)))
    requeue(c, sql, [end for end in settled if not end.decision.state.final], now)
    if waiting := [one for one in decided if one[1].waits_for_more]:
        drive(note_waits(tx, waiting, instant(now)))
    return {end.ended.run: end.decision.state for end in settled}


def matched(c: sqlite3.Connection, sql: Queries, ended: Sequence[Ended]) -> list[tuple[Held, Ended]]:
    """The outcomes of attempts under way, each pair of run and token once."""
    once = list({(end.run, end.token): end for end in ended}.values())
    (found,) = c.execute(sql.hold, pairs(once)).fetchone()
    return [(held(once[row.at], row), once[row.at]) for row in msgspec.json.decode(found, type=list[HeldRow])]


class HeldRow(msgspec.Struct, frozen=True, array_like=True):
    """The attempt at one position of the answer of `hold`."""

    at: int
    job: int
    attempt: int
    failures: int
    losses: int
    deadline_at: int | None
    extra: str | None
    cancel: str | None
    first_started_at: int | None
    suspend: int
    claimed_at: int | None
    line: int
    executor: str | None
    traceparent: str | None


def held(end: Ended, row: HeldRow) -> Held:
    return Held(
        run=end.run,
        token=end.token,
        job=row.job,
        attempt=row.attempt,
        failures=row.failures,
        losses=row.losses,
        cancel=row.cancel,
        deadline_at=deadline_row(row),
        since=instant_or_none(row.first_started_at),
        claimed_at=instant_or_none(row.claimed_at),
        suspend=bool(row.suspend),
        line=row.line,
        executor=row.executor or "",
        traceparent=row.traceparent or "",
    )


def deadline_row(row: HeldRow) -> datetime | None:
    """The deadline of a run that has been started."""
    extra = read_metadata(None if row.extra is None else row.extra.encode())
    return deadline_of(extra, instant_or_none(row.deadline_at))


def pairs(ended: Sequence[Ended], rows: Sequence[object] | None = None, **parameters: object) -> Parameters:
    tokens = b"".join(end.token for end in ended)
    return batch([end.run for end in ended], rows, tokens=tokens, **parameters)


def record_attempts(c: sqlite3.Connection, sql: Queries, day: str, ended: Sequence[Ended], now: int) -> None:
    if not ended:
        return
    rows = [(end.outcome, end.wait, end.duration, *words(end)) for end in ended]
    c.execute(sql.record_attempts.format(day=day), pairs(ended, rows, now=now))


def words(end: Ended) -> tuple[str | None, ...]:
    if end.failure is None:
        return None, None, None, None
    said = end.failure
    return printable(said.code), printable(said.error), printable(said.message), printable(said.traceback)


def close(c: sqlite3.Connection, sql: Queries, day: str, settled: Sequence[MatchedOutcome], now: int) -> None:
    if not settled:
        return
    rows = [
        (one.state, one.reason, one.failures, one.losses, end.ended.wait, end.ended.duration, None, None)
        for end in settled
        for one in (end.decision,)
    ]
    parameters = pairs([end.ended for end in settled], rows, results=b"", now=now)
    finish(c, sql, day, parameters, forgets=IN_ANY_CASE)


def turn_lanes(c: sqlite3.Connection, sql: Queries, parameters: Parameters) -> None:
    """Have lanes looked at whose attempts end now."""
    if c.execute(sql.any_lane).fetchone()[0]:
        c.execute(sql.turn_ended, parameters)


def finish(c: sqlite3.Connection, sql: Queries, day: str, given: Parameters, *, forgets: int) -> int:
    parameters = {**given, "forgets": forgets, "of_step": STEP}
    turn_lanes(c, sql, parameters)
    moved = c.execute(sql.finish.format(day=day), parameters).rowcount
    if c.execute(sql.any_forgetful).fetchone()[0]:
        c.execute(sql.note_forgotten.format(day=day), parameters)
    c.execute(sql.remove_finished.format(day=day), parameters)
    if moved:
        c.execute(sql.note_finished, parameters)
    return moved


def requeue(c: sqlite3.Connection, sql: Queries, settled: Sequence[MatchedOutcome], now: int) -> None:
    if not settled:
        return
    turn_lanes(c, sql, pairs([end.ended for end in settled], now=now))
    rows = [
        (one.state, one.reason, micros_or_none(one.due_at), one.failures, one.losses, *started(end))
        for end in settled
        for one in (end.decision,)
    ]
    c.execute(sql.requeue, pairs([end.ended for end in settled], rows))


def started(one: MatchedOutcome) -> tuple[bool, int | None, int]:
    """Whether the run has been started, and then its deadline and the wait before that."""
    return one.ended.began, micros_or_none(one.held.deadline_at), one.ended.wait


def verdicts(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], asked: Sequence[tuple[RunId, Token]]
) -> dict[RunId, Verdict]:
    """A lost attempt was closed by us, not by the outcome that now comes late: that one is stale."""
    parameters = batch([run for run, _ in asked], tokens=b"".join(token for _, token in asked))
    found = {run: Verdict.STALE for run, _ in asked}
    for day in days:
        for at in msgspec.json.decode(c.execute(sql.finished.format(day=day), parameters).fetchone()[0]):
            found[asked[at][0]] = Verdict.DUPLICATE
    for day in days:
        for at, outcome in msgspec.json.decode(c.execute(sql.recorded.format(day=day), parameters).fetchone()[0]):
            found[asked[at][0]] = Verdict.STALE if outcome == Outcome.LOST else Verdict.DUPLICATE
    return found
