"""The next version of a job, by code or by an operator, and its audit entry."""

from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.jobs.job import Job, JobSpec, JobVersion, Origin, Speaker, VersionSource


class PendingVersion(msgspec.Struct, frozen=True):
    """A version that is about to be stored, with its act and actor."""

    version: JobVersion
    act: str
    actor: Actor


def by_code(job: Job, spec: JobSpec, by: Speaker, now: datetime) -> PendingVersion:
    source = VersionSource(Origin.CODE, by.executor, by.code_version)
    version = JobVersion(version=job.version + 1, spec=spec, source=source, note="", at=now)
    return PendingVersion(version, "job.register", Actor(f"executor {by.executor}"))


def by_api(job: Job, spec: JobSpec, actor: Actor, *, act: str, note: str, now: datetime) -> PendingVersion:
    source = VersionSource(Origin.API, actor.name)
    version = JobVersion(version=job.version + 1, spec=spec, source=source, note=note, at=now)
    return PendingVersion(version, act, actor)


def after(job: Job, version: JobVersion) -> Job:
    """The job once the version has taken effect."""
    code = version.spec if version.source.origin is Origin.CODE else job.code
    return msgspec.structs.replace(
        job,
        spec=version.spec,
        version=version.version,
        code=code,
        updated_at=version.at,
        deleted=False,
        own_line=job.own_line or version.spec.policy.steers,
    )


def present(job: Job | None) -> Job | None:
    """The job, unless it was deleted or only its row is there."""
    return None if job is None or job.deleted else job


def entry(job: Job, *, act: str, actor: Actor, version: int, note: str, at: datetime) -> AuditEntry:
    details = {"version": version, "note": note} if note else {"version": version}
    return audit_entry(act, "job", job.name, details, namespace=job.namespace, actor=actor, at=at)
