"""Queues on their first use: as many of them in one call cost as many trips to the database as one."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.triggers.spec import Every, TriggerSpec
from mainspring.store.postgres.connection import Database
from mainspring.store.sqlite.connection import Threaded
from tests.scheduler.scene import NAMESPACE, Scene


class Trips:
    """Counts what is asked of the database."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        for kind, name in ((Database, "run"), (Threaded, "write"), (Threaded, "read")):
            monkeypatch.setattr(kind, name, self._counted(getattr(kind, name)))

    def _counted(self, plain: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def counted(*arguments: Any) -> Any:
            self.count += 1
            return await plain(*arguments)

        return counted

    async def of(self, work: Awaitable[Any]) -> int:
        before = self.count
        await work
        return self.count - before


def requests(prefix: str, count: int) -> list[RunRequest]:
    return [RunRequest(job="report", queue=f"{prefix}-{number}") for number in range(count)]


async def test_two_hundred_new_queues_in_one_call_take_no_more_trips_than_one(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scene.attach()
    trips = Trips(monkeypatch)

    one = await trips.of(scene.accept(*requests("one", 1)))
    many = await trips.of(scene.accept(*requests("many", 200)))
    known = await trips.of(scene.accept(*requests("many", 200)))
    assert many == one
    assert many - known <= 3


async def test_triggers_into_two_hundred_new_queues_take_no_more_trips_than_one(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scene.attach()
    trips = Trips(monkeypatch)
    checks = scene.scheduler.applying._checks

    def specs(prefix: str, count: int) -> list[TriggerSpec]:
        return [
            TriggerSpec(name=f"{prefix}-{number}", job="report", queue=f"{prefix}-{number}", when=Every(every=60))
            for number in range(count)
        ]

    one = await trips.of(checks.check(NAMESPACE, specs("one", 1)))
    assert await trips.of(checks.check(NAMESPACE, specs("many", 200))) == one


async def test_a_refused_call_makes_none_of_its_queues(scene: Scene) -> None:
    await scene.attach()
    refused = [*requests("lost", 3), RunRequest(job="report", priority=99)]
    with pytest.raises(Exception, match="priority"):
        await scene.accept(*refused)

    assert not any(line.queue.startswith("lost") for line in (await scene.store.jobs.all_lines()).values())
