"""Cancelling runs and running them again over HTTP."""

from typing import Any

import msgspec
import pytest

from mainspring.domain.ids import Ids, RunId, parse_run_id
from mainspring.store.interface import AuditFilter
from tests.api.conftest import Server
from tests.factories import session, successes

pytestmark = pytest.mark.asyncio(loop_scope="module")

UNKNOWN = "01900000-0000-7000-8000-000000000000"
ids = Ids()


async def queued(server: Server, **fields: Any) -> str:
    answer = await server.post({"job": "open", **fields})
    run: str = answer.json()["id"]
    return run


async def running(server: Server) -> str:
    """A run that an executor has which nobody else knows."""
    run = await queued(server, queue=f"q{ids.token().hex()[:8]}")
    await claim(server, parse_run_id(run))
    return run


async def claim(server: Server, run: RunId) -> Any:
    now = server.scheduler._clock.now()
    live = session("alone")
    await server.store.cluster.open_session(live, now=now)
    found = await server.store.runs.get("default", run)
    assert found is not None
    [line] = [number for number, line in (await server.store.jobs.all_lines()).items() if line.queue == found.queue]
    [claimed] = await server.store.runs.claim([line], [live.id], token=ids.token(), now=now)
    assert claimed.runs == [run]
    return claimed


async def succeeded(server: Server) -> str:
    run = await queued(server, queue=f"q{ids.token().hex()[:8]}")
    claimed = await claim(server, parse_run_id(run))
    done = successes([(claimed.runs[0], claimed.token)])
    await server.store.runs.succeed(done, now=server.scheduler._clock.now())
    return run


async def test_a_queued_run_is_cancelled_with_its_reason(server: Server) -> None:
    run = await queued(server)
    answer = await server.http.post(f"/api/v1/runs/{run}/cancel", json={"reason": "a typo"})

    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["id"], shown["state"], shown["reason"]) == (run, "cancelled", "a typo")
    assert (await server.http.get(f"/api/v1/runs/{run}")).json()["state"] == "cancelled"


