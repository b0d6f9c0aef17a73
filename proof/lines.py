"""The kinds of lines in the records of a trial; `proof/records.py` says what each channel is."""

from typing import Literal

import msgspec

Phase = Literal["invoke", "ok", "fail", "info"]
"""`fail`: it was refused, and nothing changed. `info`: nobody knows; it may take effect at any later time, or never."""


class Record(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", omit_defaults=True):
    """Base of all lines."""

    at: float


class Operation(Record, frozen=True, kw_only=True, tag="operation"):
    """C: one act of a client. Its invocation is one line and its answer another, with the same `id`."""

    id: int
    client: str
    act: Literal["enqueue", "cancel", "retry", "get", "pause", "resume", "cordon", "uncordon", "suspend", "resume_run"]
    phase: Phase
    run: str = ""
    """The run that was named, or that the answer names."""
    job: str = ""
    key: str = ""
    digest: str = ""
    """Of what was asked for: a repeat has the same one."""
    due_at: float | None = None
    name: str = ""
    """Of the queue or executor that was steered."""
    mark: str = ""
    """Of an enqueue: what the harness put into the input to find the run by; no two runs asked for share one."""
    state: str = ""
    """What the answer said of the run, if anything."""
    code: str = ""
    """Of the refusal."""


class Execution(Record, frozen=True, kw_only=True, tag="execution"):
    """T: a handler began, called a step, had its result, came to its end, or was stopped before."""

    event: Literal["start", "step", "stepped", "end", "killed"]
    run: str
    attempt: int
    """The fence that the handler sees."""
    executor: str
    session: str = ""
    token: str = ""
    """Of the attempt, where the harness can see it; a handler cannot."""
    outcome: str = ""
    """At the end: what it is about to return, `succeeded` or `failed`. Of a step: its result."""
    name: str = ""
    """Of the step."""
    lines: int = 0
    """At the end: how many lines it has logged."""
    pid: int = 0
    """The process that the handler runs in, where there are real ones."""


class Transition(Record, frozen=True, kw_only=True, tag="transition"):
    """A: a run as a committed transaction left it."""

    seq: int
    """The order of commits, over all kinds of changes; lines of one transaction count up."""
    lost: bool = False
    """A fail-over forgot this change later on."""
    run: str
    state: str
    before: str = ""
    """The state it was in; empty: it is new."""
    attempt: int = 0
    failures: int = 0
    losses: int = 0
    token: str = ""
    """Of the attempt that it belongs to now or, in a final state, that ended it."""
    session: str = ""
    reason: str = ""
    due_at: float = 0.0
    wish: bool = False
    """Somebody wants it cancelled."""
    instant: float | None = None
    """The instant that the transaction itself wrote for this, if it wrote one."""
    deadline_at: float | None = None
    queue: str = ""
    job: str = ""


class SessionChange(Record, frozen=True, kw_only=True, tag="session"):
    """A: a session as a committed transaction left it; renewals of its lease count."""

    seq: int
    lost: bool = False
    session: str
    executor: str
    state: str
    """`live`, `draining`, `cordoned` or `dead`."""
    lease_until: float


class RuleChange(Record, frozen=True, kw_only=True, tag="rule"):
    """A: an operator's rule that took effect, or was taken back."""

    seq: int
    lost: bool = False
    kind: Literal["pause", "cordon"]
    name: str
    on: bool


class RunRow(Record, frozen=True, kw_only=True, tag="run"):
    """D: a run, live or from history. `at`: when it was read."""

    run: str
    state: str
    attempt: int
    failures: int
    losses: int
    due_at: float
    token: str = ""
    session: str = ""
    reason: str = ""
    key: str = ""
    job: str = ""
    mark: str = ""
    """What the harness put into the input."""


class AttemptRow(Record, frozen=True, kw_only=True, tag="attempt"):
    """D: the record of an attempt that did not succeed."""

    run: str
    attempt: int
    token: str
    outcome: str
    ended_at: float


class SessionRow(Record, frozen=True, kw_only=True, tag="session_row"):
    """D: an executor's session."""

    session: str
    executor: str
    state: str
    holds: int = 0
    """Attempts that the tables say it has."""


class KeyRow(Record, frozen=True, kw_only=True, tag="key"):
    """D: who holds an idempotency key."""

    key: str
    run: str
    digest: str = ""


class LogRow(Record, frozen=True, kw_only=True, tag="log"):
    """D: the numbers of the lines kept of one attempt, in the order in which they are shown."""

    run: str
    token: str
    numbers: list[int]


class Fault(Record, frozen=True, kw_only=True, tag="fault"):
    """What the harness did: from `at` until it was healed."""

    until: float
    fault: str
    target: str = ""
    detail: str = ""


class Frame(Record, frozen=True, kw_only=True, tag="frame"):
    """What a server handed to, or took from, one connection: credit is checked by it."""

    connection: int
    session: str
    event: Literal["room", "start", "end"]
    token: str = ""
    count: int = 0
    """Attempts that were started or ended, or the room that was granted in all."""


class JobRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a job's policy promises."""

    attempts: int = 1
    backoff: float = 0.0
    """The least time between a failure and the next attempt that a check may insist on."""
    retries: bool = True
    queue: str = "default"


class Setup(Record, frozen=True, kw_only=True, tag="setup"):
    """What the trial was: bounds that the checks need."""

    lease: float
    grace: float
    poll: float = 1.0
    stop_grace: float = 5.0
    losses_max: int = 3
    healed_at: float | None = None
    """When the last fault was over; None: there was none."""
    drained: bool = True
    """Whether there was time enough after it for everything to come to its end."""
    failovers: list[tuple[float, float]] = []
    """Fail-overs that lost commits: from when on, until when."""
    clocks_apart: float = 0.0
    """How far the servers' clocks may have been off."""
    slack: float = 0.0
    """How late an observation may be, in real processes."""
    calm: bool = False
    """Nothing was done to anything, and there was room for all: everything has to be prompt."""
    executors_left: list[str] = []
    """Those that came to an orderly end, at their own wish or a signal's."""
    jobs: dict[str, JobRule] = {}
    audit: bool = True
    """Whether the audit holds every change; False: only what the tables tell afterwards."""
