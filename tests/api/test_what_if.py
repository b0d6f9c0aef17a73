"""Policies tried on past runs, and definitions as Python, over HTTP."""

from typing import Any

import pytest

from tests.api.conftest import Server
from tests.api.test_dead import dead
from tests.api.test_jobs import make

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def ask(server: Server, job: str, changes: dict[str, Any], runs: int = 200) -> dict[str, Any]:
    answer = await server.http.post(f"/api/v1/jobs/{job}/what-if", json={"changes": changes, "runs": runs})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_a_policy_is_tried_on_the_runs_that_failed_and_nothing_is_changed(server: Server) -> None:
    run = await dead(server, "no stamps")
    version = (await server.http.get("/api/v1/jobs/open")).json()["version"]
    found = await ask(server, "open", {"retry": {"attempts": 4}})

    assert [one["effect"] for one in found["effects"]] == ["tried_again"]
    assert run in found["effects"][0]["samples"]
    assert found["failed"] == found["effects"][0]["runs"]
    assert (await server.http.get("/api/v1/jobs/open")).json()["version"] == version


async def test_what_past_runs_do_not_tell_is_named(server: Server) -> None:
    found = await ask(server, "open", {"queue": "elsewhere", "policy": {"at_once": 2, "limit_key": ["name"]}}, runs=1)

    assert found["unjudged"] == ["queue", "policy.at_once", "policy.limit_key"]


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        ({"changes": {"retry": {"attempts": 0}}}, 422, "bad_attempts"),
        ({"changes": {"policy": {"rate": {"of": "often"}}}}, 422, "bad_rate"),
        ({"changes": {"timeoutt": 3}}, 422, "unknown_field"),
        ({"runs": 501}, 422, "bad_runs"),
    ],
)
async def test_a_definition_that_could_not_be_saved_is_not_tried_either(
    server: Server, content: dict[str, Any], status: int, code: str
) -> None:
    answer = await server.http.post("/api/v1/jobs/open/what-if", json=content)

    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


async def test_an_unknown_job_is_not_found(server: Server) -> None:
    answer = await server.http.post("/api/v1/jobs/nobody/what-if", json={})

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_job")


async def test_a_definition_is_shown_as_python(server: Server) -> None:
    await make(server, "as-python", timeout=30)
    answer = await server.http.get("/api/v1/jobs/as-python/python")

    assert answer.json()["code"].startswith("from mainspring import Client\n")
    assert "timeout=30.0" in answer.json()["code"]
