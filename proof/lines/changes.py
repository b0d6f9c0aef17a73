"""A: each change, as a committed transaction left it."""

from typing import Literal

from proof.lines.record import Record


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
