"""Job definitions and lines, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.access.permissions import Actor
from mainspring.domain.calendars.uses import TRIGGERS_NAMED, refuse_triggered
from mainspring.domain.jobs.definition import Approve, Revise
from mainspring.domain.jobs.job import NOBODY, Job, JobSpec, JobVersion, Speaker
from mainspring.domain.jobs.versions import by_api, by_code, entry, present
from mainspring.domain.queues.line import Line
from mainspring.errors import ConflictError
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.jobs import JobFilter
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.definitions import heeded, hold, job_row, make_rows, version_row, write_version
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries


class PostgresJobs:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def register(
        self, namespace: str, specs: Sequence[JobSpec], *, by: Speaker = NOBODY, now: datetime
    ) -> list[Job]:
        wanted = {spec.name: spec for spec in specs}
        if not wanted:
            return []

        async def work(connection: "asyncpg.Connection[Any]") -> list[Job]:
            await make_rows(connection, self._sql, namespace, list(wanted.values()), now)
            jobs = await hold(connection, self._sql, namespace, list(wanted))
            for spec in await heeded(connection, self._sql, jobs, list(wanted.values()), by, now):
                making = by_code(jobs[spec.name], spec, by, now)
                jobs[spec.name] = await write_version(connection, self._sql, jobs[spec.name], making)
            return [jobs[spec.name] for spec in specs]

        return await self._database.transaction(work)

    async def define(
        self, namespace: str, name: str, revise: Revise, *, act: str, actor: Actor, note: str, now: datetime
    ) -> Job:
        async def work(connection: "asyncpg.Connection[Any]") -> Job:
            job = (await hold(connection, self._sql, namespace, [name])).get(name)
            spec = revise(present(job))
            if job is None:
                await make_rows(connection, self._sql, namespace, [spec], now)
                job = (await hold(connection, self._sql, namespace, [name]))[name]
                # Somebody else may have made it meanwhile.
                spec = revise(present(job))
            if not job.deleted and spec == job.spec:
                return job
            making = by_api(job, spec, actor, act=act, note=note, now=now)
            return await write_version(connection, self._sql, job, making)

        return await self._database.transaction(work)

    async def delete(
        self, namespace: str, name: str, approve: Approve, *, actor: Actor, note: str, now: datetime
    ) -> None:
        async def work(connection: "asyncpg.Connection[Any]") -> None:
            job = present((await hold(connection, self._sql, namespace, [name])).get(name))
            approve(job)
            if job is None:
                return
            if await connection.fetchval(self._sql["has_runs"], job.id):
                raise ConflictError("job", name, "has runs that are not over: let them end, or cancel them, first")
            rows = await connection.fetch(self._sql["triggers_of_job"], namespace, name, TRIGGERS_NAMED + 1)
            refuse_triggered(name, [row["name"] for row in rows])
            await connection.execute(self._sql["delete_job"], job.id, now)
            said = entry(job, act="job.delete", actor=actor, version=job.version, note=note, at=now)
            await write_audit(PostgresTx(connection, self._sql), said)

        await self._database.transaction(work)

    async def all(self) -> list[Job]:
        rows = await self._database.fetch(self._sql["all_jobs"])
        return self._sql.aside.read("jobs", rows, job_row, "id", whole=True)

    async def get(self, namespace: str, name: str) -> Job | None:
        rows = await self._database.fetch(self._sql["get_job"], namespace, name)
        return job_row(rows[0]) if rows else None

    async def versions(self, job: int, *, before: int | None, limit: int) -> list[JobVersion]:
        rows = await self._database.fetch(self._sql["job_versions"], job, before, limit)
        return self._sql.aside.read("job_versions", rows, version_row, "job", "version")

    async def version(self, job: int, number: int) -> JobVersion | None:
        rows = await self._database.fetch(self._sql["job_version"], job, number)
        return version_row(rows[0]) if rows else None

    async def lines(self, lines: Sequence[Line]) -> list[int]:
        known = await self._numbers(lines)
        missing = [line for line in lines if line not in known]
        if missing:
            await self._database.execute(self._sql["add_lines"], *columns(missing))
            known |= await self._numbers(missing)
        return [known[line] for line in lines]

    async def _numbers(self, lines: Sequence[Line]) -> dict[Line, int]:
        rows = await self._database.fetch(self._sql["line_numbers"], *columns(lines))
        return {lines[row["position"] - 1]: row["id"] for row in rows}

    async def all_lines(self) -> dict[int, Line]:
        rows = await self._database.fetch(self._sql["all_lines"])
        return {row["id"]: Line(row["namespace"], row["queue"], row["handler"], row["address"]) for row in rows}

    async def move_queued(self, line: int, to: int) -> None:
        await self._database.execute(self._sql["move_queued"], line, to)

    async def list(self, query: JobFilter) -> list[Job]:
        wanted = (query.namespace, query.after, query.prefix, query.queue, query.handler)
        return await self._sql.aside.first(
            "jobs",
            query.limit,
            lambda limit: self._database.fetch(self._sql["list_jobs"], *wanted, limit),
            job_row,
            "id",
        )


def columns(lines: Sequence[Line]) -> tuple[list[str], ...]:
    return (
        [line.namespace for line in lines],
        [line.queue for line in lines],
        [line.handler for line in lines],
        [line.address for line in lines],
    )
