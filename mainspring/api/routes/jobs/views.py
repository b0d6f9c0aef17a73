"""How definitions look in JSON, going in and coming out."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.api.routes.jobs.retry_views import Limit, RetryPolicyBody, RetryPolicyChangesBody, RetryPolicyView
from mainspring.domain.jobs.job import LOSSES_MAX, Job, JobSpec, JobVersion, OnLost, Origin, RetryPolicy
from mainspring.domain.jobs.rules import LOSSES_MOST
from mainspring.domain.names import JOB_MAX, QUEUE_MAX
from mainspring.domain.runs.run import PRIORITY_DEFAULT, PRIORITY_MAX, PRIORITY_MIN
from mainspring.scheduler.operations.check_jobs import DESCRIPTION_MAX
from mainspring.scheduler.operations.jobs import LINES, NAME_NEW, NOTE_MAX, WORD

Unset = msgspec.UnsetType
UNSET = msgspec.UNSET

Word = Annotated[
    str, msgspec.Meta(min_length=1, max_length=JOB_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})
]
Queue = Annotated[
    str, msgspec.Meta(min_length=1, max_length=QUEUE_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})
]
Priority = Annotated[int, msgspec.Meta(ge=PRIORITY_MIN, le=PRIORITY_MAX)]
Losses = Annotated[int, msgspec.Meta(ge=1, le=LOSSES_MOST)]
Description = Annotated[
    str, msgspec.Meta(max_length=DESCRIPTION_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})
]
Note = Annotated[str, msgspec.Meta(max_length=NOTE_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})]
Arguments = dict[str, msgspec.Raw]
Version = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]

NAME_PATTERN = f"^{NAME_NEW.pattern}$"


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


class DefinitionView(msgspec.Struct, frozen=True, kw_only=True):
    handler: str
    queue: str
    priority: int
    retry: RetryPolicyView
    description: str
    input: Arguments
    schema: Arguments
    timeout: float | None
    deadline: float | None
    start_within: float | None
    on_lost: OnLost
    losses_max: int


class JobView(msgspec.Struct, frozen=True, kw_only=True):
    """A job as it is now; `code` is what the code of executors says of it, told when one job is asked for."""

    name: str
    namespace: str
    version: int
    handler: str
    queue: str
    priority: int
    retry: RetryPolicyView
    description: str
    input: Arguments
    schema: Arguments
    timeout: float | None
    """Seconds that an attempt may take."""
    deadline: float | None
    """Seconds that a run may take in all, from when it is due."""
    start_within: float | None
    """Seconds that a run may wait for its first attempt, from when it is due."""
    on_lost: OnLost
    """What becomes of a run whose executor or process died: `retry`, `fail`, or `ask`, which waits for somebody's word."""
    losses_max: int
    """Losses after which a run is quarantined."""
    origin: str
    """`code` if the code of executors defines it, else `api`."""
    drifted: bool
    """Whether people have changed what code says."""
    updated_at: datetime
    code: DefinitionView | Unset | None = UNSET


class JobsView(msgspec.Struct, frozen=True):
    """A page; `next` is the cursor of the one behind it."""

    jobs: list[JobView]
    next: str | None


class SourceView(msgspec.Struct, frozen=True):
    """`code` with an executor and the version of its code, or `api` with who called it."""

    origin: str
    author: str
    code_version: str


class JobVersionView(msgspec.Struct, frozen=True, kw_only=True):
    version: int
    at: datetime
    source: SourceView
    note: str
    definition: DefinitionView


class JobVersionsView(msgspec.Struct, frozen=True):
    """A page, newest first; `next` is the cursor of the one behind it."""

    versions: list[JobVersionView]
    next: str | None


class ChangeView(msgspec.Struct, frozen=True):
    """One difference; the side that has nothing there is left out."""

    path: str
    before: Any = UNSET
    after: Any = UNSET


class DiffView(msgspec.Struct, frozen=True, rename={"before": "from", "after": "to"}):
    before: int
    after: int
    changes: list[ChangeView]


VIEWS = (
    JobBody,
    JobChangesBody,
    RollbackBody,
    JobView,
    JobsView,
    JobVersionView,
    JobVersionsView,
    DiffView,
)

_arguments = msgspec.json.Decoder(Arguments)


def as_spec(name: str, body: JobBody) -> JobSpec:
    return JobSpec(
        name=name,
        handler=body.handler,
        queue=body.queue,
        priority=body.priority,
        retry=RetryPolicy(**msgspec.structs.asdict(body.retry)),
        description=body.description,
        input=msgspec.json.encode(body.input),
        timeout=body.timeout,
        deadline=body.deadline,
        start_within=body.start_within,
        on_lost=body.on_lost,
        losses_max=body.losses_max,
    )


def changed(spec: JobSpec, body: JobChangesBody) -> JobSpec:
    """The definition with what the caller wants to be different."""
    changes = set_fields(body)
    changes.pop("note", None)
    if "retry" in changes:
        changes["retry"] = msgspec.structs.replace(spec.retry, **set_fields(changes["retry"]))
    if "input" in changes:
        changes["input"] = msgspec.json.encode(changes["input"])
    return msgspec.structs.replace(spec, **changes)


def set_fields(body: msgspec.Struct) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(body).items() if value is not UNSET}


def show_job(job: Job, *, with_code: bool = False) -> JobView:
    shown = msgspec.structs.asdict(show_definition(job.spec))
    code = None if job.code is None else show_definition(job.code)
    return JobView(
        name=job.name,
        namespace=job.namespace,
        version=job.version,
        **shown,
        origin=(Origin.API if job.code is None else Origin.CODE).value,
        drifted=job.drifted,
        updated_at=job.updated_at,
        code=code if with_code else UNSET,
    )


def show_definition(spec: JobSpec) -> DefinitionView:
    return DefinitionView(
        handler=spec.handler,
        queue=spec.queue,
        priority=spec.priority,
        retry=RetryPolicyView(**msgspec.structs.asdict(spec.retry)),
        description=spec.description,
        input=_arguments.decode(spec.input),
        schema=_arguments.decode(spec.schema),
        timeout=spec.timeout,
        deadline=spec.deadline,
        start_within=spec.start_within,
        on_lost=spec.on_lost,
        losses_max=spec.losses_max,
    )


def show_version(version: JobVersion) -> JobVersionView:
    source = version.source
    return JobVersionView(
        version=version.version,
        at=version.at,
        source=SourceView(source.origin.value, source.author, source.code_version),
        note=version.note,
        definition=show_definition(version.spec),
    )
