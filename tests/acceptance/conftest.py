"""A scene of real processes, and a migrated PostgreSQL database to play it on."""

from collections.abc import AsyncIterator

import pytest

from mainspring.testing.postgres import Postgres
from tests.acceptance.scene import scene

__all__ = ["database_url", "scene"]


@pytest.fixture
async def database_url(postgres: Postgres) -> AsyncIterator[str]:
    """A database with the schema, and nothing in it."""
    url = await postgres.create_migrated()
    yield url
    await postgres.drop_database(url)
