"""Versions of definitions, written behind the lock of their job's row, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.jobs.definition import Heed, digest, heed, silent_since
from mainspring.domain.jobs.job import Job, JobSpec, JobVersion, Origin, Source, Speaker
from mainspring.domain.jobs.versions import Making, after, entry
from mainspring.store.acts.audit import write_audit
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

NOBODY = bytes(16)


async def hold(
    connection: "asyncpg.Connection[Any]", sql: Queries, namespace: str, names: Sequence[str]
) -> dict[str, Job]:
    rows = await connection.fetch(sql["hold_jobs"], namespace, names)
    return {job.name: job for job in (held_job(sql, row) for row in rows)}


async def make_rows(
    connection: "asyncpg.Connection[Any]", sql: Queries, namespace: str, specs: Sequence[JobSpec], now: datetime
) -> None:
    """See to it that there is a row to lock for each name; one that had none counts as deleted."""
    encoded = [msgspec.json.encode(spec) for spec in specs]
    await connection.execute(sql["add_jobs"], namespace, [spec.name for spec in specs], encoded, now)


async def heeded(
    connection: "asyncpg.Connection[Any]",
    sql: Queries,
    jobs: dict[str, Job],
    specs: Sequence[JobSpec],
    by: Speaker,
    now: datetime,
) -> list[JobSpec]:
    """Those of what an executor's code says that become the newest version of their job."""
    news = [spec for spec in specs if jobs[spec.name].deleted or spec != jobs[spec.name].code]
    if not news:
        return []
    said: dict[int, list[JobSpec]] = {jobs[spec.name].id: [] for spec in news}
    for row in await connection.fetch(sql["said"], list(said)):
        said[row["job"]] += sql.aside.read("job_versions", [row], said_row, "job", "version")
    found = [(spec, heed(spec, jobs[spec.name], said[jobs[spec.name].id])) for spec in news]
    doubtful = [jobs[spec.name] for spec, decision in found if decision is Heed.FOLLOW_IF_ALONE]
    spoken = await spoken_for(connection, sql, doubtful, by, now) if doubtful else set()
    return [spec for spec, decision in found if decision is not Heed.NOTHING and spec.name not in spoken]


async def spoken_for(
    connection: "asyncpg.Connection[Any]", sql: Queries, jobs: Sequence[Job], by: Speaker, now: datetime
) -> set[str]:
    """Of these jobs those whose present code is the code of another session."""
    digests = [digest(job.code or job.spec) for job in jobs]
    names, silent = [job.name for job in jobs], silent_since(by.since, now)
    rows = await connection.fetch(sql["spoken_for"], jobs[0].namespace, names, digests, by.session or NOBODY, silent)
    return {row["name"] for row in rows}


async def write_version(connection: "asyncpg.Connection[Any]", sql: Queries, job: Job, making: Making) -> Job:
    """Let a definition take effect as the job's next version."""
    made, changed = making.version, after(job, making.version)
    spec = msgspec.json.encode(made.spec)
    code = None if changed.code is None else msgspec.json.encode(changed.code)
    source = (made.source.origin.value, made.source.author, made.source.code_version)
    await connection.execute(sql["add_version"], job.id, made.version, *source, made.note, made.at, spec)
    await connection.execute(sql["update_job"], job.id, spec, made.version, code, made.at)
    said = entry(changed, act=making.act, actor=making.actor, version=made.version, note=made.note, at=made.at)
    await write_audit(PostgresTx(connection, sql), said)
    return changed


def held_job(sql: Queries, row: asyncpg.Record) -> Job:
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
        updated_at=row["updated_at"],
        deleted=True,
    )


def said_row(row: asyncpg.Record) -> JobSpec:
    return msgspec.json.decode(row["spec"], type=JobSpec)


def job_row(row: asyncpg.Record) -> Job:
    spec = msgspec.json.decode(row["spec"], type=JobSpec)
    code = spec if row["code"] is None else msgspec.json.decode(row["code"], type=JobSpec)
    return Job(
        id=row["id"],
        namespace=row["namespace"],
        spec=spec,
        version=row["version"],
        code=code if row["coded"] else None,
        updated_at=row["updated_at"],
        deleted=row["deleted"],
    )


def version_row(row: asyncpg.Record) -> JobVersion:
    return JobVersion(
        version=row["version"],
        spec=msgspec.json.decode(row["spec"], type=JobSpec),
        source=Source(Origin(row["origin"]), row["author"], row["code_version"]),
        note=row["note"],
        at=row["at"],
    )
