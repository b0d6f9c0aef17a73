"""The kinds of lines in the records of a trial; `proof/records.py` says what each channel is."""

from typing import Literal

import msgspec

Phase = Literal["invoke", "ok", "fail", "info"]
"""`fail`: it was refused, and nothing changed. `info`: nobody knows; it may take effect at any later time, or never."""


Act = Literal[
    "enqueue",
    "cancel",
    "cancel_below",
    "retry",
    "get",
    "pause",
    "resume",
    "cordon",
    "drain",
    "uncordon",
    "suspend",
    "resume_run",
    "sweep",
    "define",
    "pause_trigger",
    "resume_trigger",
    "skip_next",
    "fire_now",
    "delete_trigger",
    "define_calendar",
    "define_breaker",
]


class Record(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", omit_defaults=True):
    """Base of all lines."""

    at: float


class Operation(Record, frozen=True, kw_only=True, tag="operation"):
    """C: one act of a client. Its invocation is one line and its answer another, with the same `id`."""

    id: int
    client: str
    act: Act
    phase: Phase
    run: str = ""
    """The run that was named, or that the answer names."""
    job: str = ""
    key: str = ""
    digest: str = ""
    """Of what was asked for: a repeat has the same one."""
    due_at: float | None = None
    """Of an enqueue: when it may begin. Of a suspend: when the run goes on by itself."""
    name: str = ""
    """Of the queue, executor or trigger that was steered."""
    mark: str = ""
    """Of an enqueue: what the harness put into the input to find the run by; no two runs asked for share one."""
    state: str = ""
    """What the answer said of the run, if anything."""
    code: str = ""
    """Of the refusal."""
    parent: str = ""
    """Of an enqueue: the run whose handler asked for it."""
    group: str = ""
    """Of an enqueue: the key in its input by which a limit tells runs apart."""
    start_within: float = 0.0
    """Of an enqueue: seconds from its due time within which it has to have begun; 0: whenever."""


class Execution(Record, frozen=True, kw_only=True, tag="execution"):
    """T: a handler began, called a step, had its result, came by a checkpoint, came to its end, or was stopped before."""

    event: Literal["start", "step", "stepped", "checkpoint", "applied", "end", "killed"]
    run: str
    attempt: int
    """The fence that the handler sees."""
    executor: str
    session: str = ""
    token: str = ""
    """Of the attempt, where the harness can see it; a handler cannot."""
    outcome: str = ""
    """At the end: `succeeded`, `failed`, `gave_up`, `snoozed`, `suspended` (by itself) or `yielded` (because it was asked to).

    Of a step: its result. Of a checkpoint: how far it had come. Of an effect: `first` or `unknown`.
    """
    name: str = ""
    """Of the step or effect."""
    lines: int = 0
    """At the end: how many lines it has logged."""
    pid: int = 0
    """The process that the handler runs in, where there are real ones."""
    wait: float = 0.0
    """At the end: seconds that the handler wanted to pass before it goes on, or that it had asked for besides."""
    trigger: str = ""
    """At the start: the trigger whose run it is, as the handler was told,"""
    fire_at: int | None = None
    """and the instant, in microseconds since 1970."""


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
    """A caller wants it cancelled."""
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
    kind: Literal["pause", "cordon", "open", "probing"]
    """The last two are a breaker's: whether it lets nothing through, and whether it lets probes through."""
    name: str
    on: bool


class TriggerChange(Record, frozen=True, kw_only=True, tag="trigger"):
    """A: a trigger as a committed transaction left it. Its instants are microseconds since 1970, as in the tables."""

    seq: int
    lost: bool = False
    commit: int
    """Changes of one transaction have the same."""
    trigger: int
    name: str
    spec: str = ""
    revision: int = 1
    next_due: int | None = None
    pending: list[str] = []
    held: list[int] = []
    fired: int = 0
    failures: int = 0
    paused: bool = False
    created_at: int = 0
    updated_at: int = 0
    gone: bool = False


class FireChange(Record, frozen=True, kw_only=True, tag="fire"):
    """A: an instant was entered with its run, or both were withdrawn."""

    seq: int
    lost: bool = False
    commit: int
    trigger: int
    fire_at: int
    run: str
    on: bool = True


class SkipChange(Record, frozen=True, kw_only=True, tag="skip"):
    """A: instants from one to another, both included, were left out."""

    seq: int
    lost: bool = False
    commit: int
    trigger: int
    first: int
    last: int
    reason: str
    now: int
    """What the server took for the time."""


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
    group: str = ""
    """Likewise: the key of a limit."""
    trigger: str = ""
    fire_at: int | None = None
    """The instant that it says it is the run of."""


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


class SweepRow(Record, frozen=True, kw_only=True, tag="sweep"):
    """D: an act on many runs."""

    sweep: str
    job: str
    state: str
    canaries: int
    tried: list[str]
    """The runs that were put back as canaries."""
    changed: int


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
    event: Literal["room", "start", "end", "inventory"]
    token: str = ""
    count: int = 0
    """Attempts that were started or ended, or the room that was granted in all."""
    named: dict[str, int] = {}
    """Of an inventory: how many attempts the executor has, by token."""


class JobRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a job's policy promises."""

    attempts: int = 1
    backoff: float = 0.0
    """The least time between a failure and the next attempt that a check may insist on."""
    retries: bool = True
    queue: str = "default"
    timeout: float = 0.0
    """Seconds that an attempt may take; 0: as long as it likes."""
    budget: float = 0.0
    """Seconds from the first attempt's start within which the last has to fall due; 0: whenever."""
    on_lost: str = "retry"
    at_once: int = 0
    """Attempts that may be under way at once, of each group if it is keyed; 0: any number."""
    keyed: bool = False
    rate: float = 0.0
    """Attempts that may start in a second in the long run, of each group if it is keyed; 0: any number."""
    blocking: str = "queue"
    breaker: str = ""
    probes: int = 0
    """Attempts that its breaker lets through to find out."""
    licences: int = 0
    """What each attempt books of the executor's."""
    executor: str = ""
    """The only one that may run it; empty: any."""


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
    licences: int = 0
    """What each executor has of a resource that attempts book."""
    calm: bool = False
    """Nothing was done to anything, and there was room for all: everything has to be prompt."""
    sessions_left: list[str] = []
    """Of executors that came to an orderly end, and that a server had heard of it and of all that they held."""
    jobs: dict[str, JobRule] = {}
    audit: bool = True
    """Whether the audit holds every change; False: only what the tables tell afterwards."""
    epoch: float = 0.0
    """Seconds since 1970 at which the trial began, by the database's clock."""
    look_ahead: float = 30.0
    """How long before their instants the runs of triggers are prepared."""
    servers: int = 1
    steps: tuple[str, ...] = ()
    """The jobs of workflows' steps: clients do not ask for their runs."""
    flows: tuple[str, ...] = ()
    """The jobs that are workflows: servers run them, so the rules of attempts are not theirs."""
    calendars: dict[str, list[tuple[int, int]]] = {}
    """From when until before when the triggers that go by one start nothing, in microseconds since 1970."""
