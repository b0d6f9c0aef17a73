"""What is over, and for how long it is kept."""

from datetime import datetime
from typing import Protocol


class History(Protocol):
    """Time partitions of everything that is over."""

    async def prepare(self, *, now: datetime, days: int) -> None:
        """Make sure that partitions for today and the next days exist."""

    async def prune(self, *, before: datetime) -> list[str]:
        """Drop the partitions that hold nothing newer; delete keys, marks and progress of old; name what was dropped."""
