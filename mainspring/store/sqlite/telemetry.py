"""What handlers say while they run."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import batch, printable
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.rows import micros

POSITIONS_PER_DAY = 1 << 32


class SqliteTelemetry:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def append_logs(self, entries: Sequence[LogEntry], *, now: datetime) -> None:
        if not entries:
            return
        parameters = batch(
            [entry.run for entry in entries],
            [(entry.seq, entry.at, entry.level, printable(entry.message)) for entry in entries],
            tokens=b"".join(entry.token for entry in entries),
            first=now.toordinal() * POSITIONS_PER_DAY,
        )
        day = await self._days.at(now)
        await self._connection.write(lambda c: c.execute(self._sql.append_logs.format(day=day), parameters))

    async def logs(self, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]:
        if not await self._days.since([run]):
            return []
        parameters = {"run": run, "after": after, "limit": limit}
        return await self._connection.read(
            lambda c: [(position, LogEntry(*fields)) for position, *fields in c.execute(self._sql.logs, parameters)]
        )

    async def report_progress(self, entries: Sequence[Progress], *, now: datetime) -> None:
        latest = list({entry.run: entry for entry in entries}.values())
        parameters = batch(
            [entry.run for entry in latest],
            [(entry.fraction, printable(entry.note)) for entry in latest],
            tokens=b"".join(entry.token for entry in latest),
            now=micros(now),
        )
        await self._connection.write(lambda c: c.execute(self._sql.report_progress, parameters))

    async def progress(self, run: RunId) -> Progress | None:
        rows = await self._connection.read(lambda c: c.execute(self._sql.progress, {"run": run}).fetchall())
        return Progress(*rows[0]) if rows else None
