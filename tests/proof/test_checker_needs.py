"""What counts as checked: only what the records hold something of."""

import pytest

from proof.checker import CHECKS, check
from proof.checker.needs import NEEDS
from proof.records import Records
from proof.sim.many import Result, Summary
from tests.proof.histories import RUN, ask, claim, did, fault, history, key, record, row, session, step
from tests.proof.test_checker import BAD as BAD_LIVES
from tests.proof.test_checker_failures import BAD as BAD_FAILURES
from tests.proof.test_checker_fires import BAD as BAD_FIRES
from tests.proof.test_checker_suspensions import BAD as BAD_SUSPENSIONS

BAD = {name: make for name, (_, make) in (BAD_LIVES | BAD_FAILURES | BAD_FIRES | BAD_SUSPENSIONS).items()}
IDLE = {
    *("S11", "S13", "S14", "S17", "S19", "S20", "S26", "S33", "S34", "S37", "S39", "S40", "S42", "S44", "S46"),
    *("L1", "L3", "L10", "L11", "L13"),
}


def chaos() -> Records:
    """One run without limits, with what the chaos harness collects of such, and the faults of its short round."""
    records = history(
        *ask(2, 2.3, act="cancel", run=RUN, state="running"),
        *ask(3, 2.2, act="suspend", run=RUN, state="running", due_at=4.0),
        *(fault(name, 50.0, 51.0, "e1") for name in ("kill_executor", "kill_server", "pause_executor", "store_outage")),
        record(outcome="cancelled"),
        key("k1"),
        session(),
        chain=[
            step(1, 1.05, "queued", due_at=1.0, instant=1.0),
            claim(2, 2.0, due_at=1.0),
            claim(3, 2.35, wish=True, before="running", due_at=1.0),
            step(4, 2.6, "cancelled", "running", attempt=1, token="aa", due_at=1.0),
        ],
        executed=[
            did("start", 2.1),
            did("stepped", 2.2, outcome="aa", name="one"),
            did("applied", 2.3, outcome="first", name="mail"),
            did("killed", 2.5),
        ],
        rows=[row("cancelled", key="k1")],
        slack=1.0,
        clocks_apart=0.5,
    )
    records.operations = [*ask(1, 1.0, run=RUN, mark="m1", key="k1"), *records.operations[2:]]
    return records


def test_chaos_counts_only_what_its_records_can_show() -> None:
    verdict = check(chaos())

    assert verdict.valid, str(verdict)
    assert set(verdict.idle) == IDLE
    assert str(verdict).startswith(f"valid: {len(verdict.checked)} invariants held; nothing to look at for S11, ")


@pytest.mark.parametrize("name", BAD)
def test_what_is_broken_was_looked_at(name: str) -> None:
    verdict = check(BAD[name]())

    assert set(verdict.broken) <= set(verdict.checked)


def test_what_a_check_needs_is_said_only_of_checks_that_are_made() -> None:
    assert NEEDS.keys() <= {each for _, each in CHECKS}


def test_many_seeds_have_checked_what_one_of_them_has() -> None:
    summary = Summary()
    for records in (chaos(), BAD["claimed after its suspend"]()):
        verdict = check(records)
        summary.add(Result(seed=1, verdict=verdict, seconds=1.0, took=1.0, reached={}, faults=[], trace=""))

    assert "S35" not in summary.idle
    assert "S11" in summary.idle
