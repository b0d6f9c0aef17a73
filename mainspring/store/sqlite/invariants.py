"""Whether a SQLite store is what it always has to be."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from mainspring.domain.bulk.backfill import is_neglected
from mainspring.domain.bulk.operation import is_stuck
from mainspring.domain.cluster.invariants import EXAMPLES, GRACE, HOLDS, INVARIANTS, LOOK, Violation
from mainspring.domain.ids import first_at, id_text
from mainspring.store.acts.backfills import BackfillActs
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import array
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days, day_of
from mainspring.store.sqlite.review import outside_years, unreadable
from mainspring.store.sqlite.rows import micros
from mainspring.store.sqlite.sweeps import SqliteSweeps

SWEEPS_MAX = 100
BY_DAY = ("past_state", "one_place")
ELSEWHERE = ("sweeps", "backfills", "days", "readable", "years")


class SqliteInvariants:
    """See `store/interface/` for what each method promises."""

    def __init__(
        self,
        connection: Connection,
        queries: Queries,
        days: Days,
        sweeps: SqliteSweeps,
        backfills: BackfillActs,
    ) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days
        self._sweeps = sweeps
        self._backfills = backfills

    async def violations(self, *, now: datetime, grace: timedelta = GRACE, look: int = LOOK) -> list[Violation]:
        before, days = now - grace, await self._days.known()
        parameters = {
            "before": micros(before),
            "first": first_at(before),
            "look": look,
            "examples": EXAMPLES,
            "holds": array(HOLDS),
        }
        found = await self._connection.read(lambda c: ask_all(c, self._sql, days, parameters))
        live = await self._sweeps.live(limit=SWEEPS_MAX)
        found["sweeps"] = [id_text(one.id) for one in live if is_stuck(one, before)]
        waiting = await self._backfills.live(limit=SWEEPS_MAX)
        found["backfills"] = [id_text(one.id) for one in waiting if is_neglected(one, before)]
        wanted = [day_of(now + timedelta(days=ahead)) for ahead in (0, 1)]
        found["days"] = [f"history_{day}" for day in wanted if day not in days]
        unread = await self._connection.read(lambda c: unreadable(c, self._sql, days, look))
        found["readable"] = [*unread, *map(str, self._sql.aside.passed_over(now))][:EXAMPLES]
        found["years"] = await self._connection.read(lambda c: outside_years(c, self._sql, look))
        return [Violation(name, tuple(found[name])) for name in INVARIANTS if found[name]]


def ask_all(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], parameters: dict[str, object]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in INVARIANTS:
        if name in ELSEWHERE:
            continue
        for day in days if name in BY_DAY else [""]:
            rows = c.execute(sql[f"violated_{name}"].format(day=day), parameters)
            found.setdefault(name, []).extend(shown(row["example"]) for row in rows)
        found.setdefault(name, [])
    return {name: examples[:EXAMPLES] for name, examples in found.items()}


def shown(example: str | bytes) -> str:
    return example if isinstance(example, str) else id_text(example)
