"""Histories of runs under limits: one that breaks a limit must be rejected, and one that only looks like it accepted."""

from collections.abc import Callable
from typing import Any

import pytest

from proof.checker import check
from proof.records import JobRule, Records, Transition, gather
from tests.proof.histories import SESSION, ask, beat, claim, did, history, row, rule, step

JOBS = {
    "job": JobRule(attempts=2),
    "capped": JobRule(at_once=1),
    "keyed": JobRule(at_once=1, keyed=True),
    "rated": JobRule(rate=2.0),
    "latest": JobRule(at_once=1, keyed=True, blocking="latest"),
    "replaces": JobRule(at_once=1, keyed=True, blocking="replace"),
    "guarded": JobRule(breaker="gateway", probes=1),
    "booked": JobRule(licences=1),
    "pinned": JobRule(executor="e1"),
}


def life(
    number: int, job: str, begins: float, ends: float, *, laned: bool = False, token: str = "", session: str = SESSION
) -> list[Transition]:
    """Asked for in the order of the numbers; `laned`: it waits in its lane first."""
    run, token = f"run-{number}", token or f"t{number}"
    base: dict[str, Any] = {"job": job, "due_at": 4.0 + number / 100}
    before, seq = ("waiting" if laned else "queued"), round(begins * 1000)
    found = [step(number, 4.0, "queued", run=run, **base)]
    if laned:
        found.append(step(number + 50, 4.5, "waiting", "queued", run=run, reason="limit", **base))
    return [
        *found,
        claim(seq, begins, token=token, before=before, run=run, session=session, **base),
        step(round(ends * 1000), ends, "succeeded", "running", run=run, attempt=1, token=token, **base),
    ]


def told(*lives: list[Transition], group: str = "red", **changes: Any) -> Records:
    found: list[object] = []
    for number, chain in enumerate(lives):
        run, job, claimed = chain[0].run, chain[0].job, chain[-2]
        end = chain[-1].at - 0.01
        found += ask(20 + number, 3.9, run=run, mark=f"m-{run}", job=job)
        found += [*chain, row(run=run, job=job, mark=f"m-{run}", group=group if number else "red")]
        if claimed.session != SESSION:
            found.append(beat(90 + number, 0.5, session=claimed.session, executor="e2"))
        found += [did("start", claimed.at + 0.01, claimed.token, run=run)]
        found += [did("end", end, claimed.token, "succeeded", run=run)]
    return history(*found, **{"jobs": JOBS, **changes})


def skipped(number: int, job: str, at: float, reason: str) -> Records:
    """One that runs from 5.0 to 6.0, and another that is skipped."""
    base: dict[str, Any] = {"run": f"run-{number}", "job": job, "due_at": 4.0}
    chain = [
        step(number, 4.0, "queued", **base),
        step(round(at * 1000), at, "skipped", "queued", reason=reason, **base),
    ]
    asked = ask(40, 3.9, run=f"run-{number}", mark="m-skipped", job=job)
    one = told(life(11, job, 5.0, 6.0, laned=True))
    return gather(
        [
            *one.lines(),
            *asked,
            *chain,
            row("skipped", run=f"run-{number}", job=job, mark="m-skipped", group="red", attempt=0, reason=reason),
        ]
    )


def crowd(count: int) -> Records:
    """So many that wait at once."""
    lives = [life(11 + n, "latest", 6.0 + n, 6.5 + n, laned=True) for n in range(count)]
    return told(*lives)


def replaced(until: float) -> Records:
    """One that runs on until then, and one that came in its place at 5.5."""
    first = life(11, "replaces", 5.0, until)
    base: dict[str, Any] = {"run": "run-12", "job": "replaces", "due_at": 5.4}
    second = [
        step(12, 5.4, "queued", **base),
        step(5500, 5.5, "waiting", "queued", reason="limit", **base),
        claim(90_000, until + 0.5, token="t12", before="waiting", **base),
        step(91_000, until + 1.0, "succeeded", "running", attempt=1, token="t12", **base),
    ]
    return told(first, second, drained=True)


def guarded(*rules: tuple[float, str, bool]) -> Records:
    """One from 5.0 to 7.0 and one from 6.0 to 7.5, and what their breaker did."""
    one = told(life(11, "guarded", 5.0, 7.0), life(12, "guarded", 6.0, 7.5))
    return gather([*one.lines(), *(rule(round(at * 1000), at, kind, "gateway", on=on) for at, kind, on in rules)])


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
        skipped(12, "latest", 5.5, "blocked"),
        crowd(2),
        replaced(6.0),
        guarded((4.5, "open", True), (4.8, "open", False), (6.5, "open", True), (6.8, "open", False)),
        guarded((4.5, "probing", True), (5.5, "probing", False)),
        told(life(11, "booked", 5.0, 6.0), life(12, "booked", 5.5, 6.5), licences=2),
        told(
            life(11, "booked", 5.0, 6.0, token="both"),
            life(12, "booked", 5.0, 6.5, token="both", session="s2"),
            licences=1,
        ),
        told(life(11, "pinned", 5.0, 6.0)),
    ],
    ids=[
        "one after the other",
        "two keys",
        "in order",
        "within its rate",
        "clocks that say nothing",
        "blocked by the one that runs",
        "only the latest waits",
        "the replaced one makes way",
        "opened between starts",
        "one probe",
        "two licences",
        "one claim for two executors",
        "on its executor",
    ],
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
    "blocked by nothing": ("S46", lambda: skipped(12, "latest", 7.0, "blocked")),
    "superseded by nothing": ("S46", lambda: skipped(12, "latest", 7.0, "superseded")),
    "three wait where the latest may": ("S46", lambda: crowd(3)),
    "the replaced one goes on": ("S46", lambda: replaced(40.0)),
    "started while its breaker is open": ("S44", lambda: guarded((4.5, "open", True), (6.5, "open", False))),
    "two probes where there is one": ("S44", lambda: guarded((4.5, "probing", True), (6.5, "probing", False))),
    "a breaker that stays open": ("L13", lambda: guarded((7.2, "open", True))),
    "more booked than there is": (
        "S42",
        lambda: told(life(11, "booked", 5.0, 6.0), life(12, "booked", 5.5, 6.5), licences=1),
    ),
    "on another executor": (
        "S42",
        lambda: told(life(11, "pinned", 5.0, 6.0), jobs=JOBS | {"pinned": JobRule(executor="e2")}),
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_limit_that_is_broken_is_rejected(name: str) -> None:
    invariant, make = BAD[name]

    assert {one.invariant for one in check(make()).violations} == {invariant}
