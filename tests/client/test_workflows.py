"""Workflows from a program: made, looked at and changed on the ground of what was seen, through both clients."""

import asyncio
from typing import Any

import pytest

from mainspring import InvalidInputError
from mainspring.errors import StaleError
from tests.client.conftest import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

ADDING: dict[str, Any] = {
    "steps": {
        "sum": {"job": "add", "mapping": {"left": "$.input.a", "right": "$.input.b"}},
        "more": {"job": "add", "mapping": {"left": "$.sum"}, "input": {"right": 100}},
    },
    "result": "$.more",
}


async def test_a_workflow_is_made_changed_and_run(shop: Shop) -> None:
    workflows = shop.app.client.workflows
    made = await workflows.put("adding", ADDING)
    changed = await workflows.put("adding", {**ADDING, "priority": 7}, made.version)
    handle = await shop.app.client.enqueue("adding", {"a": 1, "b": 2})

    assert await handle.result(timeout=60) == 103
    assert [step.name for step in made.graph] == ["sum", "more"]
    assert (changed.version, changed.priority) == (made.version + 1, 7)
    assert await workflows.get("adding") == changed


async def test_a_change_of_a_workflow_names_the_version_that_was_seen(shop: Shop) -> None:
    workflows = shop.app.client.workflows
    seen = await workflows.put("seen", ADDING)
    await workflows.put("seen", {**ADDING, "priority": 7}, seen.version)
    with pytest.raises(StaleError, match="is at version 2 by now"):
        await workflows.put("seen", ADDING, seen.version)
    with pytest.raises(StaleError, match="is there already"):
        await workflows.put("seen", ADDING)

    assert (await workflows.get("seen")).priority == 7


async def test_a_workflow_that_cannot_run_changes_nothing(shop: Shop) -> None:
    workflows = shop.app.client.workflows
    seen = await workflows.put("sound", ADDING)
    round_about = {**ADDING, "steps": {name: {**step, "after": ["more"]} for name, step in ADDING["steps"].items()}}
    with pytest.raises(InvalidInputError, match="more -> more"):
        await workflows.put("sound", round_about, seen.version)

    assert (await workflows.get("sound")).version == seen.version


async def test_plain_code_does_the_same(shop: Shop) -> None:
    workflows = shop.app.sync_client.workflows

    def work() -> int:
        made = workflows.put("plainly", ADDING)
        return workflows.put("plainly", {**ADDING, "priority": 7}, made.version).priority

    assert await asyncio.to_thread(work) == 7
