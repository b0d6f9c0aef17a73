"""Logs and progress."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.ids import RunId
from mainspring.domain.runs.log import LogEntry, Progress


class Telemetry(Protocol):
    """What handlers say while they run."""

    async def append_logs(self, entries: Sequence[LogEntry], *, now: datetime) -> None: ...

    async def logs(self, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]:
        """Log lines with their position, in the order they arrived, behind position `after`."""

    async def report_progress(self, entries: Sequence[Progress], *, now: datetime) -> None: ...

    async def progress(self, run: RunId) -> Progress | None: ...
