"""Looks at a PostgreSQL as an operator would."""

import msgspec

from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.errors import SchemaError
from mainspring.store.facts import facts_row
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.store import PostgresStore
from mainspring.store.postgres.tx import load_queries


async def look(url: str) -> StoreFacts:
    """Raises StoreUnavailableError if it cannot be reached."""
    store = await PostgresStore.open(url, listen_url="off", pool_size=1)
    database = Database(url, size=1, application="mainspring doctor")
    try:
        sql = load_queries()
        [found] = await database.fetch(sql.facts)
        now, trouble = await store.clock(), await misfit(store)
        facts = msgspec.structs.replace(facts_row(found), now=now)
        if trouble:
            return msgspec.structs.replace(facts, schema=trouble)
        seals = tuple(row["seal"] for row in await database.fetch(sql.list_seals))
        return msgspec.structs.replace(facts, seals=seals, watch=await store.cluster.watch(now=now))
    finally:
        await database.close()
        await store.close()


async def misfit(store: PostgresStore) -> str:
    try:
        await store.check_schema()
    except SchemaError as error:
        return str(error)
    return ""
