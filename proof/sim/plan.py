"""A trial as explicit lists, drawn from a seed before it begins: what is set up, what is asked for, what goes wrong."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from mainspring.domain.calendars.spec import CalendarSpec
from mainspring.domain.triggers.spec import TriggerSpec
from proof.sim.clock import NOON
from proof.sim.jobs import Kind

VERSION = 1

Steering = Literal[
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


class Config(msgspec.Struct, frozen=True, kw_only=True):
    servers: int
    executors: int
    lease: float
    grace: float
    poll: float
    claim_batch: int
    slots: int
    """Of each executor."""
    waiting: int
    """How many attempts may wait on an executor."""
    stop_grace: float
    heal_at: float
    """When faults are over, and the last thing was asked for."""
    midnight: bool = False
    """Whether a new day begins in the middle of it."""
    skews: tuple[float, ...] = ()
    """How far the clock of each server's machine is ahead when it starts."""
    core: bool = False
    """Whether only what is needed is healed in the end: one executor and all but one server."""
    look_ahead: float = 30.0
    flows: tuple[str, ...] = ()
    """Definitions of workflows, JSON."""
    downs: tuple[tuple[float, float], ...] = ()
    """From when until when the downstream of guarded jobs is down."""
    turn: Literal["", "forward", "back"] = ""
    """Whether the clock of a zone is set in the middle of it, and which way."""


TURNS = {
    "forward": datetime(2030, 3, 31, 1, tzinfo=UTC),
    "back": datetime(2030, 10, 27, 1, tzinfo=UTC),
}
"""When the clocks of Europe are set."""


def start_of(config: Config) -> datetime:
    """What the database's clock shows when a trial begins."""
    if config.turn:
        return TURNS[config.turn] - timedelta(seconds=config.heal_at / 2)
    return NOON + timedelta(hours=12, seconds=-config.heal_at / 2) if config.midnight else NOON


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a client asks for."""

    at: float
    act: Literal["enqueue"] | Steering
    server: int
    """Whom it asks first."""
    mark: str = ""
    """Of an enqueue: the name of the run in this plan. Of what concerns a run: which one."""
    kind: Kind = "quick"
    """Of an enqueue: the job. Of a sweep: whose dead letters."""
    seconds: float = 0.1
    fails: int = 0
    """How many attempts fail before one succeeds."""
    delay: float = 0.0
    """How much later than now it falls due or, of a suspend, goes on by itself."""
    deadline: float = 0.0
    """How long behind now it has to be over; 0: whenever."""
    start_within: float = 0.0
    """How long behind its due time it has to have begun; 0: whenever."""
    wait: float = 0.0
    """What its handler asks for: time before it goes on, or more time for this attempt."""
    parent: str = ""
    """The mark of the run whose handler asks for it."""
    canaries: int = 0
    few: bool = False
    """Of a cancel of children: only a few at once, and the rest behind them."""
    key: str = ""
    force: bool = False
    group: str = ""
    """Of an enqueue: the key of its job's limit."""
    name: str = ""
    """Of the queue, executor, trigger, calendar or, of an enqueue, workflow."""
    spec: TriggerSpec | None = None
    """Of a trigger that is made or changed; its runs take so many seconds as the act says."""
    calendar: CalendarSpec | None = None


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """Something that goes wrong."""

    at: float
    fault: str
    target: str = ""
    other: str = ""
    lasts: float = 0.0
    strength: float = 0.0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a trial but for what is drawn while it goes on, each purpose from a stream of its own."""

    seed: int
    config: Config
    workload: tuple[Act, ...]
    nemesis: tuple[Trouble, ...]
    version: int = VERSION
    note: str = ""
    """Why it is kept."""

    def save(self, path: Path) -> None:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")

    @classmethod
    def load(cls, path: Path) -> "Plan":
        return msgspec.json.decode(path.read_bytes(), type=cls)
