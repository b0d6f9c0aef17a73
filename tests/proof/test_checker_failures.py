"""Histories that break what is promised of endings, limits, cancels, effects, sweeps and outages, and must be rejected."""

from collections.abc import Callable

import pytest

from proof.checker import CHECKS, check
from proof.checker.needs import Check
from proof.checker.story import Story
from proof.records import JobRule, Records, SessionChange
from tests.proof.histories import (
    BORN,
    ENDED,
    OTHER,
    RUN,
    SECOND,
    SESSION,
    TOKEN,
    ask,
    beat,
    claim,
    did,
    fault,
    frame,
    history,
    record,
    row,
    step,
    sweep,
)
from tests.proof.test_checker import BAD as BAD_LIVES
from tests.proof.test_checker_calendars import BAD as BAD_CALENDARS
from tests.proof.test_checker_fires import BAD as BAD_FIRES
from tests.proof.test_checker_flows import BAD as BAD_FLOWS
from tests.proof.test_checker_limits import BAD as BAD_LIMITS
from tests.proof.test_checker_suspensions import BAD as BAD_SUSPENSIONS

Make = Callable[[], Records]
CLAIMED = claim(2, 2.0, due_at=1.0)
LOST = step(3, 7.0, "queued", "running", attempt=1, losses=1, due_at=1.0)
DEAD = [fault("kill_executor", 2.5, 6.0, "e1"), beat(2, 6.0, "dead"), beat(3, 6.5, session="s2")]
REVIVED = [
    step(4, 5.0, "queued", "failed", attempt=1, due_at=5.0),
    claim(5, 6.0, 2, SECOND, due_at=5.0),
]
FAILED = step(3, 3.0, "failed", "running", attempt=1, failures=1, token=TOKEN, due_at=1.0, reason="gave_up")
FAILED_AT = did("end", 2.9, outcome="failed")


def rules(**terms: object) -> dict[str, JobRule]:
    return {"job": JobRule(**{"attempts": 9, **terms})}  # type: ignore[arg-type]


def put_back(**fields: object) -> Records:
    """One attempt that was put back in its line."""
    end = {"outcome": fields.pop("outcome", "failed"), "wait": fields.pop("wait", 0.0)}
    jobs = fields.pop("jobs", rules())
    line = step(
        3, 3.0, "queued", "running", **{"attempt": 1, "failures": 1, "due_at": 3.5, "reason": "retry", **fields}
    )
    kept = {"failures": line.failures, "attempt": 1, "reason": line.reason}
    return history(
        record(),
        chain=[BORN, CLAIMED, line],
        executed=[did("start", 2.1), did("end", 2.9, **end)],  # type: ignore[arg-type]
        rows=[row("queued", **kept)],
        drained=False,
        jobs=jobs,
    )


def run_again(end: str, tried: str) -> Records:
    """A dead letter that a sweep put back as its canary, and what came of it and of the sweep."""
    last = step(6, 7.0, end, "running", attempt=2, token=SECOND, due_at=5.0)
    return history(
        *ask(2, 4.9, act="sweep", job="job"),
        sweep(tried, 2, [RUN]),
        chain=[BORN, CLAIMED, FAILED, *REVIVED, last],
        executed=[did("start", 2.1), FAILED_AT, did("start", 6.1, SECOND), did("end", 6.9, SECOND, end)],
        rows=[row(end, attempt=2)],
    )


def child(at: float, answer: str = "done", *, claimed: float) -> Records:
    """A child that is claimed then, of a run whose children are cancelled at that time."""
    return history(
        *ask(2, 3.2, run=OTHER, mark="m2", parent=RUN),
        *ask(3, at, act="cancel_below", run=RUN, state=answer),
        step(4, 3.25, "queued", run=OTHER, due_at=3.2),
        claim(5, claimed, token=SECOND, run=OTHER, due_at=3.2),
        step(6, claimed + 1, "succeeded", "running", run=OTHER, attempt=1, token=SECOND, due_at=3.2),
        did("start", claimed + 0.1, SECOND, run=OTHER),
        did("end", claimed + 0.9, SECOND, "succeeded", run=OTHER),
        row(run=OTHER, mark="m2"),
    )


def cancelled_while_running(killed: float) -> Records:
    return history(
        *ask(2, 2.3, act="cancel", run=RUN, state="running"),
        chain=[
            BORN,
            CLAIMED,
            claim(3, 2.35, wish=True, before="running", due_at=1.0),
            step(4, killed + 0.1, "cancelled", "running", attempt=1, token=TOKEN, due_at=1.0),
        ],
        executed=[did("start", 2.1), did("killed", killed)],
        rows=[row("cancelled")],
    )


