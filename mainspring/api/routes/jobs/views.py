"""How definitions look in JSON, going in and coming out."""

from typing import Any

import msgspec

from mainspring.api.views import view_of
from mainspring.contract.base.view import OMITTED
from mainspring.contract.jobs import (
    Definition,
    JobInfo,
    JobVersionInfo,
    RetryInfo,
    SourceInfo,
)
from mainspring.contract.operations.jobs import UNSET, Arguments, JobBody, JobChangesBody
from mainspring.contract.queues import QueuePause
from mainspring.domain.jobs.job import Job, JobSpec, JobVersion, Origin, RetryPolicy
from mainspring.domain.queues.pause import Pause

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
        policy=body.policy,
    )


def changed(spec: JobSpec, body: JobChangesBody) -> JobSpec:
    """The definition with the caller's changes."""
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
        paused=show_pause(job.pause),
        code=code if with_code else OMITTED,
    )


def show_pause(pause: Pause | None) -> QueuePause | None:
    return None if pause is None else QueuePause(pause.reason, pause.by, pause.since)


def show_definition(spec: JobSpec) -> Definition:
    retry = RetryInfo(**msgspec.structs.asdict(spec.retry))
    defaults, schema = _arguments.decode(spec.input), _arguments.decode(spec.schema)
    return view_of(Definition, spec, retry=retry, input=defaults, schema=schema)


def show_version(version: JobVersion) -> JobVersionInfo:
    source = version.source
    return JobVersionInfo(
        version=version.version,
        at=version.at,
        source=SourceInfo(source.origin.value, source.author, source.code_version),
        note=version.note,
        definition=show_definition(version.spec),
    )
