"""A scene of real processes, and a migrated PostgreSQL database to play it on."""

from collections.abc import AsyncIterator

import pytest

from tests.acceptance.scene import Scene, scene
from tests.support.postgres import Postgres

__all__ = ["database_url", "scene"]


@pytest.fixture
async def database_url(postgres: Postgres, scene: Scene) -> AsyncIterator[str]:
    """A database with the schema, and nothing in it; the processes that use it end before it does."""
    url = await postgres.create_migrated()
    yield url
    scene.close()
    await postgres.drop_database(url)
