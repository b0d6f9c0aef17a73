"""The role that owns the database may have any name, also that of the schema, as the docs have it."""

import asyncpg
import pytest

from mainspring.store import open_store
from tests.support.postgres import Postgres, name_of

pytestmark = pytest.mark.postgres

ROLE = "mainspring"
MAKE_ROLE = f"""
DO $$ BEGIN CREATE ROLE {ROLE} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$
"""


async def test_a_role_called_as_the_schema_can_migrate(postgres: Postgres, postgres_url: str) -> None:
    name = name_of(postgres_url)
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(MAKE_ROLE)
    await connection.execute(f'ALTER DATABASE "{name}" OWNER TO {ROLE}')
    await connection.close()
    store = await open_store(postgres_url.replace("//postgres@", f"//{ROLE}@"))
    try:
        first, second = await store.migrate(), await store.migrate()
        await store.check_schema()
    finally:
        await store.close()

    assert len(first) > 1
    assert second == []