def rolled(claimed: float) -> Records:
    return history(
        *ask(2, 40.0, run=OTHER, mark="roll-1"),
        step(4, 40.05, "queued", run=OTHER, due_at=40.0),
        claim(5, claimed, token=SECOND, run=OTHER, due_at=40.0),
        step(6, claimed + 1, "succeeded", "running", run=OTHER, attempt=1, token=SECOND, due_at=40.0),
        did("start", claimed + 0.1, SECOND, run=OTHER),
        did("end", claimed + 0.9, SECOND, "succeeded", run=OTHER),
        row(run=OTHER, mark="roll-1"),
    )


def asked_about_loss(*said: object) -> Records:
    """A loss that waits for an operator, and then goes on."""
    return history(
        *DEAD,
        *said,
        chain=[
            BORN,
            claim(1, 2.0, due_at=1.0),
            step(4, 7.0, "waiting", "running", attempt=1, losses=1, due_at=1.0, reason="lost"),
            step(5, 8.0, "queued", "waiting", attempt=1, losses=1, due_at=1.0),
            claim(6, 8.5, 2, SECOND, "s2", losses=1, due_at=1.0),
            step(7, 9.5, "succeeded", "running", attempt=2, losses=1, token=SECOND, due_at=1.0),
        ],
        executed=[did("start", 2.1), did("start", 8.6, SECOND), did("end", 9.4, SECOND, "succeeded")],
        rows=[row(attempt=2, losses=1)],
        jobs=rules(on_lost="ask"),
    )


def effects(*applied: tuple[int, str, str], ended: bool = False, **changes: object) -> Records:
    """Two attempts, the first of which was cut off; what each had and was told: number, token, told."""
    first_end = [did("end", 2.5, outcome="failed")] if ended else []
    return history(
        *(
            did("applied", 2.2 + number * 2, token, told, attempt=number, name="mail")
            for number, token, told in applied
        ),
        record(),
        chain=[
            BORN,
            CLAIMED,
            step(3, 3.0, "queued", "running", attempt=1, failures=1, due_at=3.5),
            claim(4, 4.0, 2, SECOND, failures=1, due_at=3.5),
            step(5, 8.0, "succeeded", "running", attempt=2, failures=1, token=SECOND, due_at=3.5),
        ],
        executed=[did("start", 2.1), *first_end, did("start", 4.1, SECOND), did("end", 7.9, SECOND, "succeeded")],
        rows=[row(attempt=2, failures=1)],
        **changes,
    )


def timed(took: float, *, wait: float = 0.0, outcome: str = "succeeded") -> Records:
    end = did("end" if outcome == "succeeded" else "killed", 2.1 + took, outcome=outcome, wait=wait)
    state = "succeeded" if outcome == "succeeded" else "failed"
    return history(
        *([] if outcome == "succeeded" else [record(outcome=outcome)]),
        chain=[BORN, CLAIMED, step(3, 2.2 + took, state, "running", attempt=1, token=TOKEN, due_at=1.0)],
        executed=[did("start", 2.1), end],
        rows=[row(state)],
        jobs=rules(timeout=2.0),
        stop_grace=1.0,
    )


def outage(died: float) -> Records:
    given_up = SessionChange(at=died, seq=5, session=SESSION, executor="e1", state="dead", lease_until=12.0)
    return history(fault("store_outage", 10.0, 16.0), beat(4, 9.0), given_up)


