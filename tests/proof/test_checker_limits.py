"""Histories of runs under limits: one that breaks a limit must be rejected, and one that only looks like it accepted."""

from collections.abc import Callable
from typing import Any

import pytest

from proof.checker import check
from proof.records import JobRule, Records, Transition
from tests.proof.histories import ask, claim, did, history, row, step

JOBS = {
    "job": JobRule(attempts=2),
    "capped": JobRule(at_once=1),
    "keyed": JobRule(at_once=1, keyed=True),
    "rated": JobRule(rate=2.0),
}


def life(number: int, job: str, begins: float, ends: float, *, laned: bool = False) -> list[Transition]:
    """Asked for in the order of the numbers; `laned`: it waits in its lane first."""
    run, token = f"run-{number}", f"t{number}"
    base: dict[str, Any] = {"job": job, "due_at": 4.0 + number / 100}
    before, seq = ("waiting" if laned else "queued"), round(begins * 1000)
    found = [step(number, 4.0, "queued", run=run, **base)]
    if laned:
        found.append(step(number + 50, 4.5, "waiting", "queued", run=run, reason="limit", **base))
    return [
        *found,
        claim(seq, begins, token=token, before=before, run=run, **base),
        step(round(ends * 1000), ends, "succeeded", "running", run=run, attempt=1, token=token, **base),
    ]


def told(*lives: list[Transition], group: str = "red", **changes: Any) -> Records:
    found: list[object] = []
    for number, chain in enumerate(lives):
        run, job, claimed = chain[0].run, chain[0].job, chain[-2]
        end = chain[-1].at - 0.01
        found += ask(20 + number, 3.9, run=run, mark=f"m-{run}", job=job)
        found += [*chain, row(run=run, job=job, mark=f"m-{run}", group=group if number else "red")]
        found += [did("start", claimed.at + 0.01, claimed.token, run=run)]
        found += [did("end", end, claimed.token, "succeeded", run=run)]
    return history(*found, jobs=JOBS, **changes)


ONE, TWO = life(11, "capped", 5.0, 6.0), life(12, "capped", 5.5, 6.5)
RATED = [life(11 + n, "rated", 5.0 + n / 10, 6.0 + n / 10) for n in range(5)]


@pytest.mark.parametrize(
    "records",
    [
        told(ONE, life(12, "capped", 6.0, 7.0)),
        told(life(11, "keyed", 5.0, 6.0), life(12, "keyed", 5.5, 6.5), group="blue"),
        told(life(11, "keyed", 5.0, 6.0, laned=True), life(12, "keyed", 6.5, 7.0, laned=True)),
        told(*RATED[:3]),
        told(*RATED, clocks_apart=3.0),
    ],
    ids=["one after the other", "two keys", "in order", "within its rate", "clocks that say nothing"],
)
def test_a_limit_that_is_kept_is_accepted(records: Records) -> None:
    verdict = check(records)

    assert verdict.valid, verdict.violations


BAD: dict[str, tuple[str, Callable[[], Records]]] = {
    "two under way of a job": ("S37", lambda: told(ONE, TWO)),
    "two under way of a key": ("S37", lambda: told(life(11, "keyed", 5.0, 6.0), life(12, "keyed", 5.5, 6.5))),
    "five started at once": ("S39", lambda: told(*RATED)),
    "overtaken in its lane": (
        "S40",
        lambda: told(life(12, "keyed", 5.0, 6.0, laned=True), life(11, "keyed", 6.5, 7.0, laned=True)),
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_limit_that_is_broken_is_rejected(name: str) -> None:
    invariant, make = BAD[name]

    assert {one.invariant for one in check(make()).violations} == {invariant}
