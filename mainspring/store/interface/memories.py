"""What runs remember from attempt to attempt."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.ids import RunId
from mainspring.domain.runs.checkpoints import Kept, Memory, Pair, Recollection


class Memories(Protocol):
    """Kept while a run lives, and as long as its history."""

    async def remember(self, memories: Sequence[Memory], *, now: datetime) -> Kept:
        """Keep what attempts under way want remembered; return the pairs of which nothing was kept.

        Those own their run no more, or would have it remember more than `MEMORIES_MAX` steps and effects.
        The same name again replaces what was kept, but that an effect has begun never replaces that it came to pass.
        """

    async def recall(self, pairs: Sequence[Pair]) -> dict[Pair, list[Recollection]]:
        """What the runs of these attempts remember, oldest first; pairs that own their run no more are left out."""

    async def of_run(self, run: RunId) -> list[Recollection]:
        """All that a run remembers, oldest first."""
