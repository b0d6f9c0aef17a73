"""Histories of runs that are set aside: what breaks a promise must be rejected, and what only looks like it accepted."""

from collections.abc import Callable

import pytest

from proof.checker import check
from proof.records import Execution, Operation, Records, Transition
from tests.proof.histories import BORN, RUN, SECOND, TOKEN, ask, claim, did, fault, history, record, row, step

Make = Callable[[], Records]
CLAIMED = claim(2, 2.0, due_at=1.0)
WISHED = claim(3, 2.25, before="running", reason="suspending", due_at=1.0)
SUSPEND = ask(2, 2.2, act="suspend", run=RUN, state="running")
YIELD = [did("start", 2.1), did("end", 2.9, outcome="yielded")]
RESUME = ask(3, 5.0, act="resume_run", run=RUN, state="queued")


def aside(at: float = 3.0, **fields: object) -> Transition:
    return step(4, at, "waiting", "running", **{"attempt": 1, "due_at": 1.0, "reason": "suspended", **fields})


def again(at: float = 5.05, before: str = "waiting", **fields: object) -> list[Transition]:
    """Back in its line, claimed a second later, and succeeded."""
    base = {"due_at": 1.0, **fields}
    return [
        step(5, at, "queued", before, attempt=1, **base),
        claim(6, at + 1.0, 2, SECOND, **base),  # type: ignore[arg-type]
        step(7, at + 2.0, "succeeded", "running", attempt=2, token=SECOND, **base),
    ]


def suspended(
    *more: object,
    chain: list[Transition] | None = None,
    asked: list[Operation] = SUSPEND,
    executed: list[Execution] = YIELD,
    at: float = 5.05,
    **changes: object,
) -> Records:
    """A run that was to yield, did, and goes on at that time; nobody said so yet."""
    chain = [BORN, CLAIMED, WISHED, aside(), *again(at)] if chain is None else chain
    begun = next(line.at for line in chain if line.token == SECOND)
    ran = [did("start", begun + 0.1, SECOND, attempt=2), did("end", begun + 0.9, SECOND, "succeeded", attempt=2)]
    end = chain[-1]
    rows = [row(attempt=2, failures=end.failures, losses=end.losses)]
    return history(*asked, *more, chain=chain, executed=[*executed, *ran], rows=rows, **changes)


def idle(*more: object, at: float, asked: list[Operation]) -> Records:
    """A run that waits in its line when it is suspended, and goes on at that time."""
    ran = [did("start", at + 1.1, attempt=1), did("end", at + 1.9, outcome="succeeded", attempt=1)]
    chain = [
        BORN,
        step(2, 2.25, "waiting", "queued", due_at=1.0, reason="suspended"),
        step(3, at, "queued", "waiting", due_at=1.0),
        claim(4, at + 1.0, due_at=1.0),
        step(5, at + 2.0, "succeeded", "running", attempt=1, token=TOKEN, due_at=1.0),
    ]
    return history(*asked, *more, chain=chain, executed=ran)


def parked(*more: object, wait: float, at: float) -> Records:
    """A run whose handler sets it aside for so long, and that goes on at that time."""
    ends = [did("start", 2.1), did("end", 2.9, outcome="suspended", wait=wait)]
    return suspended(*more, chain=[BORN, CLAIMED, aside(), *again(at)], asked=[], executed=ends)


def charged(**counts: int) -> Records:
    return suspended(
        *RESUME,
        record(outcome="suspended"),
        chain=[BORN, CLAIMED, WISHED, aside(**counts), *again(5.05, "waiting", **counts)],
    )


def passed(at: float, *more: object) -> Records:
    """A handler that comes by a checkpoint at that time, although it is to yield."""
    executed = [did("start", 2.1), did("checkpoint", at, outcome="1"), did("end", 8.9, outcome="yielded")]
    chain = [BORN, CLAIMED, WISHED, aside(9.0), *again(11.0)]
    return suspended(*ask(4, 10.9, act="resume_run", run=RUN), *more, chain=chain, executed=executed)


def ended(*more: object) -> Records:
    """It failed for good although it was to yield, and is claimed once more."""
    failed = step(4, 3.0, "failed", "running", attempt=1, token=TOKEN, due_at=1.0, reason="gave_up")
    return suspended(
        *more,
        chain=[BORN, CLAIMED, WISHED, failed, *again(before="failed")],
        executed=[did("start", 2.1), did("end", 2.9, outcome="gave_up")],
    )


def suspend(at: float, phase: str = "ok", **fields: object) -> list[Operation]:
    return ask(8, at, phase, act="suspend", run=RUN, **fields)


