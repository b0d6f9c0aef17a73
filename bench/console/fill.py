"""Millions of settled runs and of triggers by bulk statements, as copies of real ones."""

import asyncio
import os
import sqlite3
from pathlib import Path

import asyncpg

DAYS = 28
DAY = 86_400_000_000
SPREAD = "(n * 2654435761) % 1000003"
"""A number for each row that looks like chance, and is the same in each round."""
RUNS_SQLITE = """
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count - 1),
made AS (SELECT n, :start + n * (:day / :count) AS at FROM numbers)
INSERT INTO history_{day} ({columns})
SELECT {values} FROM made AS m CROSS JOIN (SELECT * FROM history_{model} LIMIT 1) AS r
"""
TRIGGERS_SQLITE = """
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
INSERT INTO triggers ({columns}) SELECT {values} FROM numbers CROSS JOIN (SELECT * FROM triggers LIMIT 1) AS t
"""
RUNS_POSTGRES = """
INSERT INTO mainspring.history ({columns})
SELECT {values}
FROM (
  SELECT n, now() - interval '28 days' + n * (interval '28 days' / {count}) AS at FROM generate_series(1, {count}) AS n
) AS m
CROSS JOIN (SELECT * FROM mainspring.history LIMIT 1) AS r
"""
TRIGGERS_POSTGRES = """
INSERT INTO mainspring.triggers ({columns})
SELECT {values} FROM generate_series(1, {count}) AS n CROSS JOIN (SELECT * FROM mainspring.triggers LIMIT 1) AS t
"""


def fill_sqlite(path: Path, runs: int, triggers: int) -> None:
    """One transaction; the notes for roll-ups are left out, since these runs ended long ago."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.create_function(
        "random_id", 1, lambda at: (at // 1000 << 16 | 0x7000).to_bytes(8, "big") + os.urandom(8)
    )
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE name GLOB 'history_2*' AND type = 'table' ORDER BY name"
    )
    days = [name.removeprefix("history_") for (name,) in names]
    model = next(day for day in days if connection.execute(f"SELECT 1 FROM history_{day} LIMIT 1").fetchone())
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info(history_{model})")]
    notes = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (f"history_{model}",)
    ).fetchall()
    instants = {"created_at": "m.at", "due_at": "m.at", "started_at": "m.at", "finished_at": "m.at + 1000"}
    others = {"id": "random_id(m.at)", "state": f"CASE WHEN {SPREAD} % 100 = 0 THEN 4 ELSE 3 END", "key": "NULL"}
    values = [{**instants, **others}.get(column, f"r.{column}") for column in columns]
    (newest,) = connection.execute(f"SELECT max(finished_at) FROM history_{model}").fetchone()
    statement = RUNS_SQLITE.format(day=model, model=model, columns=", ".join(columns), values=", ".join(values))
    connection.execute("BEGIN IMMEDIATE")
    for name, _sql in notes:
        connection.execute(f"DROP TRIGGER {name}")
    # All in one day: the largest table that a page can meet; days before it are smaller ones.
    connection.execute(statement, {"count": runs, "start": newest - newest % DAY, "day": newest % DAY})
    for _name, sql in notes:
        connection.execute(sql)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(triggers)") if row[1] != "id"]
    replaced = {"name": "'made-' || n", "next_due": "t.next_due + n * 1000", "act_at": "t.act_at + n * 1000"}
    values = [replaced.get(column, f"t.{column}") for column in columns]
    connection.execute(
        TRIGGERS_SQLITE.format(columns=", ".join(columns), values=", ".join(values)), {"count": triggers}
    )
    connection.execute("COMMIT")
    connection.execute("ANALYZE")
    connection.close()


def fill_postgres(url: str, runs: int, triggers: int) -> None:
    asyncio.run(fill_tables(url, runs, triggers))


async def fill_tables(url: str, runs: int, triggers: int) -> None:
    connection = await asyncpg.connect(url, command_timeout=None)
    for back in range(DAYS + 1):
        day = await connection.fetchval("SELECT (now() AT TIME ZONE 'UTC')::date - $1::int", back)
        await connection.execute(
            f"CREATE TABLE IF NOT EXISTS mainspring.history_{day:%Y%m%d} PARTITION OF mainspring.history "
            f"FOR VALUES FROM ('{day} 00:00+00') TO ('{day + day.resolution} 00:00+00')"
        )
    made = (
        "encode(int8send(((floor(extract(epoch FROM m.at) * 1000)::bigint) << 16) | 28672 | (m.n % 4096))"
        " || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid"
    )
    instants = dict.fromkeys(("created_at", "due_at", "started_at", "finished_at", "first_started_at"), "m.at")
    others = {"id": made, "state": "CASE WHEN m.n % 100 = 0 THEN 4 ELSE 3 END", "key": "NULL"}
    await copy_rows(connection, "history", "r", RUNS_POSTGRES, {**instants, **others}, runs)
    due = {
        "name": "'made-' || n",
        "next_due": "t.next_due + n * interval '1 ms'",
        "act_at": "t.act_at + n * interval '1 ms'",
    }
    await copy_rows(connection, "triggers", "t", TRIGGERS_POSTGRES, due, triggers)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


async def copy_rows(
    connection: "asyncpg.Connection[asyncpg.Record]",
    table: str,
    letter: str,
    statement: str,
    replaced: dict[str, str],
    count: int,
) -> None:
    rows = await connection.fetch(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'mainspring' AND table_name = $1"
        " AND NOT (table_name = 'triggers' AND column_name = 'id') ORDER BY ordinal_position",
        table,
    )
    columns = [row["column_name"] for row in rows]
    values = ", ".join(replaced.get(column, f"{letter}.{column}") for column in columns)
    await connection.execute(statement.format(columns=", ".join(columns), values=values, count=count))
