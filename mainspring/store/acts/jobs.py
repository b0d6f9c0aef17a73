"""Job definitions, and the lines that their runs stand in."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.calendars.uses import TRIGGERS_NAMED, refuse_triggered
from mainspring.domain.jobs.definition import Approve, Revise
from mainspring.domain.jobs.job import NOBODY, Job, JobSpec, JobVersion, Speaker
from mainspring.domain.jobs.versions import by_api, by_code, entry, present
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.pause import Pause
from mainspring.errors import ConflictError
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.job_versions import heeded, job_row, lock_jobs, make_rows, version_row, write_version
from mainspring.store.interface.jobs import JobFilter
from mainspring.store.tx import Acts, Tx, holds, reads, writes, writes_once


class JobActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes
    async def register(
        self, tx: Tx, namespace: str, specs: Sequence[JobSpec], *, by: Speaker = NOBODY, now: datetime
    ) -> list[Job]:
        wanted = {spec.name: spec for spec in specs}
        jobs = await lock_jobs(tx, namespace, list(wanted))
        missing = [spec for name, spec in wanted.items() if name not in jobs]
        if missing:
            await make_rows(tx, namespace, missing, now)
            jobs = await lock_jobs(tx, namespace, list(wanted))
        for spec in await heeded(tx, jobs, list(wanted.values()), by, now):
            jobs[spec.name] = await write_version(tx, jobs[spec.name], by_code(jobs[spec.name], spec, by, now))
        return [jobs[spec.name] for spec in specs]

    @writes
    async def define(
        self,
        tx: Tx,
        namespace: str,
        name: str,
        revise: Revise,
        *,
        act: str,
        actor: Actor,
        note: str,
        now: datetime,
        owner: str | None = None,
    ) -> Job:
        job = (await lock_jobs(tx, namespace, [name])).get(name)
        spec = revise(present(job))
        if job is None:
            await make_rows(tx, namespace, [spec], now)
            job = (await lock_jobs(tx, namespace, [name]))[name]
            # Asked again: another server may have made it meanwhile.
            spec = revise(present(job))
        if job.deleted or spec != job.spec:
            job = await write_version(tx, job, by_api(job, spec, actor, act=act, note=note, now=now))
        if owner is None or (job.owner, job.applied) == (owner, job.version):
            return job
        await tx.run("own_job", job=job.id, owner=owner, version=job.version)
        return msgspec.structs.replace(job, owner=owner, applied=job.version)

    @writes
    async def delete(
        self, tx: Tx, namespace: str, name: str, approve: Approve, *, actor: Actor, note: str, now: datetime
    ) -> None:
        job = present((await lock_jobs(tx, namespace, [name])).get(name))
        approve(job)
        if job is None:
            return
        if await holds(tx, "has_runs", job=job.id):
            raise ConflictError("job", name, "has runs that are not over: let them end, or cancel them, first")
        rows = await tx.all("triggers_of_job", namespace=namespace, job=name, limit=TRIGGERS_NAMED + 1)
        refuse_triggered(name, [row["name"] for row in rows])
        await tx.run("delete_job", job=job.id, now=now)
        await write_audit(tx, entry(job, act="job.delete", actor=actor, version=job.version, note=note, at=now))

    @reads
    async def all(self, tx: Tx) -> list[Job]:
        return tx.aside.read("jobs", await tx.all("all_jobs"), job_row, "id", whole=True)

    @reads
    async def get(self, tx: Tx, namespace: str, name: str) -> Job | None:
        row = await tx.one("get_job", namespace=namespace, name=name)
        return None if row is None else tx.aside.one("jobs", row, job_row, "id")

    @reads
    async def versions(self, tx: Tx, job: int, *, before: int | None, limit: int) -> list[JobVersion]:
        rows = await tx.all("job_versions", job=job, before=before, limit=limit)
        return tx.aside.read("job_versions", rows, version_row, "job", "version")

    @reads
    async def version(self, tx: Tx, job: int, number: int) -> JobVersion | None:
        row = await tx.one("job_version", job=job, version=number)
        return None if row is None else tx.aside.one("job_versions", row, version_row, "job", "version")

    async def lines(self, lines: Sequence[Line]) -> list[int]:
        known = await self._numbers(lines)
        missing = [line for line in lines if line not in known]
        if missing:
            await self._add_lines(missing)
            known |= await self._numbers(missing)
        return [known[line] for line in lines]

    @reads
    async def _numbers(self, tx: Tx, lines: Sequence[Line]) -> dict[Line, int]:
        rows = await tx.all("line_numbers", rows=list(map(msgspec.structs.asdict, lines)))
        return {lines[row["position"] - 1]: row["id"] for row in rows}

    @writes_once
    async def _add_lines(self, tx: Tx, lines: Sequence[Line]) -> None:
        await tx.run("add_lines", rows=list(map(msgspec.structs.asdict, lines)))

    @reads
    async def all_lines(self, tx: Tx) -> dict[int, Line]:
        rows = await tx.all("all_lines")
        return {row["id"]: Line(*(row[name] for name in Line.__struct_fields__)) for row in rows}

    @writes_once
    async def move_queued(self, tx: Tx, line: int, to: int) -> None:
        await tx.run("move_queued", line=line, to=to)

    @writes_once
    async def move_job(self, tx: Tx, job: int, line: int, to: int, *, limit: int) -> int:
        return await tx.run("move_job", job=job, line=line, to=to, limit=limit)

    @writes
    async def pause(self, tx: Tx, namespace: str, name: str, pause: Pause, *, entry: AuditEntry) -> Job | None:
        job = present((await lock_jobs(tx, namespace, [name])).get(name))
        if job is None:
            return None
        await tx.run("pause_job", job=job.id, since=pause.since, by=pause.by, reason=pause.reason)
        await write_audit(tx, entry)
        return (await lock_jobs(tx, namespace, [name]))[name]

    @writes
    async def resume(self, tx: Tx, namespace: str, name: str, *, entry: AuditEntry) -> Job | None:
        job = present((await lock_jobs(tx, namespace, [name])).get(name))
        if job is not None and await tx.run("resume_job", job=job.id):
            await write_audit(tx, entry)
        return None if job is None else (await lock_jobs(tx, namespace, [name]))[name]

    @reads
    async def retrying(self, tx: Tx, job: int, lines: Sequence[int], *, limit: int) -> dict[int, int]:
        rows = await tx.all("retrying_runs", job=job, lines=lines, limit=limit)
        return {row["line"]: row["runs"] for row in rows}

    @reads
    async def list(self, tx: Tx, query: JobFilter) -> list[Job]:
        wanted = msgspec.structs.asdict(query)
        return await tx.aside.first(
            "jobs",
            query.limit,
            lambda limit: tx.all("list_jobs", **wanted | {"limit": limit}),
            job_row,
            "id",
        )