BAD: dict[str, tuple[str, Make]] = {
    "claimed after its suspend": ("S35", suspended),
    "the wish is forgotten at the end of the attempt": (
        "S35",
        lambda: suspended(
            chain=[BORN, CLAIMED, WISHED, *again(3.0, "running", failures=1)],
            executed=[did("start", 2.1), did("end", 2.9, outcome="failed")],
        ),
    ),
    "resumed before, and not again": ("S35", lambda: suspended(*ask(3, 2.0, act="resume_run", run=RUN))),
    "a resume that was refused": ("S35", lambda: suspended(*ask(3, 5.0, "fail", act="resume_run", run=RUN))),
    "the resume of another run": ("S35", lambda: suspended(*ask(3, 5.0, act="resume_run", run="run-9"))),
    "before its instant": ("S35", lambda: idle(at=5.0, asked=suspend(2.2, due_at=9.0))),
    "at an instant that a later suspend took back": (
        "S35",
        lambda: idle(*ask(9, 3.0, act="suspend", run=RUN), at=9.1, asked=suspend(2.2, due_at=9.0)),
    ),
    "it went on although nobody had said so": ("S35", lambda: parked(wait=0.0, at=5.05)),
    "before the instant of its handler": ("S35", lambda: parked(wait=9.0, at=5.05)),
    "a yield that counts as a failure": ("S35", lambda: charged(failures=1)),
    "a yield that counts as a loss": ("S35", lambda: charged(losses=1)),
    "a yield that is reported as a failure": (
        "S35",
        lambda: suspended(
            *RESUME,
            record(outcome="failed"),
            chain=[BORN, CLAIMED, WISHED, aside(failures=1), *again(failures=1)],
        ),
    ),
    "by a checkpoint although it is to yield": ("S35", lambda: passed(6.0)),
    "its instant is slept through": (
        "S35",
        lambda: idle(*ask(3, 19.9, act="resume_run", run=RUN), at=20.0, asked=suspend(2.2, due_at=9.0)),
    ),
    "the instant of its handler is slept through": (
        "S35",
        lambda: parked(*ask(3, 19.9, act="resume_run", run=RUN), wait=4.0, at=20.0),
    ),
}

GOOD: dict[str, Make] = {
    "resumed": lambda: suspended(*RESUME),
    "perhaps resumed": lambda: suspended(*ask(3, 4.0, "info", act="resume_run", run=RUN)),
    "a resume that nobody answered": lambda: suspended(ask(3, 4.0, act="resume_run", run=RUN)[0]),
    "a suspend that nobody answered": lambda: suspended(
        chain=[BORN, CLAIMED, *again(3.0, "running", failures=1)],
        asked=ask(2, 2.2, "info", act="suspend", run=RUN),
        executed=[did("start", 2.1), did("end", 2.9, outcome="failed")],
    ),
    "a suspend that a fail-over forgot": lambda: suspended(
        fault("fail_over", 2.4, 2.9),
        chain=[BORN, CLAIMED, *again(3.0, "running", failures=1)],
        executed=[did("start", 2.1), did("end", 2.9, outcome="failed")],
        failovers=[(2.1, 2.4)],
    ),
    "at its instant": lambda: idle(at=9.1, asked=suspend(2.2, due_at=9.0)),
    "at an instant that is perhaps another's": lambda: idle(
        *ask(9, 2.1, "info", act="suspend", run=RUN, due_at=4.0), at=5.0, asked=suspend(2.2)
    ),
    "at the instant of its handler": lambda: parked(wait=4.0, at=7.0),
    "ended, and run again": lambda: ended(*ask(3, 5.0, act="retry", run=RUN)),
    "ended, and swept": lambda: ended(*ask(3, 5.0, act="sweep", job="job")),
    "the wish was taken back before it yielded": lambda: suspended(
        *ask(3, 2.4, act="resume_run", run=RUN),
        chain=[BORN, CLAIMED, WISHED, claim(4, 2.45, before="running", due_at=1.0), *again(3.0, "running")],
    ),
    "suspended while it failed": lambda: suspended(
        *RESUME,
        record(),
        chain=[BORN, CLAIMED, WISHED, aside(failures=1), *again(failures=1)],
        executed=[did("start", 2.1), did("end", 2.9, outcome="failed")],
    ),
    "a yield that was never heard": lambda: suspended(
        *RESUME,
        fault("kill_executor", 2.95, 4.0, "e1"),
        record(outcome="lost"),
        chain=[BORN, CLAIMED, WISHED, aside(4.5, losses=1), *again(losses=1)],
        slack=0.1,
    ),
    "by a checkpoint before it could be told": lambda: passed(3.0),
    "by a checkpoint while it could not be told": lambda: passed(6.0, fault("partition", 2.0, 7.0, "e1")),
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
