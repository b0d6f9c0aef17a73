"""Locks of runs. A run in a bundle has no row: its bundle is undone first."""

from collections.abc import Sequence

from mainspring.domain.ids import RunId, Token
from mainspring.store.tx import Row, Tx

LOOKS = 2
"""A run may be claimed, and so put into a bundle, between undoing and locking."""


async def lock_attempts(tx: Tx, statement: str, pairs: Sequence[tuple[RunId, Token]]) -> Sequence[Row]:
    """Lock the rows of running attempts by that statement."""
    runs = [run for run, _ in pairs]
    rows = await tx.all(statement, ids=runs)
    # Most attempts have rows already, so bundles are undone only for the others.
    if len(rows) < len(set(runs)):
        await tx.run("unbundle_under", tokens=sorted({token for _, token in pairs}))
        # Also if there was nothing to undo: another transaction may have undone it since the first look.
        rows = await tx.all(statement, ids=runs)
    return rows


async def lock_live(tx: Tx, namespace: str, runs: Sequence[RunId]) -> Sequence[Row]:
    """Lock the rows of live runs; bundles before rows, the order in which whole bundles are settled."""
    rows: Sequence[Row] = []
    for _ in range(LOOKS):
        await tx.run("unbundle_of", ids=runs)
        rows = await tx.all("lock_live", ids=runs, namespace=namespace)
        if len(rows) == len(runs):
            break
    return rows
