"""A scene on each database."""

import pytest

from mainspring.store.interface import Store
from tests.store.scene import Scene, set_scene


@pytest.fixture
async def scene(store: Store) -> Scene:
    return await set_scene(store)
