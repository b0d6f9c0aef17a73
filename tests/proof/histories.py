"""A history in which everything is as it should be, and pieces to spoil it with."""

import msgspec

from proof.records import (
    AttemptRow,
    Execution,
    Fault,
    Frame,
    JobRule,
    KeyRow,
    LogRow,
    Operation,
    Records,
    RuleChange,
    RunRow,
    SessionChange,
    SessionRow,
    Setup,
    SweepRow,
    Transition,
    gather,
)

RUN, OTHER = "run-1", "run-2"
TOKEN, SECOND = "aa", "bb"
SESSION, NEXT = "s1", "s2"


def setup(**changes: object) -> Setup:
    jobs = {"job": JobRule(attempts=2)}
    return Setup(**{"at": 0.0, "lease": 3.0, "grace": 1.0, "jobs": jobs, **changes})  # type: ignore[arg-type]


def ask(number: int, at: float, phase: str = "ok", **fields: object) -> list[Operation]:
    """An invocation and, unless nobody ever answered, what was answered."""
    asked = Operation(at=at, id=number, client="c", phase="invoke", **{"act": "enqueue", **fields})  # type: ignore[arg-type]
    asked = msgspec.structs.replace(asked, run="") if asked.act == "enqueue" else asked
    answer = Operation(at=at + 0.1, id=number, client="c", phase=phase, **{"act": "enqueue", **fields})  # type: ignore[arg-type]
    return [asked, answer]


def step(seq: int, at: float, state: str, before: str = "", **fields: object) -> Transition:
    base = {"run": RUN, "queue": "default", "job": "job", **fields}
    return Transition(at=at, seq=seq, state=state, before=before, **base)  # type: ignore[arg-type]


def claim(
    seq: int, at: float, attempt: int = 1, token: str = TOKEN, session: str = SESSION, **fields: object
) -> Transition:
    base = {"before": "queued", "attempt": attempt, "token": token, "session": session, **fields}
    return step(seq, at, "running", **base)  # type: ignore[arg-type]


def beat(seq: int, at: float, state: str = "live", session: str = SESSION, executor: str = "e1") -> SessionChange:
    return SessionChange(at=at, seq=seq, session=session, executor=executor, state=state, lease_until=at + 3)


def did(event: str, at: float, token: str = TOKEN, outcome: str = "", **fields: object) -> Execution:
    base = {"run": RUN, "attempt": 1, "executor": "e1", **fields}
    return Execution(at=at, event=event, token=token, outcome=outcome, **base)  # type: ignore[arg-type]


def row(state: str = "succeeded", **fields: object) -> RunRow:
    base = {"run": RUN, "attempt": 1, "failures": 0, "losses": 0, "due_at": 1.0, "job": "job", "mark": "m1", **fields}
    return RunRow(at=60.0, state=state, **base)  # type: ignore[arg-type]


def record(token: str = TOKEN, attempt: int = 1, outcome: str = "failed") -> AttemptRow:
    return AttemptRow(at=60.0, run=RUN, attempt=attempt, token=token, outcome=outcome, ended_at=3.0)


def fault(name: str, at: float, until: float, target: str = "") -> Fault:
    return Fault(at=at, until=until, fault=name, target=target)


def frame(event: str, count: int, at: float = 1.0, token: str = "", named: dict[str, int] | None = None) -> Frame:
    base = {"event": event, "count": count, "token": token, "named": named or {}}
    return Frame(at=at, connection=1, session=SESSION, **base)  # type: ignore[arg-type]


def rule(seq: int, at: float, kind: str, name: str, *, on: bool = True) -> RuleChange:
    return RuleChange(at=at, seq=seq, kind=kind, name=name, on=on)  # type: ignore[arg-type]


def lines(numbers: list[int], token: str = TOKEN) -> LogRow:
    return LogRow(at=60.0, run=RUN, token=token, numbers=numbers)


def key(name: str, run: str = RUN) -> KeyRow:
    return KeyRow(at=60.0, key=name, run=run)


def sweep(state: str, changed: int, tried: list[str], canaries: int = 1) -> SweepRow:
    return SweepRow(at=60.0, sweep="w1", job="job", state=state, canaries=canaries, tried=tried, changed=changed)


def session(state: str = "live", holds: int = 0) -> SessionRow:
    return SessionRow(at=60.0, session=SESSION, executor="e1", state=state, holds=holds)


ASKED = ask(1, 1.0, run=RUN, mark="m1")
BORN = step(1, 1.05, "queued", due_at=1.0, instant=1.0)
ENDED = step(3, 3.0, "succeeded", "running", attempt=1, token=TOKEN, due_at=1.0, instant=3.0)
EXECUTED = [did("start", 2.1), did("end", 2.9, outcome="succeeded", lines=2)]


def history(
    *more: object,
    chain: list[Transition] | None = None,
    rows: list[RunRow] | None = None,
    executed: list[Execution] | None = None,
    **changes: object,
) -> Records:
    """One run, accepted, claimed, executed and succeeded; with other pieces in place of these, or beside them."""
    chain = [BORN, claim(2, 2.0, due_at=1.0, instant=2.0), ENDED] if chain is None else chain
    return gather(
        [
            setup(**changes),
            *ASKED,
            beat(0, 0.5),
            *chain,
            *(EXECUTED if executed is None else executed),
            *([row()] if rows is None else rows),
            *more,  # type: ignore[list-item]
        ]
    )
