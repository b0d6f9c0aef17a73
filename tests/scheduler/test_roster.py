"""What a server knows of jobs: a caller that asks for a read gets one that began after the question."""

import asyncio
from typing import Any

import pytest

from mainspring.errors import StoreUnavailableError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import Facts
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from tests.factories import job_spec
from tests.scheduler.scene import NAMESPACE, Scene
from tests.support.processes import eventually


class AwayOnce:
    """Jobs of a store that cannot be reached for the first call."""

    def __init__(self, jobs: Any) -> None:
        self._jobs = jobs
        self._away = True

    async def all(self) -> Any:
        if self._away:
            self._away = False
            raise StoreUnavailableError("away")
        return await self._jobs.all()

    def __getattr__(self, method: str) -> Any:
        return getattr(self._jobs, method)


async def test_a_read_that_failed_does_not_count_as_a_recent_one(store: Store, clock: FakeClock) -> None:
    scene = Scene(store, clock)
    await scene.start()
    await scene.attach()
    await scene.stop()
    store.jobs = AwayOnce(store.jobs)
    catalog = Catalog(store, clock, Facts(), period=1.0)
    with pytest.raises(StoreUnavailableError):
        await catalog.refresh()
    await catalog.refresh()

    assert [name for place, name in catalog.jobs if place == NAMESPACE] != []


async def test_what_another_server_was_told_a_moment_ago_is_known_after_a_refresh(
    store: Store, clock: FakeClock
) -> None:
    here, elsewhere = (Catalog(store, clock, Facts(), period=1.0) for _ in range(2))
    await here.refresh()
    clock.advance(0.01)
    await elsewhere.register(NAMESPACE, [job_spec("news")])
    asking = [asyncio.ensure_future(here.refresh()) for _ in range(3)]
    await eventually(clock.jump, "a caller waits for the next read")
    await asyncio.gather(*asking)

    assert (NAMESPACE, "news") in here.jobs
    assert clock.monotonic() == pytest.approx(0.1)
    assert not clock.jump()
