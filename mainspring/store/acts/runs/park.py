"""Runs that wait for a breaker which their handlers found open."""

from collections.abc import Mapping
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import Parking
from mainspring.store.tx import Tx

Parked = tuple[str, str]
"""Namespace and name of a breaker that runs wait for."""


async def note_parkings(tx: Tx, parkings: Mapping[RunId, Parking]) -> None:
    """Note the breakers that these runs wait for, whose rows are locked."""
    if parkings:
        rows = [
            {"run": run, "breaker": one.breaker, "epoch": one.epoch, "until": one.until}
            for run, one in sorted(parkings.items())
        ]
        await tx.run("note_parkings", rows=rows)


async def unpark(
    tx: Tx, place: Parked, *, epoch: int | None, now: datetime, limit: int, held: bool
) -> dict[RunId, int]:
    """Put parked runs back into their lines, those that have waited longest first; return these."""
    namespace, breaker = place
    rows = await tx.all(
        "lock_parked", namespace=namespace, breaker=breaker, epoch=epoch or 0, held=held, now=now, limit=limit
    )
    runs = [RunId(row["run"]) for row in rows]
    return {row["id"]: row["line"] for row in await tx.all("unpark", ids=runs)} if runs else {}
