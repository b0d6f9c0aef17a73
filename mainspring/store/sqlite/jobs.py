"""Job definitions and the lines their runs stand in."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.jobs.definition import Approve, Revise
from mainspring.domain.jobs.job import NOBODY, Job, JobSpec, JobVersion, Speaker
from mainspring.domain.queues.line import Line
from mainspring.store.interface.jobs import JobFilter
from mainspring.store.sql import Queries
from mainspring.store.sqlite import definitions
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.definitions import job_row, version_row


class SqliteJobs:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def register(
        self, namespace: str, specs: Sequence[JobSpec], *, by: Speaker = NOBODY, now: datetime
    ) -> list[Job]:
        return await self._connection.write(
            lambda c: [definitions.register(c, self._sql, namespace, spec, by, now) for spec in specs]
        )

    async def define(
        self, namespace: str, name: str, revise: Revise, *, act: str, actor: Actor, note: str, now: datetime
    ) -> Job:
        return await self._connection.write(
            lambda c: definitions.define(
                c, self._sql, namespace, name, revise, act=act, actor=actor, note=note, now=now
            )
        )

    async def delete(
        self, namespace: str, name: str, approve: Approve, *, actor: Actor, note: str, now: datetime
    ) -> None:
        await self._connection.write(
            lambda c: definitions.delete(c, self._sql, namespace, name, approve, actor=actor, note=note, now=now)
        )

    async def all(self) -> list[Job]:
        rows = await self._connection.read(lambda c: c.execute(self._sql.all_jobs).fetchall())
        return self._sql.aside.read("jobs", rows, job_row, "id", whole=True)

    async def get(self, namespace: str, name: str) -> Job | None:
        parameters = {"namespace": namespace, "name": name}
        rows = await self._connection.read(lambda c: c.execute(self._sql.get_job, parameters).fetchall())
        return job_row(rows[0]) if rows else None

    async def versions(self, job: int, *, before: int | None, limit: int) -> list[JobVersion]:
        parameters = {"job": job, "before": before, "limit": limit}
        rows = await self._connection.read(lambda c: c.execute(self._sql.job_versions, parameters).fetchall())
        return self._sql.aside.read("job_versions", rows, version_row, "job", "version")

    async def version(self, job: int, number: int) -> JobVersion | None:
        parameters = {"job": job, "version": number}
        rows = await self._connection.read(lambda c: c.execute(self._sql.job_version, parameters).fetchall())
        return version_row(rows[0]) if rows else None

    async def lines(self, lines: Sequence[Line]) -> list[int]:
        return await self._connection.write(lambda c: [number(c, self._sql, line) for line in lines])

    async def all_lines(self) -> dict[int, Line]:
        return await self._connection.read(
            lambda c: {line: Line(*names) for line, *names in c.execute(self._sql.all_lines)}
        )

    async def move_queued(self, line: int, to: int) -> None:
        await self._connection.write(lambda c: c.execute(self._sql.move_queued, {"line": line, "to": to}))

    async def list(self, query: JobFilter) -> list[Job]:
        parameters = msgspec.structs.asdict(query)

        async def fetch(limit: int) -> Sequence[sqlite3.Row]:
            wanted = parameters | {"limit": limit}
            return await self._connection.read(lambda c: c.execute(self._sql.list_jobs, wanted).fetchall())

        return await self._sql.aside.first("jobs", query.limit, fetch, job_row, "id")


def number(c: sqlite3.Connection, sql: Queries, line: Line) -> int:
    names = msgspec.structs.asdict(line)
    c.execute(sql.add_line, names)
    found: int = c.execute(sql.line_number, names).fetchone()["id"]
    return found
