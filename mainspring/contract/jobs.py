"""Bodies and views of jobs."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

import msgspec

from mainspring.contract.base.view import View, one_of
from mainspring.contract.queues import QueuePause
from mainspring.domain.jobs.job import OnLost
from mainspring.domain.limits.policy import Policy

OnLostText = Annotated[str, one_of(OnLost)]


class RetryInfo(View, frozen=True):
    attempts: int
    backoff: float
    backoff_max: float
    multiplier: float = 2.0
    retry_on: tuple[str, ...] = ()
    give_up_on: tuple[str, ...] = ()
    budget: float | None = None


class Definition(View, frozen=True, kw_only=True):
    """A job's definition, by code or by an operator."""

    handler: str
    queue: str
    priority: int
    retry: RetryInfo
    description: str
    input: dict[str, Any] = {}
    schema: dict[str, Any] = {}
    timeout: float | None = None
    deadline: float | None = None
    start_within: float | None = None
    on_lost: OnLostText = "retry"
    losses_max: int = 3
    policy: Policy = Policy()


class JobInfo(View, frozen=True, kw_only=True):
    """A job as it is now; `code` is its definition in the code of executors, present where one job is shown."""

    name: str
    namespace: str
    version: int
    handler: str
    queue: str
    priority: int
    retry: RetryInfo
    description: str
    input: dict[str, Any] = {}
    schema: dict[str, Any] = {}
    timeout: float | None = None
    """Seconds that an attempt may take."""
    deadline: float | None = None
    """Seconds that a run may take in all, from when it is due."""
    start_within: float | None = None
    """Seconds that a run may wait for its first attempt, from when it is due."""
    on_lost: OnLostText = "retry"
    """What becomes of a run whose executor or process died: `retry`, `fail`, or `ask`, which waits for an operator."""
    losses_max: int = 3
    """Losses after which a run is quarantined."""
    policy: Policy = Policy()
    """How many of its runs may be under way, how fast they start, and where."""
    origin: str
    """`code` if the code of executors defines it, else `api`."""
    drifted: bool
    """Whether people have changed what code says."""
    updated_at: datetime
    paused: QueuePause | None = None
    """The pause that keeps its runs from starting."""
    code: Definition | None = None

    sparse: ClassVar[tuple[str, ...]] = ("code",)


class JobPage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    jobs: list[JobInfo]
    next: str | None


class SourceInfo(View, frozen=True):
    """`code` with an executor and the version of its code, or `api` with who called it."""

    origin: str
    author: str
    code_version: str = ""


class JobVersionInfo(View, frozen=True, kw_only=True):
    version: int
    at: datetime
    source: SourceInfo
    note: str
    definition: Definition


class JobVersionPage(View, frozen=True):
    """A page, newest first; `next` is the cursor of the next one."""

    versions: list[JobVersionInfo]
    next: str | None


class ChangeInfo(View, frozen=True):
    """One difference; the side that has nothing there is left out."""

    path: str
    before: Any = msgspec.UNSET
    after: Any = msgspec.UNSET

    sparse: ClassVar[tuple[str, ...]] = (
        "before",
        "after",
    )


class JobDiff(View, frozen=True, rename={"before": "from", "after": "to"}):
    before: int
    after: int
    changes: list[ChangeInfo]
