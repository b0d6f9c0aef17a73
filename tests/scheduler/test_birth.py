"""The runs of the shared table, accepted and stored."""

import json

import pytest

from mainspring.api.routes.runs.bodies import decode_one
from mainspring.domain.metadata import RunMetadata
from tests.domain.birth_cases import CASES, Case, born
from tests.scheduler.scene import NAMESPACE, Scene


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_request_through_the_api_is_stored(scene: Scene, case: Case) -> None:
    now = scene.clock.now()
    await scene.scheduler.catalog.register(NAMESPACE, [case.spec()])
    request = decode_one(bytearray(json.dumps(case.body(now)).encode()), now, "anna", None)
    [accepted] = await scene.accept(request)
    run = await scene.run(accepted.id)

    extra = RunMetadata(labels=run.labels, tags=run.tags, start_by=run.start_by)
    stored = born(
        priority=run.priority,
        queue=run.queue,
        due_at=run.due_at,
        column=run.deadline_at,
        extra=extra,
        key=run.key,
        arguments=run.input or b"",
        now=now,
    )
    assert stored == case.born
    assert run.created_by == "anna"
