"""History, attempts and logs, one table a day, so that pruning is dropping."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from mainspring.domain.ids import born_at_millis
from mainspring.store.sql import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant

SKEW_MAX = timedelta(minutes=5)
"""How far a run id's instant and a server's clock may disagree."""

KINDS = ("history", "attempts", "logs")
DETAILS = ("host TEXT", "code_version TEXT", "code TEXT", "duration INTEGER", "beside TEXT")
"""What attempts have besides since there are codes; added in the order in which a new table has them."""
VIEW_MAX = 450
"""SQLite merges at most 500 tables in one query; days beyond are kept, but no longer listed."""


class DayTables:
    """Which days have tables. Kept in memory, as committed transactions have reported them."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries
        self._known: list[str] | None = None

    async def known(self) -> list[str]:
        """All days; the views exist from here on, those over days only if there is one."""
        if self._known is None:
            await self.add([])
        return self._known or []

    async def at(self, now: datetime) -> str:
        """The day of an instant; its tables exist from here on."""
        day = day_of(now)
        if day not in await self.known():
            await self.add([day])
        return day

    async def since(self, runs: Sequence[bytes], *, until: datetime | None = None) -> list[str]:
        """The days on which something about these runs may be found, up to an instant if one is given."""
        days = days_since(await self.known(), runs)
        return days if until is None else [day for day in days if day <= day_of(until + SKEW_MAX)]

    async def add(self, days: Sequence[str]) -> None:
        self._known = await self._connection.write(lambda connection: add_days(connection, self._sql, days))

    async def drop(self, *, before: datetime) -> list[str]:
        """Drop the tables of days that were over before that instant; return their names."""
        first_kept = day_of(before)
        self._known, dropped = await self._connection.write(
            lambda connection: drop_days(connection, self._sql, first_kept)
        )
        return dropped


def day_of(instant: datetime) -> str:
    return f"{instant:%Y%m%d}"


def days_since(days: Sequence[str], runs: Sequence[bytes]) -> list[str]:
    """Those of the days on which something about these runs may be found."""
    first = day_of(instant(born_at_millis(min(runs)) * 1000) - SKEW_MAX)
    return [day for day in days if day >= first]


def known_days(connection: sqlite3.Connection, sql: Queries) -> list[str]:
    return [row["name"].removeprefix("history_") for row in connection.execute(sql.partitions)]


def add_days(connection: sqlite3.Connection, sql: Queries, days: Sequence[str]) -> list[str]:
    known = known_days(connection, sql)
    mended = mend_days(connection, sql)
    missing = [day for day in days if day not in known]
    for day in missing:
        for query in (
            sql.add_history_day,
            sql.add_history_day_index,
            sql.add_history_day_note,
            sql.add_attempts_day,
            sql.add_logs_day,
            sql.add_logs_day_index,
        ):
            connection.execute(query.format(day=day))
    return with_views(connection, sql, sorted({*known, *missing})) if missing or mended or not known else known


def mend_days(connection: sqlite3.Connection, sql: Queries) -> bool:
    """Bring tables that an earlier version made to today's columns; no migration can name them."""
    dated = [row["name"] for row in connection.execute(sql.dated_days)]
    for table in dated:
        for query in (sql.add_deadline, sql.add_extra, sql.add_history_day_index):
            connection.execute(query.format(table=table, day=table.removeprefix("history_")))
    bare = [row["name"] for row in connection.execute(sql.bare_days)]
    for table in bare:
        for column in DETAILS:
            connection.execute(sql.add_detail.format(table=table, column=column))
    return bool(dated or bare)


def drop_days(connection: sqlite3.Connection, sql: Queries, first_kept: str) -> tuple[list[str], list[str]]:
    known = known_days(connection, sql)
    dropped = [f"{kind}_{day}" for day in known if day < first_kept for kind in KINDS]
    if not dropped:
        return known, []
    drop_views(connection)
    for table in dropped:
        connection.execute(f"DROP TABLE {table}")
    return with_views(connection, sql, [day for day in known if day >= first_kept]), dropped


def with_views(connection: sqlite3.Connection, sql: Queries, days: list[str]) -> list[str]:
    """Make the views over these days anew."""
    drop_views(connection)
    shown = days[-VIEW_MAX:]
    arms = {kind: [sql.everything.format(table=f"{kind}_{day}") for day in shown] for kind in ("attempts", "logs")}
    # Column by column: days that were mended have some of them in another place.
    arms["history"] = [sql.history_day_as_run.format(day=day) for day in shown]
    arms["all_runs"] = [sql.live_as_run, *arms["history"]]
    for view, selects in arms.items():
        if selects:
            connection.execute(f"CREATE VIEW {view} AS {' UNION ALL '.join(selects)}")
    return days


def drop_views(connection: sqlite3.Connection) -> None:
    for view in (*KINDS, "all_runs"):
        connection.execute(f"DROP VIEW IF EXISTS {view}")
