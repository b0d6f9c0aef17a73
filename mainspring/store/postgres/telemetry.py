"""What handlers say while they run, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.store.postgres.connection import Database, storable
from mainspring.store.postgres.hot.history import PostgresHistory, search_from
from mainspring.store.sql import Queries


class PostgresTelemetry:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries, history: PostgresHistory) -> None:
        self._database = database
        self._sql = queries
        self._history = history

    async def append_logs(self, entries: Sequence[LogEntry], *, now: datetime) -> None:
        await self._history.with_partitions(
            lambda: self._database.execute(
                self._sql["append_logs"],
                [entry.run for entry in entries],
                [entry.token for entry in entries],
                [entry.seq for entry in entries],
                [entry.at for entry in entries],
                [entry.level for entry in entries],
                [storable(entry.message) for entry in entries],
                now,
            ),
            now=now,
        )

    async def logs(self, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]:
        rows = await self._database.fetch(self._sql["logs"], run, after, limit, search_from(run))
        return [
            (
                row["position"],
                LogEntry(row["run"], row["token"], row["seq"], row["at"], row["level"], row["message"]),
            )
            for row in rows
        ]

    async def report_progress(self, entries: Sequence[Progress], *, now: datetime) -> None:
        latest = list({entry.run: entry for entry in entries}.values())
        await self._database.execute(
            self._sql["report_progress"],
            [entry.run for entry in latest],
            [entry.token for entry in latest],
            [entry.fraction for entry in latest],
            [storable(entry.note) for entry in latest],
            now,
        )

    async def progress(self, run: RunId) -> Progress | None:
        rows = await self._database.fetch(self._sql["progress"], run)
        return Progress(*rows[0].values()) if rows else None