BAD: dict[str, tuple[str, Make]] = {
    "due before its handler wants it": ("S16", lambda: put_back(wait=5.0)),
    "a snooze that is due too soon": (
        "S16",
        lambda: put_back(outcome="snoozed", wait=5.0, failures=0, reason="snoozed"),
    ),
    "a snooze that counts as a failure": ("S16", lambda: put_back(outcome="snoozed")),
    "tried again after its handler gave up": ("S16", lambda: put_back(outcome="gave_up")),
    "over its budget": ("S16", lambda: put_back(jobs=rules(budget=4.0), due_at=7.5)),
    "repeated after a loss that ends it": (
        "S16",
        lambda: history(
            *DEAD,
            chain=[BORN, claim(1, 2.0, due_at=1.0), LOST],
            executed=[did("start", 2.1)],
            rows=[row("queued", losses=1)],
            drained=False,
            jobs=rules(on_lost="fail"),
        ),
    ),
    "nobody was asked about its loss": ("S16", asked_about_loss),
    "longer than its timeout": ("S17", lambda: timed(9.0)),
    "timed out too soon": ("S17", lambda: timed(1.0, outcome="timed_out")),
    "timed out although it had asked for more": ("S17", lambda: timed(2.5, wait=3.0, outcome="timed_out")),
    "begun behind the deadline for its start": (
        "S17",
        lambda: history(chain=[step(1, 1.05, "queued", due_at=1.0, deadline_at=1.5), CLAIMED, ENDED]),
    ),
    "went on after its cancel": ("S18", lambda: cancelled_while_running(12.0)),
    "a child that was started after the cancel": ("S18", lambda: child(4.0, claimed=5.0)),
    "a child that the sweep never came to": ("S18", lambda: child(4.0, "sweeping", claimed=20.0)),
    "an effect that was begun before": ("S32", lambda: effects((1, TOKEN, "first"), (2, SECOND, "first"))),
    "an effect that no fail-over forgot": (
        "S32",
        lambda: effects((1, TOKEN, "first"), (2, SECOND, "first"), failovers=[(20.0, 21.0)]),
    ),
    "an effect that had come to pass": (
        "S32",
        lambda: effects((1, TOKEN, "first"), (2, SECOND, "unknown"), ended=True),
    ),
    "a canary that failed, and the rest": ("S33", lambda: run_again("failed", "done")),
    "more than the canaries of a sweep that stopped": ("S33", lambda: run_again("succeeded", "stopped")),
    "taken twice by one sweep": (
        "S3",
        lambda: history(
            *ask(2, 4.9, act="sweep", job="job"),
            chain=[
                BORN,
                CLAIMED,
                FAILED,
                *REVIVED,
                step(6, 7.0, "failed", "running", attempt=2, failures=1, token=SECOND, due_at=5.0),
                step(7, 8.0, "queued", "failed", attempt=2, due_at=8.0),
            ],
            rows=[row("queued", attempt=2)],
            drained=False,
        ),
    ),
    "a sweep that never ends": ("L5", lambda: history(sweep("running", 0, []))),
    "given up right behind an outage": ("S34", lambda: outage(17.0)),
    "room that nobody uses": ("L11", lambda: rolled(48.0)),
    "a jump of a machine's clock is no excuse": (
        "S16",
        lambda: history(
            fault("machine_jump", 2.5, 2.5, "e1"),
            *DEAD[1:],
            chain=[BORN, claim(1, 2.0, due_at=1.0), LOST],
            executed=[did("start", 2.1)],
            rows=[row("queued", losses=1)],
            drained=False,
        ),
    ),
    "more than there is room for, long after there was more": (
        "S20",
        lambda: history(frame("room", 2, 1.0), frame("room", 1, 2.0), frame("start", 2, 9.0, TOKEN)),
    ),
    "more than there is room for, and only one inventory": (
        "S20",
        lambda: history(
            frame("room", 1),
            frame("start", 1, 1.1, TOKEN),
            frame("inventory", 0, 1.2),
            frame("start", 1, 1.3, SECOND),
        ),
    ),
}

GOOD: dict[str, Make] = {
    "due when its handler wants it": lambda: put_back(wait=0.4),
    "a snooze": lambda: put_back(outcome="snoozed", wait=0.5, failures=0, reason="snoozed"),
    "within its budget": lambda: put_back(jobs=rules(budget=4.0), due_at=6.0),
    "an operator was asked about its loss": lambda: asked_about_loss(*ask(2, 7.8, act="retry", run=RUN)),
    "longer than its timeout, as it had asked": lambda: timed(6.0, wait=5.0),
    "timed out": lambda: timed(2.05, outcome="timed_out"),
    "stopped by its cancel": lambda: cancelled_while_running(2.6),
    "a child that was started before the cancel": lambda: child(5.0, claimed=4.0),
    "an effect of unknown outcome": lambda: effects((1, TOKEN, "first"), (2, SECOND, "unknown")),
    "an effect that a fail-over forgot": lambda: effects(
        (1, TOKEN, "first"), (2, SECOND, "first"), failovers=[(2.5, 3.5)]
    ),
    "a canary that did well": lambda: run_again("succeeded", "done"),
    "given up a lease behind an outage": lambda: outage(19.5),
    "all the room is used": lambda: rolled(41.0),
    "a claim that crossed the word of less room": lambda: history(
        frame("room", 2, 1.0), frame("room", 1, 2.0), frame("start", 2, 2.1, TOKEN)
    ),
    "forgotten, and two inventories": lambda: history(
        frame("room", 1),
        frame("start", 1, 1.1, TOKEN),
        frame("inventory", 0, 1.2),
        frame("inventory", 0, 1.3),
        frame("start", 1, 1.4, SECOND),
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_history_is_rejected_for_what_is_wrong(name: str) -> None:
    invariant, make = BAD[name]

    verdict = check(make())

    assert invariant in verdict.broken, str(verdict)
    assert all(violation.witness for violation in verdict.violations)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_history_is_valid(name: str) -> None:
    verdict = check(GOOD[name]())

    assert verdict.valid, str(verdict)


@pytest.mark.parametrize("function", [each for _, each in CHECKS], ids=lambda each: each.__name__)
def test_every_check_rejects_some_history(function: Check) -> None:
    known = BAD | BAD_LIVES | BAD_FIRES | BAD_SUSPENSIONS | BAD_FLOWS | BAD_LIMITS
    made = [*(make for _, make in known.values()), *BAD_CALENDARS.values()]

    assert any(list(function(Story(make()))) for make in made)
