"""Whether the store is what it always has to be."""

from datetime import datetime, timedelta
from typing import Protocol

from mainspring.domain.cluster.invariants import GRACE, LOOK, Violation


class Invariants(Protocol):
    """Asks and changes nothing; see `domain/cluster/invariants.py`."""

    async def violations(self, *, now: datetime, grace: timedelta = GRACE, look: int = LOOK) -> list[Violation]:
        """The invariants that do not hold, in their order. `look`: how many rows each question may look at."""
