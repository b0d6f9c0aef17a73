"""Whether a PostgreSQL store is what it always has to be."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import asyncpg

from mainspring.domain.bulk.backfill import is_neglected
from mainspring.domain.bulk.operation import is_stuck
from mainspring.domain.cluster.invariants import EXAMPLES, GRACE, HOLDS, INVARIANTS, LOOK, Violation
from mainspring.domain.ids import first_at, id_text
from mainspring.store.acts.backfills import BackfillActs
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.review import outside_years, unreadable
from mainspring.store.postgres.sweeps import PostgresSweeps
from mainspring.store.sql import Queries

SWEEPS_MAX = 100


class PostgresInvariants:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries, sweeps: PostgresSweeps, backfills: BackfillActs) -> None:
        self._database = database
        self._sql = queries
        self._sweeps = sweeps
        self._backfills = backfills

    async def violations(self, *, now: datetime, grace: timedelta = GRACE, look: int = LOOK) -> list[Violation]:
        before = now - grace

        async def read(connection: "asyncpg.Connection[Any]") -> dict[str, Sequence[str]]:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                await connection.execute(self._sql["pin_plans"])
                return {
                    name: [row["example"] for row in await connection.fetch(self._sql[f"violated_{name}"], *values)]
                    for name, values in self._questions(before, look).items()
                }

        found = await self._database.run(read)
        found["sweeps"] = [
            id_text(one.id) for one in await self._sweeps.live(limit=SWEEPS_MAX) if is_stuck(one, before)
        ]
        waiting = await self._backfills.live(limit=SWEEPS_MAX)
        found["backfills"] = [id_text(one.id) for one in waiting if is_neglected(one, before)]
        found["days"] = await self._missing_days(now)
        found["readable"], found["years"] = await self._database.run(lambda connection: self._review(connection, look))
        found["readable"] = [*found["readable"], *map(str, self._sql.aside.passed_over(now))][:EXAMPLES]
        return [Violation(name, tuple(found[name])) for name in INVARIANTS if found[name]]

    def _questions(self, before: datetime, look: int) -> dict[str, tuple[object, ...]]:
        """Each with what it is asked with."""
        by_look = ("live_state", "past_state", "one_place", "owner", "owner_known", "owner_open", "dead_letters")
        return {
            **dict.fromkeys(by_look, (EXAMPLES, look)),
            **dict.fromkeys(("reclaimed", "leases", "keys"), (EXAMPLES, look, before)),
            **dict.fromkeys(("deadlines", "roll_up", "moves"), (EXAMPLES, before)),
            "fires": (EXAMPLES, look, before, before - timedelta(days=1)),
            "acts": (EXAMPLES,),
            "hold": (EXAMPLES, look, list(HOLDS)),
            "marks": (EXAMPLES, look, first_at(before)),
        }

    async def _review(self, connection: "asyncpg.Connection[Any]", look: int) -> tuple[list[str], list[str]]:
        return await unreadable(connection, self._sql, look), await outside_years(connection, self._sql, look)

    async def _missing_days(self, now: datetime) -> list[str]:
        rows = await self._database.fetch(self._sql["partitions"], ["history"])
        present = {row["name"] for row in rows}
        wanted = [f"history_{now + timedelta(days=ahead):%Y%m%d}" for ahead in (0, 1)]
        return [name for name in wanted if name not in present]
