"""Roll-ups: finished runs, counted by minute and by hour."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.queues.rollup import Resolution, Rolled, Rollup, Spread, coarser, merge, single
from mainspring.domain.runs.run import RunState
from mainspring.store.tx import Acts, Blob, Row, Transactions, Tx, reads, writes_once

RollUp = Callable[[Transactions, datetime, timedelta], Awaitable[Rolled | None]]
"""Counts finished runs in the way of one database: see `Queues.roll_up`."""
KEY = ("at", "line", "job", "state")

read_counts = msgspec.json.Decoder(tuple[int, ...]).decode


class RollupActs(Acts):
    """The contracts are in `store/interface/queues.py`."""

    def __init__(self, transactions: Transactions, roll_up: RollUp) -> None:
        super().__init__(transactions)
        self._roll_up = roll_up

    async def roll_up(self, *, until: datetime, span: timedelta) -> Rolled | None:
        return await self._roll_up(self.transactions, until, span)

    @reads
    async def rolled_until(self, tx: Tx) -> datetime | None:
        row = await tx.one("rolled_until")
        return None if row is None else row["until"]

    @reads
    async def rollups(
        self,
        tx: Tx,
        step: Resolution,
        *,
        lines: Sequence[int],
        since: datetime,
        until: datetime,
        job: int | None = None,
    ) -> list[Rollup]:
        rows = await tx.all("read_rollups", step=int(step), lines=lines, since=since, until=until, job=job)
        return tx.aside.read("rollups", rows, rollup_row, *KEY)

    @writes_once
    async def prune_rollups(self, tx: Tx, step: Resolution, *, before: datetime) -> int:
        return await tx.run("prune_rollups", step=int(step), before=before)


async def add_rollups(tx: Tx, minutes: Sequence[Rollup], *, until: datetime) -> None:
    """Add the counts of minutes, and note that everything is counted up to that instant."""
    # The caller holds the lock of that note, so no other server adds at the same time.
    await put_rollups(tx, Resolution.MINUTE, minutes)
    await put_rollups(tx, Resolution.HOUR, coarser(minutes, Resolution.HOUR))
    await tx.run("move_rolled", until=until)
    await tx.batch("mark_job", marks_of(minutes))


def marks_of(minutes: Sequence[Rollup]) -> list[dict[str, object]]:
    """For each job, the last minutes in which runs of it ended well and badly."""
    last: dict[tuple[int, RunState], datetime] = {}
    for one in minutes:
        last[one.job, one.state] = max(one.at, last.get((one.job, one.state), one.at))
    return [
        {
            "job": job,
            "succeeded_at": last.get((job, RunState.SUCCEEDED)),
            "failed_at": last.get((job, RunState.FAILED)),
        }
        for job in sorted({job for job, _ in last})
    ]


async def put_rollups(tx: Tx, step: Resolution, new: Sequence[Rollup]) -> None:
    if not new:
        return
    found = await tx.all("rollups_at", step=int(step), times=sorted({one.at for one in new}))
    touched = {one.key for one in new}
    stored = [one for one in tx.aside.read("rollups", found, rollup_row, *KEY) if one.key in touched]
    await tx.run("put_rollups", step=int(step), rows=[columns(one) for one in merge([*stored, *new])])


def columns(one: Rollup) -> dict[str, object]:
    return {
        "at": one.at,
        "line": one.line,
        "job": one.job,
        "state": int(one.state),
        "runs": one.runs,
        "wait_sum": one.wait.sum,
        "wait_max": one.wait.max,
        "duration_sum": one.duration.sum,
        "duration_max": one.duration.max,
        "waits": Blob(msgspec.json.encode(one.wait.counts)),
        "durations": Blob(msgspec.json.encode(one.duration.counts)),
    }


def rollup_row(row: Row) -> Rollup:
    waits = Spread(row["wait_sum"], row["wait_max"], read_counts(row["waits"]))
    durations = Spread(row["duration_sum"], row["duration_max"], read_counts(row["durations"]))
    return made(row, waits, durations)


def finished_row(row: Row) -> Rollup:
    """Runs that finished in one minute, and whose times fall into the same buckets."""
    waits = single(row["wait_sum"], row["wait_bucket"], row["runs"], row["wait_max"])
    return made(row, waits, single(row["duration_sum"], row["duration_bucket"], row["runs"], row["duration_max"]))


def made(row: Row, wait: Spread, duration: Spread) -> Rollup:
    return Rollup(
        at=row["at"],
        line=row["line"],
        job=row["job"],
        state=RunState(row["state"]),
        runs=row["runs"],
        wait=wait,
        duration=duration,
    )
