"""Versions of definitions; each function works inside the one transaction of its caller."""

import sqlite3
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.calendars.uses import TRIGGERS_NAMED, refuse_triggered
from mainspring.domain.jobs.definition import Approve, Heed, Revise, digest, heed, silent_since
from mainspring.domain.jobs.job import Job, JobSpec, JobVersion, Origin, Source, Speaker
from mainspring.domain.jobs.versions import Making, after, by_api, by_code, entry, present
from mainspring.errors import ConflictError
from mainspring.store.acts.audit import write_audit
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import ID_NONE
from mainspring.store.sqlite.rows import EPOCH, instant, micros
from mainspring.store.sqlite.tx import SqliteTx, finish


def register(c: sqlite3.Connection, sql: Queries, namespace: str, spec: JobSpec, by: Speaker, now: datetime) -> Job:
    job = hold(c, sql, namespace, spec.name) or make_row(c, sql, namespace, spec, now)
    if not job.deleted and spec == job.code:
        return job
    said = sql.aside.read("job_versions", c.execute(sql.said, {"job": job.id}), said_row, "job", "version")
    decision = heed(spec, job, said)
    if decision is Heed.NOTHING or (decision is Heed.FOLLOW_IF_ALONE and spoken_for(c, sql, job, by, now)):
        return job
    return write_version(c, sql, job, by_code(job, spec, by, now))


def define(
    c: sqlite3.Connection,
    sql: Queries,
    namespace: str,
    name: str,
    revise: Revise,
    *,
    act: str,
    actor: Actor,
    note: str,
    now: datetime,
) -> Job:
    job = hold(c, sql, namespace, name)
    spec = revise(present(job))
    if job is not None and not job.deleted and spec == job.spec:
        return job
    job = job or make_row(c, sql, namespace, spec, now)
    return write_version(c, sql, job, by_api(job, spec, actor, act=act, note=note, now=now))


def delete(
    c: sqlite3.Connection,
    sql: Queries,
    namespace: str,
    name: str,
    approve: Approve,
    *,
    actor: Actor,
    note: str,
    now: datetime,
) -> None:
    job = present(hold(c, sql, namespace, name))
    approve(job)
    if job is None:
        return
    if c.execute(sql.has_runs, {"job": job.id}).fetchone()[0]:
        raise ConflictError("job", name, "has runs that are not over: let them end, or cancel them, first")
    rows = c.execute(sql.triggers_of_job, {"namespace": namespace, "job": name, "limit": TRIGGERS_NAMED + 1})
    refuse_triggered(name, [row["name"] for row in rows])
    c.execute(sql.delete_job, {"job": job.id, "now": micros(now)})
    finish(
        write_audit(SqliteTx(c, sql), entry(job, act="job.delete", actor=actor, version=job.version, note=note, at=now))
    )


def hold(c: sqlite3.Connection, sql: Queries, namespace: str, name: str) -> Job | None:
    row = c.execute(sql.hold_job, {"namespace": namespace, "name": name}).fetchone()
    return None if row is None else held_job(sql, row)


def make_row(c: sqlite3.Connection, sql: Queries, namespace: str, spec: JobSpec, now: datetime) -> Job:
    """A row for a name that has none; it counts as deleted until it has a version."""
    encoded = msgspec.json.encode(spec)
    c.execute(sql.add_job, {"namespace": namespace, "name": spec.name, "spec": encoded, "now": micros(now)})
    made = hold(c, sql, namespace, spec.name)
    assert made is not None
    return made


def spoken_for(c: sqlite3.Connection, sql: Queries, job: Job, by: Speaker, now: datetime) -> bool:
    """Whether the job's present code is the code of another session."""
    parameters = {
        "namespace": job.namespace,
        "name": job.name,
        "digest": digest(job.code or job.spec),
        "session": by.session or ID_NONE,
        "silent": micros(silent_since(by.since, now)),
    }
    return bool(c.execute(sql.spoken_for, parameters).fetchone()[0])


def write_version(c: sqlite3.Connection, sql: Queries, job: Job, making: Making) -> Job:
    """Let a definition take effect as the job's next version."""
    made, changed = making.version, after(job, making.version)
    parameters = {
        "job": job.id,
        "version": made.version,
        "origin": made.source.origin.value,
        "author": made.source.author,
        "code_version": made.source.code_version,
        "note": made.note,
        "at": micros(made.at),
        "spec": msgspec.json.encode(made.spec),
        "code": None if changed.code is None else msgspec.json.encode(changed.code),
    }
    c.execute(sql.add_version, parameters)
    c.execute(sql.update_job, parameters)
    said = entry(changed, act=making.act, actor=making.actor, version=made.version, note=made.note, at=made.at)
    finish(write_audit(SqliteTx(c, sql), said))
    return changed


def held_job(sql: Queries, row: sqlite3.Row) -> Job:
    """A definition that cannot be read counts as deleted: the next one that is made takes its place."""
    for job in sql.aside.read("jobs", [row], job_row, "id"):
        return job
    blank = JobSpec(name=row["name"], handler=row["name"])
    return Job(
        id=row["id"],
        namespace=row["namespace"],
        spec=blank,
        version=row["version"],
        code=None,
        updated_at=EPOCH,
        deleted=True,
    )


def said_row(row: sqlite3.Row) -> JobSpec:
    return msgspec.json.decode(row["spec"], type=JobSpec)


def job_row(row: sqlite3.Row) -> Job:
    spec = msgspec.json.decode(row["spec"], type=JobSpec)
    code = spec if row["code"] is None else msgspec.json.decode(row["code"], type=JobSpec)
    return Job(
        id=row["id"],
        namespace=row["namespace"],
        spec=spec,
        version=row["version"],
        code=code if row["coded"] else None,
        updated_at=instant(row["updated_at"]),
        deleted=bool(row["deleted"]),
    )


def version_row(row: sqlite3.Row) -> JobVersion:
    return JobVersion(
        version=row["version"],
        spec=msgspec.json.decode(row["spec"], type=JobSpec),
        source=Source(Origin(row["origin"]), row["author"], row["code_version"]),
        note=row["note"],
        at=instant(row["at"]),
    )
