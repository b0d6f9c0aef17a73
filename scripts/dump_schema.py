"""Write the schema.sql of each database: what all its migrations make together, to be read and compared."""

import asyncio
import re
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import mainspring.store
from mainspring.store import open_store
from tests.support.postgres import Postgres, find_binaries, start_postgres

STORE = Path(mainspring.store.__file__).parent
HEAD = "-- What the migrations make together; rebuilt by `make schema`, never edited.\n\n"

SESSION_ONLY = re.compile(r"^(--.*|SET .*|SELECT pg_catalog\.set_config.*|\\(un)?restrict.*)\n", re.MULTILINE)
"""Lines of a dump that differ between versions of PostgreSQL and say nothing about the schema."""


async def migrate(url: str) -> None:
    store = await open_store(url)
    try:
        await store.migrate()
    finally:
        await store.close()


async def sqlite_schema() -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "schema.db"
        await migrate(f"sqlite:///{file}")
        with closing(sqlite3.connect(file)) as connection:
            rows = connection.execute(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
            ).fetchall()
    return HEAD + "\n\n".join(f"{sql};" for (sql,) in rows) + "\n"


async def postgres_schema(server: Postgres) -> str:
    url = await server.create_migrated()
    command = [str(find_binaries() / "pg_dump"), "--schema-only", "--no-owner", "--no-privileges", "--dbname", url]
    try:
        dump = await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True, text=True)
    finally:
        await server.drop_database(url)
    return HEAD + tidy(dump.stdout)


def tidy(dump: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", SESSION_ONLY.sub("", dump)).strip() + "\n"


async def main() -> None:
    (STORE / "sqlite" / "schema.sql").write_text(await sqlite_schema())
    server, cluster = start_postgres()
    try:
        (STORE / "postgres" / "schema.sql").write_text(await postgres_schema(server))
    finally:
        if cluster is not None:
            cluster.stop()


if __name__ == "__main__":
    asyncio.run(main())
