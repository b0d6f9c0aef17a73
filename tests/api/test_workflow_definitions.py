"""Workflows over HTTP: the version of a definition is its entity tag, and a change names the one that was seen."""

import pytest

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

PATH = "/api/v1/workflows/tagged"
WORKFLOW = {"steps": {"a": {"job": "open"}, "b": {"job": "open", "after": ["a"]}}}


async def test_the_version_of_a_workflow_is_its_entity_tag(server: Server) -> None:
    made = await server.http.put(PATH, json=WORKFLOW, headers={"if-none-match": "*"})
    shown = await server.http.get(PATH)
    known = await server.http.get(PATH, headers={"if-none-match": shown.headers["etag"]})
    blind = await server.http.put(PATH, json={**WORKFLOW, "priority": 7})
    changed = await server.http.put(PATH, json={**WORKFLOW, "priority": 7}, headers={"if-match": shown.headers["etag"]})
    late = await server.http.put(PATH, json=WORKFLOW, headers={"if-match": shown.headers["etag"]})

    assert (made.status_code, made.headers["location"], made.headers["etag"]) == (201, PATH, '"1"')
    assert shown.json() == made.json()
    assert (known.status_code, known.content) == (304, b"")
    assert (blind.status_code, blind.json()["code"]) == (428, "precondition_required")
    assert (changed.status_code, changed.headers["etag"], changed.json()["priority"]) == (200, '"2"', 7)
    assert late.status_code == 412
