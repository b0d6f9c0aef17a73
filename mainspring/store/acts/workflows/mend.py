"""Finds ends of steps that are in history, and of which their workflow run does not know."""

from mainspring.domain.workflows.flow import BEGUN, FAILED, STATE, SUCCEEDED
from mainspring.domain.workflows.move import LiveFlow
from mainspring.store.tx import Tx

Key = tuple[int, int]
"""A step, and a state."""


async def mend_flow(tx: Tx, live: LiveFlow) -> int:
    """Compare what history says of a workflow run's begun steps with what it knows and what is noted."""
    begun = {step for step, byte in enumerate(live.flow.states) if byte & STATE == BEGUN}
    if not begun:
        return 0
    counts: dict[Key, int] = {}
    await tx.run("pin_plans")
    # History first: an end that commits between the two questions is then seen in its note only, and not noted again.
    for row in await tx.past("count_ends", [live.run], workflow=live.run):
        key = counted(live, row["step"], row["state"])
        counts[key] = counts.get(key, 0) + row["runs"]
    for step, one in live.flow.maps.items():
        for state, known in ((SUCCEEDED, one.succeeded), (FAILED, one.failed)):
            counts[step, state] = counts.get((step, state), 0) - known
    for note in await tx.all("notes_of", workflow=live.run):
        key = counted(live, note["step"], note["state"])
        counts[key] = counts.get(key, 0) - note["runs"]
    missing = [
        {"workflow": live.run, "step": step, "state": state, "runs": runs}
        for (step, state), runs in counts.items()
        if runs > 0 and step in begun
    ]
    await tx.batch("note_end", missing)
    return len(missing)


def counted(live: LiveFlow, step: int, state: int) -> Key:
    """The count that an end belongs to: a map has one for all items that did not succeed."""
    return (step, state if state == SUCCEEDED or step not in live.flow.maps else FAILED)
