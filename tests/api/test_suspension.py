"""Setting runs aside over HTTP, letting them go on, and seeing what they remember."""

from datetime import timedelta
from typing import Any

import pytest

from mainspring.domain.ids import parse_run_id
from mainspring.domain.runs.checkpoints import Memory, MemoryKind
from tests.api.conftest import Server
from tests.api.test_steering import UNKNOWN, claim, ids, queued, running, succeeded

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def post(server: Server, run: str, act: str, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = await server.http.post(f"/api/v1/runs/{run}/{act}", json=body)
    return answer.status_code, answer.json()


def ahead(server: Server, **time: float) -> str:
    return (server.scheduler._clock.now() + timedelta(**time)).isoformat()


async def test_a_queued_run_waits_with_its_reason_until_it_is_resumed(server: Server) -> None:
    run, until = await queued(server), ahead(server, hours=1)
    status, waits = await post(server, run, "suspend", reason="the bank is closed", resume_at=until)

    assert (status, waits["state"], waits["reason"]) == (200, "waiting", "suspended")
    assert waits["suspension"]["reason"] == "the bank is closed"
    listed = (await server.http.get("/api/v1/runs", params={"state": "waiting"})).json()["runs"]
    assert [one["suspension"] for one in listed if one["id"] == run] == [waits["suspension"]]

    status, going = await post(server, run, "resume", reason="it is open")
    assert (status, going["reason"] == "suspended", going["suspension"]) == (200, False, None)


async def test_no_body_is_needed(server: Server) -> None:
    run = await queued(server)
    answers = [(await server.http.post(f"/api/v1/runs/{run}/{act}")).status_code for act in ("suspend", "resume")]

    assert answers == [200, 200]


async def test_a_running_run_is_accepted_for_suspending(server: Server) -> None:
    run = await running(server)
    status, told = await post(server, run, "suspend", reason="x")

    assert (status, told["state"], told["reason"]) == (202, "running", "suspending")
    assert told["suspension"] == {"reason": "x", "resume_at": None}


async def test_what_cannot_be_is_a_conflict_that_says_why(server: Server) -> None:
    over, going, idle, cancelling = (
        await succeeded(server),
        await running(server),
        await queued(server),
        await running(server),
    )
    await post(server, cancelling, "cancel")
    answers = [
        await post(server, over, "suspend"),
        await post(server, over, "resume"),
        await post(server, going, "resume"),
        await post(server, idle, "resume"),
        await post(server, cancelling, "suspend"),
    ]

    assert [(status, problem["code"], problem["key"]) for status, problem in answers] == [
        (409, "run_final", over),
        (409, "run_final", over),
        (409, "run_not_suspended", going),
        (409, "run_not_suspended", idle),
        (409, "run_cancelling", cancelling),
    ]
    assert "there is nothing to suspend" in answers[0][1]["detail"]
    assert "it is running and not suspended" in answers[2][1]["detail"]


async def test_an_unknown_run_is_not_found(server: Server) -> None:
    for act in ("suspend", "resume"):
        status, problem = await post(server, UNKNOWN, act)
        assert (status, problem["code"]) == (404, "unknown_run")
    assert (await server.http.get(f"/api/v1/runs/{UNKNOWN}/memory")).status_code == 404


async def test_a_bad_instant_or_reason_is_refused_and_nothing_changed(server: Server) -> None:
    run = await queued(server)
    bodies: list[dict[str, Any]] = [
        {"resume_at": "2020-01-01T00:00:00Z"},
        {"resume_at": "2999-01-01T00:00:00Z"},
        {"resume_at": "2030-01-01T00:00:00"},
        {"resume_at": "soon"},
        {"reason": "x" * 501},
        {"reason": "\x1b[2J"},
        {"until": 3},
    ]
    answers = [await post(server, run, "suspend", **body) for body in bodies]

    assert [(status, problem["field"]) for status, problem in answers] == [
        (422, "resume_at"),
        (422, "resume_at"),
        (422, "resume_at"),
        (422, "resume_at"),
        (422, "reason"),
        (422, "reason"),
        (422, "until"),
    ]
    assert [problem["code"] for _, problem in answers[:2]] == ["bad_resume_at"] * 2
    assert (await server.http.get(f"/api/v1/runs/{run}")).json()["reason"] != "suspended"


async def test_what_a_run_remembers_is_seen(server: Server) -> None:
    run = await queued(server, queue=f"q{ids.token().hex()[:8]}")
    empty = (await server.http.get(f"/api/v1/runs/{run}/memory")).json()
    claimed = await claim(server, parse_run_id(run))
    pair = (claimed.runs[0], claimed.token)
    memories = [
        Memory(*pair, MemoryKind.CHECKPOINT, "", b'{"row":7}'),
        Memory(*pair, MemoryKind.STEP, "charge", b"true"),
        Memory(*pair, MemoryKind.EFFECT, "mail", None),
        Memory(*pair, MemoryKind.EFFECT, "post", b"null"),
    ]
    await server.store.runs.save_checkpoints(memories, now=server.scheduler._clock.now())
    found = (await server.http.get(f"/api/v1/runs/{run}/memory")).json()

    assert empty == {"checkpoint": None, "steps": [], "effects": []}
    assert (found["checkpoint"]["state"], found["checkpoint"]["attempt"]) == ({"row": 7}, 1)
    assert [(one["name"], one["result"]) for one in found["steps"]] == [("charge", True)]
    assert [(one["name"], one["done"], one["result"]) for one in found["effects"]] == [
        ("mail", False, None),
        ("post", True, None),
    ]
