"""The stored definition of something that can be run, and the versions it went through."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from mainspring.domain.ids import SessionId
from mainspring.domain.limits.policy import Policy
from mainspring.domain.queues.pause import Pause


class Pool(StrEnum):
    """The pool that supplies a handler's slots on an executor."""

    LOOP = "loop"
    THREADS = "threads"
    PROCESSES = "processes"


LOSSES_MAX = 3
"""Losses after which a run is taken for a poison pill, unless its job says otherwise."""


class OnLost(StrEnum):
    """The treatment of a run whose attempt was lost: its executor or its process died, or was cut off."""

    RETRY = "retry"
    FAIL = "fail"
    ASK = "ask"
    """It waits until an operator has it run again, or cancels it."""


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """How often a failed run is tried again, and how long between tries (seconds, exponential, full jitter)."""

    attempts: int = 1
    backoff: float = 1.0
    backoff_max: float = 600.0
    multiplier: float = 2.0
    """How much longer each wait is than the one before."""
    retry_on: tuple[str, ...] = ()
    """Error classes by name, plain or qualified, with all that derive from them, or codes; empty: any error."""
    give_up_on: tuple[str, ...] = ()
    """The same for errors that are never tried again; these win."""
    budget: float | None = None
    """Seconds from the beginning of the first attempt, after which none begins."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            attempts: int = 1,
            backoff: float | timedelta = 1.0,
            backoff_max: float | timedelta = 600.0,
            multiplier: float = 2.0,
            retry_on: Iterable[str | type[BaseException]] = (),
            give_up_on: Iterable[str | type[BaseException]] = (),
            budget: float | timedelta | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Code may say times as a timedelta, and name error classes by themselves."""
        for field in ("backoff", "backoff_max", "budget"):
            if isinstance(time := getattr(self, field), timedelta):
                msgspec.structs.force_setattr(self, field, time.total_seconds())
        for field in ("retry_on", "give_up_on"):
            if isinstance(kinds := getattr(self, field), tuple | list | set | frozenset) and kinds:
                msgspec.structs.force_setattr(self, field, tuple(map(kind_name, kinds)))


def kind_name(kind: str | type[BaseException]) -> str:
    """The name of an error class, as failures report it; any other value is returned as it is, and refused later."""
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        return kind
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


class JobSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A job as an executor advertises it, or as people define it."""

    name: str
    handler: str
    queue: str = "default"
    priority: int = 5
    schema: bytes = b"{}"
    """JSON schema of the arguments object."""
    retry: RetryPolicy = RetryPolicy()
    description: str = ""
    input: bytes = b"{}"
    """Arguments that a run has unless it brings its own, a JSON object."""
    timeout: float | None = None
    """Seconds that an attempt may take."""
    deadline: float | None = None
    """Seconds from when a run is due until it is stopped and fails, unless it brings a deadline of its own."""
    start_within: float | None = None
    """Seconds from when a run is due until it fails if nobody has started it, unless it says so itself."""
    on_lost: OnLost = OnLost.RETRY
    losses_max: int = LOSSES_MAX
    policy: Policy = Policy()
    returns: bytes = b"{}"
    """JSON schema of the result."""
    workflow: bytes = b""
    """Of a workflow: its steps, JSON; empty: the job has a handler. See `domain/workflows/spec.py`."""

    @property
    def has_steps(self) -> bool:
        """Whether servers run it by its steps or children; its handler, if it has one, runs these."""
        return bool(self.workflow) or self.policy.spreads


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A job as the store keeps it."""

    id: int
    namespace: str
    spec: JobSpec
    version: int
    """The newest, which is the one in effect; counted from 1, and never used twice."""
    code: JobSpec | None
    """What an executor's code said of it last; None if only people have."""
    updated_at: datetime
    deleted: bool = False
    own_line: bool = False
    """Whether its runs stand in lines of their own, apart from those of other jobs with the same handler."""
    pause: Pause | None = None
    owner: str = ""
    """Of the set of definitions that it was applied with; empty: of none."""
    applied: int | None = None
    """The version that was applied last."""

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def drifted(self) -> bool:
        """Whether operators have changed the definition that code gives."""
        return self.code is not None and self.code != self.spec


class Origin(StrEnum):
    """Where a version comes from."""

    CODE = "code"
    API = "api"


class VersionSource(msgspec.Struct, frozen=True):
    """The author of a version: an executor by its code, or an operator through the API."""

    origin: Origin
    author: str
    code_version: str = ""


class JobVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A job as it was defined at one time; it never changes."""

    version: int
    spec: JobSpec
    source: VersionSource
    note: str
    at: datetime


class Speaker(msgspec.Struct, frozen=True, kw_only=True):
    """An executor's start, whose code defines jobs."""

    executor: str = ""
    code_version: str = ""
    session: SessionId | None = None
    since: datetime | None = None
    """When it was started."""


NOBODY = Speaker()
