"""Numbers that live in databases and on the wire, and so may never change."""

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.runs.attempt import Claim, Outcome, Successes, Verdict

RUN, TOKEN, SESSION = RunId(bytes(16)), Token(bytes(16)), SessionId(bytes(16))


def test_the_numbers_of_the_outcomes_never_change() -> None:
    assert {outcome.label: int(outcome) for outcome in Outcome} == {
        "succeeded": 0,
        "failed": 1,
        "timed_out": 2,
        "cancelled": 3,
        "suspended": 4,
        "lost": 5,
        "released": 6,
        "snoozed": 7,
        "parked": 8,
    }


def test_the_numbers_of_the_verdicts_never_change() -> None:
    assert {verdict.name: int(verdict) for verdict in Verdict} == {"APPLIED": 0, "DUPLICATE": 1, "STALE": 2}


def test_a_batch_is_as_long_as_its_runs() -> None:
    claim = Claim(
        session=SESSION, token=TOKEN, runs=[RUN] * 2, lines=[1] * 2, jobs=[1] * 2, attempts=[1] * 2, inputs=[b""] * 2
    )
    successes = Successes(runs=[RUN] * 3, tokens=[TOKEN] * 3, results=[b""] * 3, waits=[0] * 3, durations=[0] * 3)

    assert (len(claim), len(successes)) == (2, 3)
