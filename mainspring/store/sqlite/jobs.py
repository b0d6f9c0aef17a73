"""Job definitions and the lines their runs stand in."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.job import Job, JobSpec
from mainspring.domain.line import Line
from mainspring.store.queries import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import micros


class SqliteJobs:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def register(self, namespace: str, specs: Sequence[JobSpec], *, now: datetime) -> list[Job]:
        return await self._connection.write(
            lambda c: [register(c, self._sql, namespace, spec, micros(now)) for spec in specs]
        )

    async def all(self) -> list[Job]:
        return await self._connection.read(lambda c: [job_row(row) for row in c.execute(self._sql.all_jobs)])

    async def lines(self, lines: Sequence[Line]) -> list[int]:
        return await self._connection.write(lambda c: [number(c, self._sql, line) for line in lines])

    async def all_lines(self) -> dict[int, Line]:
        return await self._connection.read(
            lambda c: {line: Line(*names) for line, *names in c.execute(self._sql.all_lines)}
        )


def register(c: sqlite3.Connection, sql: Queries, namespace: str, spec: JobSpec, now: int) -> Job:
    parameters = {"namespace": namespace, "name": spec.name, "spec": msgspec.json.encode(spec), "now": now}
    (row,) = c.execute(sql.register, parameters).fetchall()
    return Job(id=row["id"], namespace=namespace, spec=spec)


def number(c: sqlite3.Connection, sql: Queries, line: Line) -> int:
    names = msgspec.structs.asdict(line)
    c.execute(sql.add_line, names)
    found: int = c.execute(sql.line_number, names).fetchone()["id"]
    return found


def job_row(row: sqlite3.Row) -> Job:
    return Job(id=row["id"], namespace=row["namespace"], spec=msgspec.json.decode(row["spec"], type=JobSpec))
