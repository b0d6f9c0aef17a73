"""Job definitions and lines, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg
import msgspec

from mainspring.domain.job import Job, JobSpec
from mainspring.domain.line import Line
from mainspring.store.postgres.connection import Database
from mainspring.store.queries import Queries


class PostgresJobs:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def register(self, namespace: str, specs: Sequence[JobSpec], *, now: datetime) -> list[Job]:
        names = [spec.name for spec in specs]
        encoded = [msgspec.json.encode(spec) for spec in specs]
        await self._database.execute(self._sql["register"], namespace, names, encoded, now)
        rows = await self._database.fetch(self._sql["named"], namespace, names)
        jobs = {job.name: job for job in map(job_row, rows)}
        return [jobs[name] for name in names]

    async def all(self) -> list[Job]:
        return [job_row(row) for row in await self._database.fetch(self._sql["all_jobs"])]

    async def lines(self, lines: Sequence[Line]) -> list[int]:
        known = await self._numbers()
        missing = [line for line in lines if line not in known]
        if missing:
            await self._database.execute(
                self._sql["add_lines"],
                [line.namespace for line in missing],
                [line.queue for line in missing],
                [line.handler for line in missing],
                [line.address for line in missing],
            )
            known = await self._numbers()
        return [known[line] for line in lines]

    async def all_lines(self) -> dict[int, Line]:
        return {number: line for line, number in (await self._numbers()).items()}

    async def _numbers(self) -> dict[Line, int]:
        rows = await self._database.fetch(self._sql["all_lines"])
        return {Line(row["namespace"], row["queue"], row["handler"], row["address"]): row["id"] for row in rows}


def job_row(row: asyncpg.Record) -> Job:
    return Job(id=row["id"], namespace=row["namespace"], spec=msgspec.json.decode(row["spec"], type=JobSpec))
