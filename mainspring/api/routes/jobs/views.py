"""How definitions look in JSON, going in and coming out."""

from typing import Any

import msgspec

from mainspring.contract.jobs import (
    UNSET,
    Arguments,
    Definition,
    JobBody,
    JobChangesBody,
    JobDiff,
    JobInfo,
    JobPage,
    JobVersionInfo,
    JobVersionPage,
    RetryInfo,
    RollbackBody,
    SourceInfo,
)
from mainspring.contract.view import OMITTED
from mainspring.domain.jobs.job import Job, JobSpec, JobVersion, Origin, RetryPolicy
from mainspring.scheduler.operations.jobs import NAME_NEW

NAME_PATTERN = f"^{NAME_NEW.pattern}$"


VIEWS = (
    JobBody,
    JobChangesBody,
    RollbackBody,
    JobInfo,
    JobPage,
    JobVersionInfo,
    JobVersionPage,
    JobDiff,
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


def show_job(job: Job, *, with_code: bool = False) -> JobInfo:
    shown = msgspec.structs.asdict(show_definition(job.spec))
    code = None if job.code is None else show_definition(job.code)
    return JobInfo(
        name=job.name,
        namespace=job.namespace,
        version=job.version,
        **shown,
        origin=(Origin.API if job.code is None else Origin.CODE).value,
        drifted=job.drifted,
        updated_at=job.updated_at,
        code=code if with_code else OMITTED,
    )


def show_definition(spec: JobSpec) -> Definition:
    return Definition(
        handler=spec.handler,
        queue=spec.queue,
        priority=spec.priority,
        retry=RetryInfo(**msgspec.structs.asdict(spec.retry)),
        description=spec.description,
        input=_arguments.decode(spec.input),
        schema=_arguments.decode(spec.schema),
        timeout=spec.timeout,
        deadline=spec.deadline,
        start_within=spec.start_within,
        on_lost=spec.on_lost,
        losses_max=spec.losses_max,
    )


def show_version(version: JobVersion) -> JobVersionInfo:
    source = version.source
    return JobVersionInfo(
        version=version.version,
        at=version.at,
        source=SourceInfo(source.origin.value, source.author, source.code_version),
        note=version.note,
        definition=show_definition(version.spec),
    )
