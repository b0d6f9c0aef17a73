"""Versions of job definitions, written while their job's row is locked."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.jobs.definition import Adoption, adopt_code, digest, silent_since
from mainspring.domain.jobs.job import Job, JobSpec, JobVersion, Origin, Speaker, VersionSource
from mainspring.domain.jobs.versions import PendingVersion, after, entry
from mainspring.domain.limits.policy import KeptHistory
from mainspring.domain.queues.pause import Pause
from mainspring.domain.years import FIRST
from mainspring.store.acts.audit import write_audit
from mainspring.store.tx import Row, Tx

NO_SESSION = bytes(16)
FORGETS = {KeptHistory.ALL: 0, KeptHistory.FAILURES: 1, KeptHistory.NONE: 2}
"""The column that settlements ask for."""


async def lock_jobs(tx: Tx, namespace: str, names: Sequence[str]) -> dict[str, Job]:
    """Lock definitions, deleted ones too."""
    rows = await tx.all("lock_jobs", namespace=namespace, names=names)
    return {job.name: job for job in (locked_job(tx, row) for row in rows)}


async def make_rows(tx: Tx, namespace: str, specs: Sequence[JobSpec], now: datetime) -> None:
    """Make a row to lock for each new name; it counts as deleted until it has a version."""
    # In one order for all servers, so that two of them do not wait for each other.
    each = [(spec.name, msgspec.json.encode(spec)) for spec in sorted(specs, key=lambda spec: spec.name)]
    await tx.batch("add_job", [{"namespace": namespace, "name": name, "spec": spec, "now": now} for name, spec in each])


async def heeded(tx: Tx, jobs: dict[str, Job], specs: Sequence[JobSpec], by: Speaker, now: datetime) -> list[JobSpec]:
    """Those of an executor's specs that become the newest version of their job."""
    news = [spec for spec in specs if jobs[spec.name].deleted or spec != jobs[spec.name].code]
    if not news:
        return []
    said: dict[int, list[JobSpec]] = {jobs[spec.name].id: [] for spec in news}
    for row in await tx.all("said", jobs=list(said)):
        said[row["job"]] += tx.aside.read("job_versions", [row], spec_row, "job", "version")
    found = [(spec, adopt_code(spec, jobs[spec.name], said[jobs[spec.name].id])) for spec in news]
    doubtful = [jobs[spec.name] for spec, decision in found if decision is Adoption.ADOPT_IF_ALONE]
    spoken = await spoken_for(tx, doubtful, by, now) if doubtful else set()
    return [spec for spec, decision in found if decision is not Adoption.IGNORE and spec.name not in spoken]


async def spoken_for(tx: Tx, jobs: Sequence[Job], by: Speaker, now: datetime) -> set[str]:
    """The names of those of these jobs whose present code is the code of another session."""
    rows = await tx.all(
        "spoken_for",
        rows=[{"name": job.name, "digest": digest(job.code or job.spec)} for job in jobs],
        namespace=jobs[0].namespace,
        session=by.session or NO_SESSION,
        silent=silent_since(by.since, now),
    )
    return {row["name"] for row in rows}


async def write_version(tx: Tx, job: Job, making: PendingVersion) -> Job:
    """Let a definition take effect as the job's next version."""
    made, changed = making.version, after(job, making.version)
    parameters = {
        "job": job.id,
        "version": made.version,
        "origin": made.source.origin.value,
        "author": made.source.author,
        "code_version": made.source.code_version,
        "note": made.note,
        "at": made.at,
        "spec": msgspec.json.encode(made.spec),
        "code": None if changed.code is None else msgspec.json.encode(changed.code),
        "own_line": changed.own_line,
        "forgets": FORGETS[changed.spec.policy.history],
    }
    await tx.run("add_version", **parameters)
    await tx.run("update_job", **parameters)
    said = entry(changed, act=making.act, actor=making.actor, version=made.version, note=made.note, at=made.at)
    await write_audit(tx, said)
    return changed


def locked_job(tx: Tx, row: Row) -> Job:
    """A definition that cannot be read counts as deleted: the next one that is made takes its place."""
    for job in tx.aside.read("jobs", [row], job_row, "id"):
        return job
    blank = JobSpec(name=row["name"], handler=row["name"])
    return Job(
        id=row["id"],
        namespace=row["namespace"],
        spec=blank,
        version=row["version"],
        code=None,
        updated_at=FIRST,
        deleted=True,
    )


def spec_row(row: Row) -> JobSpec:
    return msgspec.json.decode(row["spec"], type=JobSpec)


def job_row(row: Row) -> Job:
    spec = spec_row(row)
    code = spec if row["code"] is None else msgspec.json.decode(row["code"], type=JobSpec)
    return Job(
        id=row["id"],
        namespace=row["namespace"],
        spec=spec,
        version=row["version"],
        code=code if row["coded"] else None,
        updated_at=row["updated_at"],
        deleted=bool(row["deleted"]),
        own_line=bool(row["own_line"]),
        pause=pause_row(row),
        owner=row["owner"],
        applied=row["applied"],
    )


def pause_row(row: Row) -> Pause | None:
    if row["paused_at"] is None:
        return None
    return Pause(reason=row["pause_reason"], by=row["paused_by"], since=row["paused_at"])


def version_row(row: Row) -> JobVersion:
    return JobVersion(
        version=row["version"],
        spec=spec_row(row),
        source=VersionSource(Origin(row["origin"]), row["author"], row["code_version"]),
        note=row["note"],
        at=row["at"],
    )
