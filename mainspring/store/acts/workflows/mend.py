"""Finds ends of steps that are in history, and of which their workflow run does not know."""

from mainspring.domain.workflows.flow import BEGUN, STATE, SUCCEEDED
from mainspring.domain.workflows.move import LiveFlow
from mainspring.store.acts.workflows.rows import read_ends
from mainspring.store.tx import Tx


async def mend_flow(tx: Tx, live: LiveFlow) -> int:
    """Compare what history says of a workflow run's begun steps with what it knows and what is noted."""
    begun = [step for step, byte in enumerate(live.flow.states) if byte & STATE == BEGUN]
    if not begun:
        return 0
    counts: dict[tuple[int, int], int] = {}
    for end in await read_ends(tx, [(live.run, step) for step in begun]):
        counts[end.place[1], end.state] = counts.get((end.place[1], end.state), 0) + 1
    for step, one in live.flow.maps.items():
        for state, known in ((SUCCEEDED, one.succeeded),):
            if (step, state) in counts:
                counts[step, state] -= known
    for note in await tx.all("notes_of", workflow=live.run):
        if (note["step"], note["state"]) in counts:
            counts[note["step"], note["state"]] -= note["runs"]
    missing = [
        {"workflow": live.run, "step": step, "state": state, "runs": runs}
        for (step, state), runs in counts.items()
        if runs > 0 and (state == SUCCEEDED or step not in live.flow.maps)
    ]
    await tx.batch("note_end", missing)
    return len(missing)
