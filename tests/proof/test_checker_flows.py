"""Histories of workflow runs: one that breaks a promise must be rejected, and the one that keeps all must not."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from mainspring.domain.workflows.spec import StepSpec, WorkflowSpec, write_workflow
from proof.checker import check
from proof.records import Execution, FlowRow, JobRule, Records, RunRow, StepRow, Transition
from tests.proof.histories import ask, claim, did, history, row, step

SPEC = write_workflow(WorkflowSpec(steps={"a": StepSpec(job="step"), "b": StepSpec(job="step", after=("a",))})).decode()
FLOW, A, B = "run-f", "run-a", "run-b"
DONE = {"a": "succeeded", "b": "succeeded"}
JOBS = {"job": JobRule(attempts=2), "step": JobRule(attempts=2)}


def flow(states: dict[str, str] = DONE) -> FlowRow:
    return FlowRow(at=60.0, run=FLOW, job="flow-0", spec=SPEC, states=states)


def place(name: str, run: str, state: str = "succeeded") -> StepRow:
    return StepRow(at=60.0, workflow=FLOW, step=name, item=None, run=run, state=state, result="{}")


def life(run: str, seq: int, at: float, end: str = "succeeded") -> list[Transition]:
    """Queued, claimed and over, a second each."""
    base: dict[str, Any] = {"run": run, "job": "step", "due_at": 1.0}
    return [
        step(seq, at, "queued", **base),
        claim(seq + 1, at + 1, token=f"t-{run}", **base),
        step(seq + 2, at + 2, end, "running", attempt=1, token=f"t-{run}", **base),
    ]


def own(seq: int, at: float, state: str, before: str) -> Transition:
    """A change of the workflow run itself."""
    return step(seq, at, state, before, run=FLOW, job="flow-0", due_at=1.0, attempt=int(bool(before)))


def executed(run: str, at: float) -> list[Execution]:
    token = f"t-{run}"
    return [did("start", at + 1.1, token, run=run), did("end", at + 1.9, token, "succeeded", run=run)]


def told(
    *more: object,
    a: list[Transition] | None = None,
    b: list[Transition] | None = None,
    end: int = 40,
    rows: FlowRow | None = None,
    places: list[StepRow] | None = None,
) -> Records:
    """A workflow run of two steps, beside a plain run."""
    a, b = life(A, 11, 5.0) if a is None else a, life(B, 21, 8.0) if b is None else b
    chain = [own(10, 5.0, "waiting", "queued"), own(end, 12.0, "succeeded", "waiting")]
    found = [
        *ask(9, 4.0, run=FLOW, mark="flow"),
        own(9, 4.05, "queued", ""),
        *chain,
        *a,
        *b,
        *executed(A, 5.0),
        *(executed(B, b[0].at) if b else []),
        row(run=FLOW, job="flow-0", mark="flow"),
        row(run=A, job="step", mark=""),
        *([row(run=B, job="step", mark="")] if b else []),
        flow() if rows is None else rows,
        *([place("a", A), place("b", B)] if places is None else places),
    ]
    return history(*found, *more, steps=("step",), flows=("flow-0",), jobs=JOBS)


def blamed(records: Records) -> str:
    return "; ".join(one.message for one in check(records).violations if one.invariant == "S14")


def test_a_workflow_run_whose_steps_ran_in_order_is_accepted() -> None:
    verdict = check(told())

    assert verdict.valid, verdict.violations
    assert "S14" in verdict.checked


BAD: dict[str, tuple[str, Callable[[], Records]]] = {
    "b is skipped": ("S14", lambda: told(rows=flow({"a": "succeeded", "b": "skipped"}))),
    "by its parents' ends missing": ("S14", lambda: told(b=[], places=[place("a", A)])),
    "whose place no workflow run knows": ("S14", lambda: told(places=[place("a", A)])),
    "the run of step b is gone": ("S14", lambda: told(places=[place("a", A), place("b", B, "")])),
    "b began before a had ended": ("S14", lambda: told(b=life(B, 4, 5.5))),
    "b goes on, and its workflow run is over": ("S14", lambda: told(end=22)),
    "b began after the cancel": (
        "S14",
        lambda: told(*ask(12, 4.2, act="cancel", run=FLOW, state="running"), b=life(B, 21, 9.0)),
    ),
}
"""By a part of the message."""


@pytest.mark.parametrize("message", BAD)
def test_a_broken_promise_of_a_workflow_run_is_rejected(message: str) -> None:
    _, make = BAD[message]

    assert message in blamed(make())


def test_a_step_that_could_not_start_is_over_when_it_begins() -> None:
    refused = [step(21, 8.0, "failed", run=B, job="step", attempt=1, due_at=1.0, failures=1)]
    records = told(
        b=refused, rows=flow({"a": "succeeded", "b": "failed"}), places=[place("a", A), place("b", B, "failed")]
    )
    kept = [one for one in records.executions if one.run != B]
    rows: list[RunRow] = [
        msgspec.structs.replace(one, state="failed", failures=1) if one.run == B else one for one in records.run_rows
    ]
    verdict = check(msgspec.structs.replace(records, executions=kept, run_rows=rows))

    assert verdict.valid, verdict.violations
