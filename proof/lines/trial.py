"""What the harness set up and did, and what it saw cross the connections."""

from typing import Literal

import msgspec

from proof.lines.record import Record


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
