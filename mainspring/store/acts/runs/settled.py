"""Dead letters and notes that a settlement leaves besides the states of runs, written once for both databases."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.runs.attempt import Decision, Ended
from mainspring.domain.runs.dead_letter import cause_of
from mainspring.store.acts.runs.cancel import record_dead_letters
from mainspring.store.acts.runs.park import note_parkings
from mainspring.store.acts.runs.suspend import note_suspensions
from mainspring.store.acts.workflows.handler_waits import begin_handler_flows
from mainspring.store.tx import Tx

Decided = Sequence[tuple[Ended, Decision]]
"""Outcomes that matched, each with the decision about it."""


async def record_deaths(tx: Tx, decided: Decided, now: datetime) -> None:
    """Add these runs, which failed for good, to the dead letters, in the transaction that has moved them to history."""
    await record_dead_letters(tx, {end.run: cause_of(one.reason, end.failure) for end, one in decided}, now)


async def note_waits(tx: Tx, decided: Decided, now: datetime) -> None:
    """Note what runs wait for that their handlers set aside: an operator, a breaker, or runs, events and times."""
    # Their rows are back in their lines by now, and still locked by this settlement.
    if suspended := {end.run: one.suspension for end, one in decided if one.suspension is not None}:
        await note_suspensions(tx, suspended)
    if parked := {end.run: one.parking for end, one in decided if one.parking is not None}:
        await note_parkings(tx, parked)
    if waiting := {end.run: one.waits for end, one in decided if one.waits}:
        await begin_handler_flows(tx, waiting, now)
