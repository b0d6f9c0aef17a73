"""Draw docs/states.md from the rules themselves, so that the picture cannot lie."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import NamedTuple

from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import LOSSES_MAX, JobSpec, OnLost, RetryPolicy
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.cancel import may_retry
from mainspring.domain.runs.explain import QUEUED, QUEUED_ELSE, RUNNING, RUNNING_ELSE, WAITING
from mainspring.domain.runs.retry import DEADLINE_PASSED, GAVE_UP, after_attempt
from mainspring.domain.runs.run import RunState, WaitReason

PAGE = Path(__file__).parents[1] / "docs" / "states.md"

HEAD = """\
# The states of a run

<!-- Drawn from the rules in `mainspring/domain/` by `make docs-states`; a test compares. -->

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
    (RunState.QUEUED, RunState.WAITING, "suspended"),
    (RunState.WAITING, RunState.QUEUED, "resumed by a caller, or at its instant"),
    (RunState.QUEUED, RunState.FAILED, "its deadline has come"),
    (RunState.WAITING, RunState.FAILED, "its deadline has come"),
    (RunState.QUEUED, RunState.FAILED, "it was to start by now, and nobody has started it"),
)

CONDITIONS = {
    "retry": "attempts remain",
    "attempts_spent": "attempts are spent",
    "budget_spent": "no budget is left for another try",
    GAVE_UP: "handler or policy give it up",
    "quarantined": f"{LOSSES_MAX} losses, quarantined",
    "lost": "its job says {on_lost}",
    "snoozed": "until it is due again",
    "breaker": "until its breaker lets it go",
    DEADLINE_PASSED: "no time is left before the deadline",
    "asked": "a cancel was asked for",
    "suspended": "a caller, or its handler, sets it aside",
}

POLICIES = (
    RetryPolicy(),
    RetryPolicy(attempts=2),
    RetryPolicy(attempts=2, give_up_on=("Error",)),
    RetryPolicy(attempts=2, budget=0),
)

NOW = datetime(2000, 1, 1, tzinfo=UTC)
STANDINGS = """
## Nothing waits without saying for what

Whatever is not over says why it stands where it stands and what ends that (`why`), and when that is at the latest (`until`):
when it is due, when a suspension ends, or its deadline. Only what waits for people or executors and has no deadline is without.

| state | reason | why |
|---|---|---|
"""


class Move(NamedTuple):
    before: RunState | None
    after: RunState
    because: str


def page() -> str:
    moves = [Move(*move) for move in BEFORE_AN_ATTEMPT] + list(moves_after_an_attempt()) + list(moves_by_retry())
    return HEAD + diagram(moves) + "```\n\n" + table(moves) + "\n" + notes() + standings()


def standings() -> str:
    """Why a run stands where it stands, as the API and the command line say it."""
    words = [
        (RunState.WAITING, WAITING, None),
        (RunState.QUEUED, QUEUED, QUEUED_ELSE),
        (RunState.RUNNING, RUNNING, RUNNING_ELSE),
    ]
    rows = [
        f"| {state.label} | {f'`{reason}`' if reason else ''} | {why} |"
        for state, reasons, otherwise in words
        for reason, why in [*reasons.items(), *([("", otherwise)] if otherwise else [])]
    ]
    return STANDINGS + "\n".join(rows) + "\n"


def moves_after_an_attempt() -> Iterator[Move]:
    """Ask the rule about every outcome: attempts left or not, too many losses or not, a deadline or a cancel or neither."""
    seen: set[Move] = set()
    cases = product(Outcome, (None, NOW), (None, "asked"), POLICIES, (0, LOSSES_MAX - 1), OnLost, (False, True))
    for outcome, deadline_at, cancel, retry, losses, on_lost, suspend in cases:
        spec = JobSpec(name="", handler="", retry=retry, on_lost=on_lost)
        decision = decide(outcome, spec, losses=losses, deadline_at=deadline_at, cancel=cancel, suspend=suspend)
        move = Move(RunState.RUNNING, decision.state, because(outcome, decision, on_lost))
        if move not in seen:
            seen.add(move)
            yield move


def moves_by_retry() -> Iterator[Move]:
    for state in RunState:
        if may_retry(state, force=True):
            forced = "" if may_retry(state, force=False) else ", by force"
            yield Move(state, RunState.QUEUED, f"a caller has it run again{forced}")
    yield Move(RunState.WAITING, RunState.QUEUED, "lost, and a caller has it run again")


def decide(
    outcome: Outcome, spec: JobSpec, *, losses: int, deadline_at: datetime | None, cancel: str | None, suspend: bool
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
        suspend=suspend,
    )
    end = Ended(run=held.run, token=held.token, outcome=outcome, kinds=("Error",))
    return after_attempt(end, held, spec=spec, now=NOW, jitter=lambda: 0.5)


def because(outcome: Outcome, decision: Decision, on_lost: OnLost) -> str:
    if decision.reason is None:
        return outcome.label
    return f"{outcome.label}; {CONDITIONS[decision.reason].format(on_lost=on_lost.value)}"


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
  a caller who has it run again brings it back, with the next number for its next attempt.
- Due is a comparison (`due_at` has come), not a state. A run that is to start later is `queued` with a later `due_at`;
  a run that will be retried is `queued` with failures behind it.
- `waiting` means not claimable, with a reason:
  {reasons}.
  A queued run in a line that no connected executor serves reads as `waiting` with `no_executor`. Nothing is written for
  that, so it is claimable again the moment an executor comes. What the others mean stands below, as far as this version
  gives them.
- A run that is to be cancelled while it is running stays `running`, with the reason `cancelling`, until its attempt has
  ended.
- `suspended`: a caller set the run aside, or its handler did. A run that is to be suspended while it is running is `running`,
  with the reason `suspending`, until its handler yields at a checkpoint or step; one that yields when nobody wants that any
  more goes on at once. It counts neither as a failure nor as a loss.
- `lost`: an attempt's executor or process died, or was cut off. Whether that is repeated is for the job to say (`on_lost`): one
  that asks lets its run wait, with the reason `lost`, until a caller has it run again or cancels it.
- `snoozed` is the handler's own wish to go on later. It counts neither as a failure nor as a loss.
- `parked` is the end of an attempt whose handler found a breaker open. It counts neither as a failure nor as a loss.
- `released` is a hand-back: the executor had not started the attempt, or was draining. It counts neither as a failure
  nor as a loss.
- `skipped` is reserved for runs that a rule decides not to start. No rule of this version does.
"""


if __name__ == "__main__":
    PAGE.write_text(page())
