"""Checkpoints: the steps, effects and state that runs keep from attempt to attempt."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.runs.checkpoints import Kept, Memory, MemoryKind, Pair, Recollection, is_full, overfull
from mainspring.store.acts.runs.locks import lock_attempts
from mainspring.store.tx import Acts, Blob, Row, Tx, reads, writes


class CheckpointActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes
    async def save_checkpoints(self, tx: Tx, checkpoints: Sequence[Memory], *, now: datetime) -> Kept:
        # A statement may not touch a row twice: the last entry on each counts.
        last = list({(one.pair, one.kind, one.name): one for one in checkpoints}.values())
        if not last:
            return Kept(set(), set())
        rows = await lock_attempts(tx, "lock_owned", [one.pair for one in last])
        attempts: dict[Pair, int] = {(row["id"], row["token"]): row["attempt"] for row in rows}
        owned = [one for one in last if one.pair in attempts]
        full = await full_runs(tx, owned)
        kept = [one for one in owned if one.run not in full]
        if kept:
            await tx.run("save_checkpoints", rows=[stored(one, attempts[one.pair]) for one in kept], now=now)
        stale = {one.pair for one in last if one.pair not in attempts}
        return Kept(stale, {one.pair for one in owned if one.run in full})

    @reads
    async def load_checkpoints(self, tx: Tx, pairs: Sequence[Pair]) -> dict[Pair, list[Recollection]]:
        asked, runs = set(pairs), [run for run, _ in pairs]
        rows = await tx.all("owned_checkpoints", ids=runs)
        if not asked <= {(row["id"], row["token"]) for row in rows}:
            # An attempt that loads checkpoints will save some, so its run needs a row of its own anyway.
            await tx.run("unbundle_under", tokens=sorted({token for _, token in asked}))
            rows = await tx.all("owned_checkpoints", ids=runs)
        found: dict[Pair, list[Recollection]] = {}
        for row in rows:
            pair = (row["id"], row["token"])
            if pair in asked:
                some = [row] if row["kind"] is not None else []
                found.setdefault(pair, []).extend(tx.aside.read("memories", some, checkpoint_row, "name"))
        return found

    @reads
    async def checkpoints(self, tx: Tx, run: RunId) -> list[Recollection]:
        return tx.aside.read("memories", await tx.all("checkpoints", run=run), checkpoint_row, "name")


async def full_runs(tx: Tx, checkpoints: Sequence[Memory]) -> set[RunId]:
    """The runs, whose rows are locked, that would keep too many with these."""
    runs = list({one.run for one in checkpoints if one.kind})
    rows = await tx.all("count_checkpoints", ids=runs) if runs else []
    full: set[RunId] = set()
    for run in overfull(checkpoints, {row["run"]: row["known"] for row in rows}):
        known = await tx.all("checkpoint_names", run=run)
        if is_full(run, checkpoints, [(row["kind"], row["name"]) for row in known]):
            full.add(run)
    return full


def stored(checkpoint: Memory, attempt: int) -> dict[str, object]:
    return {
        "run": checkpoint.run,
        "kind": int(checkpoint.kind),
        "name": checkpoint.name,
        "attempt": attempt,
        "turn": checkpoint.turn,
        "value": Blob(checkpoint.value),
    }


def checkpoint_row(row: Row) -> Recollection:
    return Recollection(MemoryKind(row["kind"]), row["name"], row["value"], row["attempt"], row["at"])
