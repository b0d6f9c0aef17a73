"""A server's engine that ticks by hand, on each database."""

from collections.abc import AsyncIterator

import pytest

from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from tests.scheduler.scene import Scene


@pytest.fixture
async def scene(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()
