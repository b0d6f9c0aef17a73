"""Finished runs, counted by minute and by hour, on PostgreSQL: read from history by time, behind a mark that moves on."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.queues.rollup import EDGES, Rollup, Spread, Step, coarser, floor, merge, single
from mainspring.domain.runs.run import RunState
from mainspring.domain.years import FIRST
from mainspring.store.postgres.connection import Database
from mainspring.store.sql import Queries

BACKWARDS = timedelta(days=7)
"""How much history the very first roll-up goes back to."""

read_counts = msgspec.json.Decoder(tuple[int, ...]).decode


AHEAD_MAX = timedelta(days=366)
KEY = ("at", "line", "job", "state")


class PostgresRollups:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def roll_up(self, *, until: datetime, span: timedelta) -> datetime | None:
        async def work(connection: "asyncpg.Connection[Any]") -> datetime | None:
            held = await connection.fetch(self._sql["hold_rolled"])
            if not held:
                return None
            since: datetime = held[0]["until"] or floor(until - BACKWARDS, Step.HOUR)
            if since > until + AHEAD_MAX or since < FIRST + AHEAD_MAX:
                # No clock was ever so wrong: the mark is damaged, and would stop the counting for good.
                self._sql.aside.pass_over("rolled", "1", ValueError(f"until is {since}"), until)
                since = floor(until, Step.HOUR)
            end = min(until, since + span)
            if end <= since:
                return since
            await connection.fetchval(self._sql["summarize"], f"{end:%Y%m%d}")
            rows = await connection.fetch(self._sql["finished_runs"], since, end, EDGES)
            minutes = merge(map(finished_row, rows))
            await self._add(connection, Step.MINUTE, minutes)
            await self._add(connection, Step.HOUR, coarser(minutes, Step.HOUR))
            await connection.execute(self._sql["move_rolled"], end)
            return end

        return await self._database.transaction(work)

    async def rolled_until(self) -> datetime | None:
        until: datetime | None = await self._database.fetchval(self._sql["rolled_until"])
        return until

    async def read(
        self, step: Step, *, lines: Sequence[int], since: datetime, until: datetime, job: int | None = None
    ) -> list[Rollup]:
        rows = await self._database.fetch(self._sql["read_rollups"], int(step), lines, since, until, job)
        return self._sql.aside.read("rollups", rows, rollup_row, *KEY)

    async def prune(self, step: Step, *, before: datetime) -> int:
        return await self._database.execute(self._sql["prune_rollups"], int(step), before)

    async def _add(self, connection: "asyncpg.Connection[Any]", step: Step, new: Sequence[Rollup]) -> None:
        """Add to what is there; whoever does holds the mark, so nobody else does at the same time."""
        if not new:
            return
        times = sorted({one.at for one in new})
        touched = {one.key for one in new}
        found = await connection.fetch(self._sql["rollups_at"], int(step), times)
        rows = self._sql.aside.read("rollups", found, rollup_row, *KEY)
        whole = merge([*(row for row in rows if row.key in touched), *new])
        await connection.execute(
            self._sql["put_rollups"],
            int(step),
            [one.at for one in whole],
            [one.line for one in whole],
            [one.job for one in whole],
            [int(one.state) for one in whole],
            [one.runs for one in whole],
            [one.wait.sum for one in whole],
            [one.wait.max for one in whole],
            [one.duration.sum for one in whole],
            [one.duration.max for one in whole],
            [msgspec.json.encode(one.wait.counts) for one in whole],
            [msgspec.json.encode(one.duration.counts) for one in whole],
        )


def finished_row(row: asyncpg.Record) -> Rollup:
    return Rollup(
        at=row["o_minute"],
        line=row["o_line"],
        job=row["o_job"],
        state=RunState(row["o_state"]),
        runs=row["o_runs"],
        wait=single(row["o_wait_sum"], row["o_wait"], row["o_runs"], row["o_wait_max"]),
        duration=single(row["o_duration_sum"], row["o_duration"], row["o_runs"], row["o_duration_max"]),
    )


def rollup_row(row: asyncpg.Record) -> Rollup:
    return Rollup(
        at=row["at"],
        line=row["line"],
        job=row["job"],
        state=RunState(row["state"]),
        runs=row["runs"],
        wait=Spread(row["wait_sum"], row["wait_max"], read_counts(row["waits"])),
        duration=Spread(row["duration_sum"], row["duration_max"], read_counts(row["durations"])),
    )
