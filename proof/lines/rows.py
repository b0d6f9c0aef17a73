"""D: the tables as they were found in the end."""

from proof.lines.record import Record


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


class FlowRow(Record, frozen=True, kw_only=True, tag="flow"):
    """D: a workflow run that is over, or under way."""

    run: str
    job: str
    spec: str
    """Its definition, JSON."""
    states: dict[str, str]
    """Of its steps, by their names."""


class StepRow(Record, frozen=True, kw_only=True, tag="step"):
    """D: the run of a step, or of an item of a map."""

    workflow: str
    step: str
    item: int | None
    run: str
    state: str
    """Empty: there is no such run."""
    result: str = ""
    """JSON."""
