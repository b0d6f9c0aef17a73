"""Cancels the runs that a later fire of their trigger replaces."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.cancel import CancelRequest, Operator
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.trigger import TriggerMove
from mainspring.store.acts.runs.cancel import cancel_runs
from mainspring.store.tx import Tx

REPLACED = "the next instant of its trigger has come"
FIRER = Actor("trigger")


async def cancel_replaced(
    tx: Tx, moves: Sequence[TriggerMove], now: datetime
) -> tuple[list[CancelRequest], list[RunId]]:
    """Cancel the runs as an operator would; return the attempts to stop, and the runs that are over."""
    requests: list[CancelRequest] = []
    over: list[RunId] = []
    cancelling = sorted((move for move in moves if move.cancels), key=lambda move: move.trigger.namespace)
    for namespace, several in groupby(cancelling, key=lambda move: move.trigger.namespace):
        runs = [run for move in several for run in move.cancels]
        by = Operator(namespace=namespace, actor=FIRER, reason=REPLACED, now=now)
        found, changed = await cancel_runs(tx, runs, by)
        requests += [one.wish for one in found.values() if one.wish is not None]
        over += [run for run in changed if found[run].state is RunState.CANCELLED]
    return requests, over
