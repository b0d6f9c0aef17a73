"""Looks at a PostgreSQL as an operator would."""

from mainspring.errors import SchemaError
from mainspring.store.database_facts import StoreFacts
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.store import PostgresStore
from mainspring.store.postgres.tx import load_queries

SETTINGS = ("max_connections", "synchronous_commit", "fsync", "full_page_writes", "autovacuum")


async def look(url: str) -> StoreFacts:
    """Raises StoreUnavailableError if it cannot be reached."""
    store = await PostgresStore.open(url, listen_url="off", pool_size=1)
    database = Database(url, size=1, application="mainspring doctor")
    try:
        sql = load_queries()
        [found] = await database.fetch(sql.facts)
        trouble, now = await misfit(store), await store.clock()
        seals = [] if trouble else await database.fetch(sql.list_seals)
        return StoreFacts(
            product="PostgreSQL",
            version=divmod(found["version"], 10_000),
            schema=trouble,
            seals=tuple(row["seal"] for row in seals),
            size=found["size"],
            settings={name: found[name] for name in SETTINGS},
            connections=found["connections"],
            now=now,
            watch=None if trouble else await store.cluster.watch(now=now),
        )
    finally:
        await database.close()
        await store.close()


async def misfit(store: PostgresStore) -> str:
    try:
        await store.check_schema()
    except SchemaError as error:
        return str(error)
    return ""
