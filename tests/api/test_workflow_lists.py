"""Lists of workflow runs: by the step that failed and by what they wait for."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

FLOWS = {
    "listed": {"first": {"job": "open"}, "second": {"job": "open", "after": ["first"]}},
    "asking": {"ask": {"approval": "May it?"}, "hear": {"event": "told"}},
    "dozing": {"rest": {"sleep": "1h"}},
}


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def flows(server: Server) -> AsyncIterator[None]:
    for name, steps in FLOWS.items():
        assert (await server.http.put(f"/api/v1/workflows/{name}", json={"steps": steps})).status_code == 201
    yield


async def listed(server: Server, workflow: str, **more: str) -> list[str]:
    answer = await server.http.get("/api/v1/workflow-runs", params={"workflow": workflow, **more})
    assert answer.status_code == 200, answer.text
    return [run["id"] for run in answer.json()["runs"]]


async def begun(server: Server, workflow: str, steps: int) -> str:
    """A workflow run of which so many steps are under way."""
    run: str = (await server.post({"job": workflow})).json()["id"]
    while True:
        answer = (await server.http.get("/api/v1/workflow-runs", params={"workflow": workflow})).json()
        if any(one["id"] == run and len(one["under_way"]) == steps for one in answer["runs"]):
            return run


async def stopped(server: Server, workflow: str) -> str:
    run = await begun(server, workflow, 1)
    await server.http.post(f"/api/v1/workflow-runs/{run}/stop")
    while (await server.http.get(f"/api/v1/workflow-runs/{run}")).json()["finished_at"] is None:
        pass
    return run


async def test_runs_are_found_by_the_step_that_did_not_succeed(server: Server) -> None:
    bad = await stopped(server, "listed")
    live = await begun(server, "listed", 1)

    assert await listed(server, "listed") == [live, bad]
    assert await listed(server, "listed", failed_step="first") == [bad]
    assert await listed(server, "listed", failed_step="second") == []
    assert await listed(server, "listed", state="cancelled") == [bad]


async def test_runs_are_found_by_what_they_wait_for_and_their_waits_are_not_among_them(server: Server) -> None:
    asking, dozing = await begun(server, "asking", 2), await begun(server, "dozing", 1)

    for kind in ("approval", "event"):
        assert await listed(server, "asking", waiting_for=kind) == [asking]
    assert await listed(server, "asking", waiting_for="sleep") == []
    assert await listed(server, "dozing", waiting_for="sleep") == [dozing]
    paused = (await server.http.post(f"/api/v1/workflow-runs/{dozing}/pause")).json()
    unpaused = (await server.http.post(f"/api/v1/workflow-runs/{dozing}/unpause")).json()
    assert (paused["paused"], unpaused["paused"]) == (True, False)
    await server.http.post(f"/api/v1/workflow-runs/{dozing}/pause")
    while await listed(server, "dozing", waiting_for="paused") != [dozing]:
        pass
    [shown] = (await server.http.get("/api/v1/workflow-runs", params={"workflow": "dozing"})).json()["runs"]
    assert (shown["under_way"], shown["waiting_for"], shown["paused"], shown["version"]) == (
        ["rest"],
        ["sleep", "paused"],
        True,
        1,
    )


async def test_pages_follow_each_other_whatever_is_filtered(server: Server) -> None:
    wanted = [await begun(server, "dozing", 1) for _ in range(3)]
    found: list[str] = []
    more: dict[str, str] = {}
    while True:
        query = {"workflow": "dozing", "waiting_for": "sleep", "limit": "2", **more}
        page = (await server.http.get("/api/v1/workflow-runs", params=query)).json()
        found += [run["id"] for run in page["runs"]]
        if page.get("next") is None:
            break
        more = {"cursor": page["next"]}

    assert [run for run in found if run in wanted] == wanted[::-1]
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({}, 422, "missing_field"),
        ({"workflow": "nobody"}, 404, "unknown_job"),
        ({"workflow": "mail"}, 404, "unknown_workflow"),
        ({"workflow": "listed", "waiting_for": "godot"}, 422, "bad_waiting_for"),
        ({"workflow": "listed", "state": "odd"}, 422, "bad_state"),
        ({"workflow": "listed", "failed_step": ""}, 422, "bad_failed_step"),
        ({"workflow": "listed", "cursor": "x"}, 422, "bad_cursor"),
        ({"workflow": "listed", "failed": "first"}, 422, "unknown_parameter"),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused_by_its_field(
    server: Server, query: dict[str, str], status: int, code: str
) -> None:
    answer = await server.http.get("/api/v1/workflow-runs", params=query)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
