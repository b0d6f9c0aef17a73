"""Job definitions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.job import Job, JobSpec
from mainspring.domain.line import Line


class Jobs(Protocol):
    """Job definitions and the lines their runs stand in."""

    async def register(self, namespace: str, specs: Sequence[JobSpec], *, now: datetime) -> list[Job]:
        """Add or update definitions by name; return them with their ids, in the order given."""

    async def all(self) -> list[Job]: ...

    async def lines(self, lines: Sequence[Line]) -> list[int]:
        """The number of each line, made on first use and never reused."""

    async def all_lines(self) -> dict[int, Line]: ...
