"""Gives up waiting runs for more urgent ones."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.queues.shed import SHED, Shedding
from mainspring.domain.runs.run import RunState
from mainspring.errors import OverBudgetError
from mainspring.store.acts.runs.cancel import finish_idle
from mainspring.store.tx import Tx

# Another transaction may hold some of them.
SPARE = 100
"""Candidates beside those wanted."""
NEWEST = 1_000
"""Runs of each line that are looked at among those that wait in lanes, which have no order over a line."""


async def shed(
    tx: Tx, parts: Sequence[Shedding], below: int, refusal: OverBudgetError, now: datetime
) -> dict[RunId, int]:
    """Skip so many runs less urgent than `below`; return them with their lines. Raises `refusal` if there are too few."""
    found: dict[RunId, int] = {}
    for part in parts:
        # Those of the part before are locked by this transaction, and are found again.
        wanted = {"lines": list(part.lines), "below": below, "count": part.count + len(found)}
        rows = await tx.all("shed_candidates", **wanted, spare=part.count + len(found) + SPARE, newest=NEWEST)
        fresh = [row for row in rows if row["id"] not in found][: part.count]
        if len(fresh) < part.count:
            raise refusal
        found |= {RunId(row["id"]): row["line"] for row in fresh}
    if found:
        await finish_idle(tx, sorted(found), RunState.SKIPPED, SHED, now)
    return found
