"""Draw docs/states.md from the rules themselves, so that the picture cannot lie."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import NamedTuple

from mainspring.domain.attempt import Decision, Held, Outcome
from mainspring.domain.ids import RunId, Token
from mainspring.domain.job import RetryPolicy
from mainspring.domain.retry import DEADLINE_PASSED, LOSSES_MAX, after_attempt
from mainspring.domain.run import RunState, WaitReason
from mainspring.domain.steering import may_retry

PAGE = Path(__file__).parents[1] / "docs" / "states.md"

HEAD = """\
# The states of a run

Drawn from the rules in `mainspring/domain/` by `make docs-states`; a test compares. Do not edit.

```mermaid
stateDiagram-v2
"""

BEFORE_AN_ATTEMPT = (
    (None, RunState.QUEUED, "accepted"),
    (None, RunState.RUNNING, "accepted while a slot is free: claimed at once"),
    (RunState.QUEUED, RunState.RUNNING, "due, and claimed"),
    (RunState.RUNNING, RunState.QUEUED, "the claim is put back before it was sent"),
    (RunState.QUEUED, RunState.CANCELLED, "cancelled"),
    (RunState.WAITING, RunState.CANCELLED, "cancelled"),
    (RunState.QUEUED, RunState.FAILED, "its deadline has come"),
    (RunState.WAITING, RunState.FAILED, "its deadline has come"),
)

CONDITIONS = {
    "retry": "attempts remain",
    "attempts_spent": "attempts are spent",
    "quarantined": f"{LOSSES_MAX} losses, quarantined",
    DEADLINE_PASSED: "no time is left before the deadline",
    "asked": "a cancel was asked for",
}

NOW = datetime(2000, 1, 1, tzinfo=UTC)


class Move(NamedTuple):
    before: RunState | None
    after: RunState
    because: str


def page() -> str:
    moves = [Move(*move) for move in BEFORE_AN_ATTEMPT] + list(moves_after_an_attempt()) + list(moves_by_retry())
    return HEAD + diagram(moves) + "```\n\n" + table(moves) + "\n" + notes()


def moves_after_an_attempt() -> Iterator[Move]:
    """Ask the rule about every outcome: attempts left or not, too many losses or not, a deadline or a cancel or neither."""
    seen: set[Move] = set()
    cases = product(Outcome, (None, NOW), (None, "asked"), (1, 2), (0, LOSSES_MAX - 1))
    for outcome, deadline_at, cancel, attempts, losses in cases:
        decision = decide(outcome, attempts=attempts, losses=losses, deadline_at=deadline_at, cancel=cancel)
        move = Move(RunState.RUNNING, decision.state, because(outcome, decision))
        if move not in seen:
            seen.add(move)
            yield move


def moves_by_retry() -> Iterator[Move]:
    for state in RunState:
        if may_retry(state, force=True):
            forced = "" if may_retry(state, force=False) else ", by force"
            yield Move(state, RunState.QUEUED, f"somebody has it run again{forced}")


def decide(
    outcome: Outcome, *, attempts: int, losses: int, deadline_at: datetime | None, cancel: str | None
) -> Decision:
    held = Held(
        run=RunId(b""),
        token=Token(b""),
        job=0,
        attempt=1,
        failures=0,
        losses=losses,
        cancel=cancel,
        deadline_at=deadline_at,
    )
    return after_attempt(outcome, held, policy=RetryPolicy(attempts=attempts), now=NOW, jitter=lambda: 0.5)


def because(outcome: Outcome, decision: Decision) -> str:
    if decision.reason is None:
        return outcome.label
    return f"{outcome.label}; {CONDITIONS[decision.reason]}"


def diagram(moves: list[Move]) -> str:
    arrows = [f"    {label(before)} --> {label(after)}: {why}" for before, after, why in moves]
    ends = [f"    {state.label} --> [*]" for state in RunState if state.final]
    return "\n".join([*arrows, *ends]) + "\n"


def table(moves: list[Move]) -> str:
    rows = [f"| {label(before)} | {after.label} | {why} |".replace("[*]", "none") for before, after, why in moves]
    return "\n".join(["| from | to | because |", "|---|---|---|", *rows]) + "\n"


def label(state: RunState | None) -> str:
    return "[*]" if state is None else state.label


def notes() -> str:
    finals = ", ".join(f"`{state.label}`" for state in RunState if state.final)
    reasons = ", ".join(f"`{reason.value}`" for reason in WaitReason)
    return f"""\
- Final: {finals}. A final run has moved to history. It never changes again by itself: only
  somebody who has it run again brings it back, with the next number for its next attempt.
- Due is a comparison (`due_at` has come), not a state. A run that is to start later is `queued` with a later `due_at`;
  a run that will be retried is `queued` with failures behind it.
- `waiting` means not claimable, with a reason:
  {reasons}.
  This version gives one of them: a queued run in a line that no connected executor serves reads as `waiting` with
  `no_executor`. Nothing is written for it, so it is claimable again the moment an executor comes.
- A run that is to be cancelled while it is running stays `running`, with the reason `cancelling`, until its attempt has
  ended.
- `released` is a hand-back: the executor had not started the attempt, or was draining. It counts neither as a failure
  nor as a loss.
- `skipped` is reserved for runs that a rule decides not to start. No rule of this version does.
"""


if __name__ == "__main__":
    PAGE.write_text(page())
