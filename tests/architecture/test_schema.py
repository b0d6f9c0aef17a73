"""The schema that people read is the one that the migrations make."""

import pytest

from scripts.dump_schema import STORE, postgres_schema, sqlite_schema
from tests.support.postgres import Postgres


async def test_the_written_schema_of_sqlite_is_what_its_migrations_make() -> None:
    assert (STORE / "sqlite" / "schema.sql").read_text() == await sqlite_schema(), "run: make schema"


@pytest.mark.postgres
async def test_the_written_schema_of_postgresql_is_what_its_migrations_make(postgres: Postgres) -> None:
    assert (STORE / "postgres" / "schema.sql").read_text() == await postgres_schema(postgres), "run: make schema"