async def test_no_body_is_needed_and_a_repeat_changes_nothing(server: Server) -> None:
    run = await queued(server)
    answers = [await server.http.post(f"/api/v1/runs/{run}/cancel") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["reason"] is None


async def test_a_running_run_is_accepted_for_cancelling(server: Server) -> None:
    run = await running(server)
    answers = [await server.http.post(f"/api/v1/runs/{run}/cancel", json={"reason": "x"}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [202, 202]
    assert [(answer.json()["state"], answer.json()["reason"]) for answer in answers] == [("running", "cancelling")] * 2


async def test_a_run_that_has_ended_is_a_conflict_that_says_how(server: Server) -> None:
    run = await succeeded(server)
    answer = await server.http.post(f"/api/v1/runs/{run}/cancel")
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem["kind"], problem["key"]) == (409, "run_final", "run", run)
    assert "it has succeeded" in problem["detail"]


async def test_each_of_many_has_its_answer(server: Server) -> None:
    one, going, over = await queued(server), await running(server), await succeeded(server)
    wanted = [over, one, UNKNOWN, going, one]
    answer = await server.http.post("/api/v1/runs/cancel", json={"runs": wanted, "reason": "all of them"})

    assert answer.status_code == 200
    assert answer.json()["runs"] == [
        {"id": over, "state": "succeeded", "code": "run_final"},
        {"id": one, "state": "cancelled", "code": None},
        {"id": UNKNOWN, "state": None, "code": "unknown_run"},
        {"id": going, "state": "running", "code": None},
        {"id": one, "state": "cancelled", "code": None},
    ]


async def test_who_cancelled_what_and_why_is_in_the_audit_log(server: Server) -> None:
    run = await queued(server)
    await server.http.post(f"/api/v1/runs/{run}/cancel", json={"reason": "enough"})
    await server.http.post(f"/api/v1/runs/{run}/retry", json={"reason": "after all"})
    entries = [entry for _, entry in await server.store.access.audit(AuditFilter(kind="run", key=run))]

    assert [entry.act for entry in entries] == ["run.retry", "run.cancel"]
    assert {(entry.actor.name, entry.namespace) for entry in entries} == {("MAINSPRING_API_TOKEN", "default")}
    assert msgspec.json.decode(entries[0].details) == {"reason": "after all", "state": "cancelled", "force": False}
    assert msgspec.json.decode(entries[1].details) == {"reason": "enough"}


async def test_a_cancelled_run_is_queued_again(server: Server) -> None:
    run = await queued(server, key="kept")
    await server.http.post(f"/api/v1/runs/{run}/cancel")
    answer = await server.http.post(f"/api/v1/runs/{run}/retry")

    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["id"], shown["state"], shown["key"]) == (run, "waiting", "kept")
    assert shown["finished_at"] is None
    again = await server.http.post(f"/api/v1/runs/{run}/retry")
    assert (again.status_code, again.json()["code"]) == (409, "run_live")


async def test_a_run_that_has_succeeded_needs_force(server: Server) -> None:
    run = await succeeded(server)
    refused = await server.http.post(f"/api/v1/runs/{run}/retry")
    forced = await server.http.post(f"/api/v1/runs/{run}/retry", json={"force": True})

    assert (refused.status_code, refused.json()["code"]) == (409, "run_succeeded")
    assert (forced.status_code, forced.json()["result"]) == (200, None)


@pytest.mark.parametrize("path", ["cancel", "retry"])
async def test_an_unknown_run_or_one_of_another_namespace_is_not_found(server: Server, path: str) -> None:
    run = await queued(server)
    unknown = await server.http.post(f"/api/v1/runs/{UNKNOWN}/{path}")
    foreign = await server.http.post(f"/api/v1/runs/{run}/{path}", headers={"mainspring-namespace": "other"})

    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_run")
    assert (foreign.status_code, foreign.json()["code"]) == (404, "unknown_run")
    assert (await server.http.get(f"/api/v1/runs/{run}")).json()["state"] == "waiting"


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("{run}/cancel", b"{", 400, "malformed_json"),
        ("{run}/cancel", b"[]", 422, "bad_body"),
        ("{run}/cancel", b'{"reason": 7}', 422, "bad_reason"),
        ("{run}/cancel", b'{"reason": null}', 422, "bad_reason"),
        ("{run}/cancel", b'{"reason": "\\u0000"}', 422, "bad_reason"),
        ("{run}/cancel", msgspec.json.encode({"reason": "x" * 501}), 422, "bad_reason"),
        ("{run}/cancel", b'{"why": "x"}', 422, "unknown_field"),
        ("{run}/cancel", b'{"reason": "\xff"}', 400, "malformed_json"),
        ("{run}/cancel", b'{"reason": "' + b"x" * 100_000 + b'"}', 413, "too_large"),
        ("not-an-id/cancel", b"{}", 422, "bad_run_id"),
        ("{run}/retry", b'{"force": "yes"}', 422, "bad_force"),
        ("{run}/retry", b'{"reason": "\\u001b[31m"}', 422, "bad_reason"),
        ("not-an-id/retry", b"{}", 422, "bad_run_id"),
        ("cancel", b"{}", 422, "missing_field"),
        ("cancel", b'{"runs": []}', 422, "bad_runs"),
        ("cancel", b'{"runs": ["x"]}', 422, "bad_runs"),
        ("cancel", b'{"runs": "x"}', 422, "bad_runs"),
        ("cancel", msgspec.json.encode({"runs": [UNKNOWN] * 1001}), 422, "bad_runs"),
        ("cancel", b'{"runs": ["01900000000070008000000000000000"]}', 422, "bad_runs"),
        ("cancel", b'{"runs": ["' + UNKNOWN.encode() + b'"], "force": true}', 422, "unknown_field"),
    ],
)
async def test_bad_requests_change_nothing(server: Server, path: str, body: bytes, status: int, code: str) -> None:
    run = await queued(server)
    answer = await server.http.post(
        f"/api/v1/runs/{path.format(run=run)}", content=body, headers={"content-type": "application/json"}
    )

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "\n" not in answer.json()["detail"]
    assert (await server.http.get(f"/api/v1/runs/{run}")).json()["state"] == "waiting"


async def test_another_content_type_is_refused(server: Server) -> None:
    run = await queued(server)
    answer = await server.http.post(
        f"/api/v1/runs/{run}/cancel", content=b"reason=x", headers={"content-type": "application/x-www-form-urlencoded"}
    )

    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


async def test_the_path_for_many_takes_nothing_but_a_post(server: Server) -> None:
    answer = await server.http.request("DELETE", "/api/v1/runs/cancel")

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("run", ["ffffffff-ffff-ffff-ffff-ffffffffffff", "00000000-0000-0000-0000-000000000000"])
@pytest.mark.parametrize("path", ["cancel", "retry"])
async def test_an_id_that_no_run_can_have_is_unknown(server: Server, run: str, path: str) -> None:
    answer = await server.http.post(f"/api/v1/runs/{run}/{path}")

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_run")
