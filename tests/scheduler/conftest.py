"""A server's engine that ticks by hand, on each database."""

from collections.abc import AsyncIterator

import pytest

from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from tests.conftest import DATABASES
from tests.scheduler.scene import Scene


@pytest.fixture(params=DATABASES[:2])
def database(request: pytest.FixtureRequest) -> str:
    """Not through a pooler: all that may differ behind one is in the store, whose own tests go through it."""
    name: str = request.param
    return name


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()
