"""A trial as explicit lists, drawn from a seed before it begins: what is set up, what is asked for, what goes wrong."""

from pathlib import Path
from typing import Literal

import msgspec

VERSION = 1

Kind = Literal["quick", "long", "flaky", "stubborn", "poison", "steps"]

Steering = Literal["cancel", "retry", "get", "pause", "resume", "cordon", "uncordon", "suspend", "resume_run"]


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


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a client asks for."""

    at: float
    act: Literal["enqueue"] | Steering
    server: int
    """Whom it asks first."""
    mark: str = ""
    """Of an enqueue: the name of the run in this plan. Of what concerns a run: which one."""
    kind: Kind = "quick"
    seconds: float = 0.1
    fails: int = 0
    """How many attempts fail before one succeeds."""
    delay: float = 0.0
    """How much later than now it falls due."""
    deadline: float = 0.0
    """How long behind now it has to be over; 0: whenever."""
    key: str = ""
    force: bool = False
    name: str = ""
    """Of the queue or executor."""


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
