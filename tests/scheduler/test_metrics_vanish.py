"""The series of a namespace that is gone disappear, whatever they count."""

import pytest

from mainspring.domain.metrics.caps import KEPT
from mainspring.scheduler.facts import RunsRefused
from tests.scheduler.scene import NAMESPACE, Scene

COUNTED = {"mainspring_runs_refused_total", "mainspring_runs_accepted_total", "mainspring_cluster_queue_slots"}


def shown(scene: Scene) -> set[str]:
    """The metrics that have a series of the namespace."""
    found = scene.scheduler.metrics.collect(NAMESPACE)
    return {one.metric.name for one in found if one.values} & COUNTED


@pytest.mark.parametrize("waits", [KEPT / 2, KEPT + 60])
async def test_what_was_counted_for_a_namespace_goes_with_it(scene: Scene, waits: float) -> None:
    await scene.attach()
    await scene.enqueue()
    scene.scheduler.facts.publish(RunsRefused(NAMESPACE, 1, "over_budget"))
    before = shown(scene)
    scene.scheduler.catalog.sessions = []
    scene.clock.advance(waits)

    assert before == COUNTED
    assert shown(scene) == (COUNTED - {"mainspring_cluster_queue_slots"} if waits < KEPT else set())
