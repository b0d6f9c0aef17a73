"""Bodies and views of jobs."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

import msgspec

from mainspring.contract.fields import Note, Priority
from mainspring.contract.view import View, one_of
from mainspring.domain.jobs.job import LOSSES_MAX, OnLost
from mainspring.domain.jobs.rules import (
    ATTEMPTS_MAX,
    BACKOFF_MAX,
    DESCRIPTION_MAX,
    KIND,
    LIMIT_MAX,
    LOSSES_MOST,
    MULTIPLIER_MAX,
    NAMES_MAX,
)
from mainspring.domain.names import JOB_MAX, LINES, QUEUE_MAX, WORD
from mainspring.domain.runs.attempt import KIND_MAX
from mainspring.domain.runs.run import PRIORITY_DEFAULT

Unset = msgspec.UnsetType
UNSET = msgspec.UNSET
Attempts = Annotated[int, msgspec.Meta(ge=1, le=ATTEMPTS_MAX)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=BACKOFF_MAX)]
Multiplier = Annotated[float, msgspec.Meta(ge=1, le=MULTIPLIER_MAX)]
Limit = Annotated[float, msgspec.Meta(gt=0, le=LIMIT_MAX)]
Kind = Annotated[str, msgspec.Meta(max_length=KIND_MAX, pattern=f"^{KIND.pattern}$")]
Kinds = Annotated[tuple[Kind, ...], msgspec.Meta(max_length=NAMES_MAX)]


Word = Annotated[
    str, msgspec.Meta(min_length=1, max_length=JOB_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})
]
Queue = Annotated[
    str, msgspec.Meta(min_length=1, max_length=QUEUE_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})
]
Losses = Annotated[int, msgspec.Meta(ge=1, le=LOSSES_MOST)]
Description = Annotated[
    str, msgspec.Meta(max_length=DESCRIPTION_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})
]
Arguments = dict[str, msgspec.Raw]
Version = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


OnLostText = Annotated[str, one_of(OnLost)]


class RetryPolicyBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    attempts: Attempts = 1
    backoff: Seconds = 1.0
    backoff_max: Seconds = 600.0
    multiplier: Multiplier = 2.0
    retry_on: Kinds = ()
    """Error classes by name, plain or qualified, with all that derive from them, or codes; empty: any error."""
    give_up_on: Kinds = ()
    """The same for errors that are never tried again; these win."""
    budget: Limit | None = None
    """Seconds from the beginning of the first attempt, after which none begins."""


class RetryPolicyChangesBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    attempts: Attempts | Unset = UNSET
    backoff: Seconds | Unset = UNSET
    backoff_max: Seconds | Unset = UNSET
    multiplier: Multiplier | Unset = UNSET
    retry_on: Kinds | Unset = UNSET
    give_up_on: Kinds | Unset = UNSET
    budget: Limit | Unset | None = UNSET


class RetryInfo(View, frozen=True):
    attempts: int
    backoff: float
    backoff_max: float
    multiplier: float = 2.0
    retry_on: tuple[str, ...] = ()
    give_up_on: tuple[str, ...] = ()
    budget: float | None = None


class JobBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A whole definition; what is left out has its default."""

    handler: Word
    queue: Queue = "default"
    priority: Priority = PRIORITY_DEFAULT
    retry: RetryPolicyBody = msgspec.field(default_factory=RetryPolicyBody)
    description: Description = ""
    input: Arguments = {}
    """Arguments that a run has unless it brings its own, key by key."""
    timeout: Limit | None = None
    """Seconds that an attempt may take."""
    deadline: Limit | None = None
    """Seconds that a run may take in all, from when it is due, unless it brings a deadline."""
    start_within: Limit | None = None
    """Seconds that a run may wait for its first attempt, from when it is due, unless it says so itself."""
    on_lost: OnLost = OnLost.RETRY
    losses_max: Losses = LOSSES_MAX
    note: Note = ""
    """Kept with the version."""


class JobChangesBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What is to change; the rest stays as it is."""

    handler: Word | Unset = UNSET
    queue: Queue | Unset = UNSET
    priority: Priority | Unset = UNSET
    retry: RetryPolicyChangesBody | Unset = UNSET
    description: Description | Unset = UNSET
    input: Arguments | Unset = UNSET
    timeout: Limit | Unset | None = UNSET
    deadline: Limit | Unset | None = UNSET
    start_within: Limit | Unset | None = UNSET
    on_lost: OnLost | Unset = UNSET
    losses_max: Losses | Unset = UNSET
    note: Note = ""


class RollbackBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    version: Version
    note: Note = ""


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


class JobInfo(View, frozen=True, kw_only=True):
    """A job as it is now; `code` is what the code of executors says of it, told when one job is asked for."""

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
    origin: str
    """`code` if the code of executors defines it, else `api`."""
    drifted: bool
    """Whether people have changed what code says."""
    updated_at: datetime
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
