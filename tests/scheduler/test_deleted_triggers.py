"""The ledger of a trigger that is deleted stays readable as long as it is kept."""

from datetime import timedelta

import pytest

from mainspring.domain.triggers.spec import Cron, Overlap, TriggerSpec
from mainspring.errors import NotFoundError
from mainspring.scheduler.plans.apply_plan import Definitions
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA


async def overlapping(scene: Scene) -> None:
    """A trigger with a run under way, and an instant that waits for its end."""
    await scene.attach()
    spec = TriggerSpec(name="tick", job="report", when=Cron(expressions=("* * * * *",)), overlap=Overlap.QUEUE_ONE)
    await scene.scheduler.applying.apply(NAMESPACE, Definitions(owner="app", triggers=[spec]), actor=ANNA)
    for _ in range(2):
        scene.clock.advance(60)
        while await scene.scheduler.timing.firing.tick():
            pass
        await scene.dispatch()


async def told(scene: Scene) -> list[tuple[str, str]]:
    now = scene.clock.now()
    since = now - timedelta(hours=1)
    found = await scene.scheduler.triggers.instants(NAMESPACE, "tick", since=since, until=now + timedelta(1), limit=100)
    return [(f"{each.at:%H:%M}", each.reason or each.outcome) for each in found]


@pytest.mark.parametrize("way", ["by hand", "by its code"])
async def test_who_deletes_a_trigger_can_still_read_what_became_of_its_instants(scene: Scene, way: str) -> None:
    await overlapping(scene)
    if way == "by hand":
        await scene.scheduler.triggers.delete(NAMESPACE, "tick", actor=ANNA)
    else:
        await scene.scheduler.applying.apply(NAMESPACE, Definitions(owner="app", triggers=[]), actor=ANNA)

    assert await told(scene) == [("12:01", "fired"), ("12:02", "deleted")]


async def test_what_never_was_is_not_found(scene: Scene) -> None:
    with pytest.raises(NotFoundError):
        await told(scene)


async def test_a_ledger_that_is_too_old_is_not_found(scene: Scene) -> None:
    await overlapping(scene)
    await scene.scheduler.triggers.delete(NAMESPACE, "tick", actor=ANNA)
    scene.clock.advance(timedelta(days=400).total_seconds())

    with pytest.raises(NotFoundError):
        await told(scene)
