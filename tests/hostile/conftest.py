"""Lies meet both databases; a pooler in between would only make it slower."""

from collections.abc import AsyncIterator

import pytest

from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from tests.hostile.stage import Stage


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
async def stage(store: Store, clock: FakeClock) -> AsyncIterator[Stage]:
    made = Stage(store, clock)
    await made.begin()
    yield made
    await made.end()
