"""Logs and progress that handlers report."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.store.tx import Acts, Row, Tx, reads, writes_history, writes_once

POSITIONS_PER_DAY = 1 << 32


class TelemetryActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes_history
    async def append_logs(self, tx: Tx, entries: Sequence[LogEntry], *, now: datetime) -> None:
        if entries:
            rows = [msgspec.structs.asdict(entry) for entry in entries]
            # PostgreSQL numbers lines by a sequence; SQLite's days have each a range of positions.
            first = now.toordinal() * POSITIONS_PER_DAY
            await tx.run("append_logs", rows=rows, now=now, day=now, first=first)

    @reads
    async def logs(self, tx: Tx, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]:
        rows = await tx.past("logs", [run], run=run, after=after, limit=limit)
        return [(row["position"], log_row(row)) for row in rows[:limit]]

    @writes_once
    async def report_progress(self, tx: Tx, entries: Sequence[Progress], *, now: datetime) -> None:
        latest = {entry.run: msgspec.structs.asdict(entry) for entry in entries}
        if latest:
            await tx.run("report_progress", rows=list(latest.values()), now=now)


def log_row(row: Row) -> LogEntry:
    return LogEntry(row["run"], row["token"], row["seq"], row["sent"], row["level"], row["message"])
