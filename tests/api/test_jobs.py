"""Definitions over HTTP: look, change on the ground of what was seen, compare, go back, delete, start."""

from typing import Any
from urllib.parse import quote

import httpx2
import msgspec
import pytest

from mainspring.domain.ids import parse_run_id
from mainspring.domain.jobs.job import JobSpec, RetryPolicy, Speaker
from mainspring.store.interface import AuditFilter
from tests.api.conftest import SCHEMA, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

USUAL = {
    "attempts": 1,
    "backoff": 1.0,
    "backoff_max": 600.0,
    "multiplier": 2.0,
    "retry_on": [],
    "give_up_on": [],
    "budget": None,
}
LIMITS = {"timeout": None, "deadline": None, "start_within": None, "on_lost": "retry", "losses_max": 3}
TYPE = {"content-type": "application/json"}


async def call(server: Server, method: str, path: str, content: object = None, **headers: str) -> httpx2.Response:
    """A request below /api/v1/jobs; header names are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if content is None else msgspec.json.encode(content)
    return await server.http.request(
        method, f"/api/v1/jobs{path}", content=body, headers=named | (TYPE if body is not None else {})
    )


async def make(server: Server, name: str, **fields: Any) -> dict[str, Any]:
    """A new job of people's own, on the handler `open`."""
    answer = await call(server, "PUT", f"/{quote(name, safe='')}", {"handler": "open", **fields}, if_none_match="*")
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def register(server: Server, spec: JobSpec) -> None:
    speaker = Speaker(executor="e1", code_version="2030.1")
    await server.scheduler.catalog.register("default", [spec], speaker)


async def test_a_job_of_code_is_shown_with_all_that_is_known(server: Server) -> None:
    retry = RetryPolicy(attempts=3, backoff=2.0)
    await register(
        server, JobSpec(name="shown", handler="h", queue="q", schema=SCHEMA, retry=retry, description="Says")
    )
    answer = await call(server, "GET", "/shown")
    job = answer.json()

    assert answer.headers["etag"] == '"1"'
    assert {name: job[name] for name in ("name", "namespace", "version", "handler", "queue", "priority")} == {
        "name": "shown",
        "namespace": "default",
        "version": 1,
        "handler": "h",
        "queue": "q",
        "priority": 5,
    }
    assert job["retry"] == USUAL | {"attempts": 3, "backoff": 2.0}
    assert {name: job[name] for name in LIMITS} == LIMITS
    assert (job["schema"], job["input"], job["description"]) == (msgspec.json.decode(SCHEMA), {}, "Says")
    assert (job["origin"], job["drifted"]) == ("code", False)
    assert job["code"]["queue"] == "q"


async def test_who_has_the_version_already_is_told_so(server: Server) -> None:
    await make(server, "cached")
    known = await call(server, "GET", "/cached", if_none_match='"1"')
    other = await call(server, "GET", "/cached", if_none_match='"7", W/"8"')

    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", '"1"')
    assert other.status_code == 200


async def test_a_change_needs_the_version_that_was_seen_and_names_what_changes(server: Server) -> None:
    await make(server, "changed", queue="a", retry={"attempts": 4})
    answer = await call(
        server, "PATCH", "/changed", {"priority": 8, "retry": {"backoff": 9}, "note": "now"}, if_match='"1"'
    )
    job = answer.json()

    assert (answer.status_code, answer.headers["etag"], job["version"]) == (200, '"2"', 2)
    assert (job["priority"], job["queue"]) == (8, "a")
    assert job["retry"] == USUAL | {"attempts": 4, "backoff": 9.0}


async def test_what_is_to_hold_when_things_fail_is_set_changed_and_taken_back(server: Server) -> None:
    retry = {"attempts": 5, "multiplier": 3.0, "retry_on": ["OSError"], "give_up_on": ["shop.SoldOut"], "budget": 60.0}
    limits = {"timeout": 30.0, "deadline": 60.0, "start_within": 10.0, "on_lost": "ask", "losses_max": 1}
    made = await make(server, "limited", retry=retry, **limits)
    assert made["retry"] == USUAL | retry
    assert {name: made[name] for name in limits} == limits

    changes: dict[str, Any] = {"timeout": None, "on_lost": "fail", "retry": {"budget": None, "retry_on": []}}
    changed = (await call(server, "PATCH", "/limited", changes, if_match='"1"')).json()
    assert (changed["timeout"], changed["on_lost"], changed["deadline"]) == (None, "fail", 60.0)
    assert (changed["retry"]["budget"], changed["retry"]["retry_on"]) == (None, [])


@pytest.mark.parametrize(("method", "body"), [("PATCH", {"priority": 8}), ("PUT", {"handler": "open", "priority": 8})])
async def test_without_it_or_with_a_stale_one_nothing_is_changed(
    server: Server, method: str, body: dict[str, Any]
) -> None:
    name = f"stale-{method.lower()}"
    await make(server, name)
    missing = await call(server, method, f"/{name}", body)
    stale = await call(server, method, f"/{name}", body, if_match='"7"')
    weak = await call(server, method, f"/{name}", body, if_match='W/"1"')
    foreign = await call(server, method, f"/{name}", body, if_match='"abc", "01", "99999999999999999999"')

    assert (missing.status_code, missing.json()["code"], missing.json()["field"]) == (
        428,
        "precondition_required",
        "if-match",
    )
    for refused in (stale, weak, foreign):
        assert (refused.status_code, refused.json()["code"]) == (412, "job_stale")
        assert (refused.json()["kind"], refused.json()["key"]) == ("job", name)
    job = (await call(server, "GET", f"/{name}")).json()
    assert (job["version"], job["priority"]) == (1, 5)


async def test_any_version_will_do_for_who_says_so(server: Server) -> None:
    await make(server, "whichever")
    any_ = await call(server, "PATCH", "/whichever", {"priority": 1}, if_match="*")
    one_of = await call(server, "PATCH", "/whichever", {"priority": 2}, if_match='"1", "2"')
    by_hand = await call(server, "PATCH", "/whichever", {"priority": 3}, if_match="3")

    assert (any_.status_code, one_of.json()["version"], by_hand.json()["version"]) == (200, 3, 4)


async def test_a_job_is_made_once(server: Server) -> None:
    first = await call(server, "PUT", "/once", {"handler": "open"}, if_none_match="*")
    second = await call(server, "PUT", "/once", {"handler": "mail"}, if_none_match="*")
    blind = await call(server, "PUT", "/blindly-new", {"handler": "open"})
    gone = await call(server, "PUT", "/never-there", {"handler": "open"}, if_match='"1"')

    assert (first.status_code, first.headers["etag"], first.headers["location"]) == (201, '"1"', "/api/v1/jobs/once")
    assert (second.status_code, second.json()["code"]) == (412, "job_stale")
    assert blind.status_code == 201
    assert (gone.status_code, gone.json()["code"]) == (404, "unknown_job")
    assert (await call(server, "GET", "/once")).json()["handler"] == "open"


async def test_a_whole_definition_replaces_the_old_one(server: Server) -> None:
    await make(server, "whole", queue="a", description="old", input={"x": 1})
    answer = await call(server, "PUT", "/whole", {"handler": "open", "queue": "b"}, if_match='"1"')
    job = answer.json()

    assert (answer.status_code, job["queue"], job["description"], job["input"]) == (200, "b", "", {})


async def test_the_same_definition_again_is_no_new_version(server: Server) -> None:
    await make(server, "same", queue="a")
    again = await call(server, "PUT", "/same", {"handler": "open", "queue": "a"}, if_match='"1"')

    assert (again.status_code, again.headers["etag"]) == (200, '"1"')


async def test_drift_between_code_and_people_is_shown(server: Server) -> None:
    spec = JobSpec(name="drifting", handler="h", queue="from-code")
    await register(server, spec)
    await call(server, "PATCH", "/drifting", {"queue": "from-people"}, if_match='"1"')
    await register(server, spec)
    job = (await call(server, "GET", "/drifting")).json()

    assert (job["version"], job["queue"], job["drifted"], job["code"]["queue"]) == (2, "from-people", True, "from-code")


async def test_versions_say_who_when_and_why(server: Server) -> None:
    await register(server, JobSpec(name="told", handler="h"))
    await call(server, "PATCH", "/told", {"priority": 1, "note": "too loud"}, if_match='"1"')
    page = (await call(server, "GET", "/told/versions")).json()
    one = (await call(server, "GET", "/told/versions/1")).json()

    assert [(each["version"], each["source"], each["note"]) for each in page["versions"]] == [
        (2, {"origin": "api", "author": "MAINSPRING_API_TOKEN", "code_version": ""}, "too loud"),
        (1, {"origin": "code", "author": "e1", "code_version": "2030.1"}, ""),
    ]
    assert page["next"] is None
    assert one == page["versions"][1]


async def test_versions_are_paged(server: Server) -> None:
    await make(server, "paged", priority=0)
    for number in range(1, 5):
        await call(server, "PATCH", "/paged", {"priority": number}, if_match=f'"{number}"')
    seen: list[int] = []
    cursor: str | None = "99"
    while cursor is not None:
        page = (await call(server, "GET", f"/paged/versions?limit=2&cursor={cursor}")).json()
        seen += [each["version"] for each in page["versions"]]
        cursor = page["next"]

    assert seen == [5, 4, 3, 2, 1]


async def test_two_versions_are_compared_by_path(server: Server) -> None:
    await make(server, "compared", input={"x": 1})
    await call(server, "PATCH", "/compared", {"input": {"y": None}, "retry": {"attempts": 2}}, if_match='"1"')
    newest = await call(server, "GET", "/compared/diff")
    back = await call(server, "GET", "/compared/diff?from=2&to=1")
    same = await call(server, "GET", "/compared/diff?from=2&to=2")

    assert newest.json() == {
        "from": 1,
        "to": 2,
        "changes": [
            {"path": "input.x", "before": 1},
            {"path": "input.y", "after": None},
            {"path": "retry.attempts", "before": 1, "after": 2},
        ],
    }
    assert [change["path"] for change in back.json()["changes"]] == ["input.x", "input.y", "retry.attempts"]
    assert same.json()["changes"] == []


async def test_a_roll_back_makes_a_new_version(server: Server) -> None:
    await make(server, "back", priority=1)
    await call(server, "PATCH", "/back", {"priority": 2}, if_match='"1"')
    stale = await call(server, "POST", "/back/rollback", {"version": 1}, if_match='"1"')
    done = await call(server, "POST", "/back/rollback", {"version": 1, "note": "oh"})
    unknown = await call(server, "POST", "/back/rollback", {"version": 9})

    assert stale.status_code == 412
    assert (done.status_code, done.headers["etag"], done.json()["priority"]) == (200, '"3"', 1)
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_version")


async def test_a_deleted_job_is_gone_and_comes_back_with_the_next_number(server: Server) -> None:
    await make(server, "deleted")
    stale = await call(server, "DELETE", "/deleted", if_match='"2"')
    done = await call(server, "DELETE", "/deleted?note=unused", if_match='"1"')
    again = await call(server, "DELETE", "/deleted")

    assert (stale.status_code, done.status_code, again.status_code) == (412, 204, 404)
    assert (await call(server, "GET", "/deleted/versions")).status_code == 404
    assert (await server.post({"job": "deleted"})).json()["code"] == "unknown_job"
    assert (await make(server, "deleted"))["version"] == 2


async def test_a_job_with_live_runs_is_not_deleted(server: Server) -> None:
    await make(server, "busy")
    await call(server, "POST", "/busy/runs", {"delay": 3600})
    answer = await call(server, "DELETE", "/busy")

    assert (answer.status_code, answer.json()["code"], answer.json()["key"]) == (409, "job_conflict", "busy")
    assert (await call(server, "GET", "/busy")).status_code == 200


async def test_jobs_are_listed_by_name_filtered_and_paged(server: Server) -> None:
    for name, queue in (("list:b", "x"), ("list:a", "y"), ("list:c", "x")):
        await make(server, name, queue=queue)
    seen: list[str] = []
    query: dict[str, str] = {"prefix": "list:", "limit": "2"}
    while True:
        page = (await server.http.get("/api/v1/jobs", params=query)).json()
        seen += [job["name"] for job in page["jobs"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]

    async def names(**query: str) -> list[str]:
        answer = await server.http.get("/api/v1/jobs", params={"prefix": "list:", **query})
        return [job["name"] for job in answer.json()["jobs"]]

    assert seen == ["list:a", "list:b", "list:c"]
    assert await names(queue="x") == ["list:b", "list:c"]
    assert await names(handler="open", queue="y") == ["list:a"]
    assert await names(handler="other") == await names(queue="\x00") == []
    assert "code" not in page["jobs"][0]


async def test_another_namespace_sees_none_of_them(server: Server) -> None:
    await make(server, "private")
    there = {"mainspring_namespace": "other"}

    assert (await call(server, "GET", "/private", **there)).status_code == 404
    assert (await call(server, "GET", "", **there)).json()["jobs"] == []
    assert (await call(server, "DELETE", "/private", **there)).status_code == 404
    mine = await call(server, "PUT", "/private", {"handler": "open"}, if_none_match="*", **there)
    assert (mine.status_code, mine.json()["namespace"]) == (201, "other")


async def test_a_run_is_started_at_the_job_s_address(server: Server) -> None:
    await make(server, "started", input={"a": 1, "b": 2}, queue="q")
    plain = await server.http.post("/api/v1/jobs/started/runs")
    full = await call(server, "POST", "/started/runs", {"input": {"b": 3}, "priority": 9, "key": "k"})
    again = await call(server, "POST", "/started/runs", {"input": {"b": 3}, "priority": 9}, idempotency_key="k")
    run = (await server.http.get(f"/api/v1/runs/{plain.json()['id']}")).json()
    other = (await server.http.get(f"/api/v1/runs/{full.json()['id']}")).json()

    assert (plain.status_code, full.status_code, again.status_code) == (201, 201, 200)
    assert (run["job"], run["queue"], run["input"]) == ("started", "q", {"a": 1, "b": 2})
    assert (other["input"], other["priority"]) == ({"a": 1, "b": 3}, 9)
    assert again.json() == {"id": full.json()["id"], "existing": True}
    assert parse_run_id(run["id"])


@pytest.mark.parametrize(
    "name", ["shop/mail", "a/versions", "a/b/runs", "50%25", "a?b#c", "täglich & gut", "a.b:c@d+e-f"]
)
async def test_any_name_is_reached_once_it_is_written_for_an_address(server: Server, name: str) -> None:
    await register(server, JobSpec(name=name, handler="open"))
    path = "/" + quote(name, safe="")
    got = await call(server, "GET", path)
    edited = await call(server, "PATCH", path, {"priority": 9}, if_match='"1"')
    versions = await call(server, "GET", f"{path}/versions")
    started = await call(server, "POST", f"{path}/runs", {})

    assert (got.status_code, got.json()["name"]) == (200, name)
    assert (edited.status_code, len(versions.json()["versions"]), started.status_code) == (200, 2, 201)


async def test_a_slash_that_was_not_written_for_an_address_separates(server: Server) -> None:
    await register(server, JobSpec(name="x/y", handler="open"))

    assert (await call(server, "GET", "/x/y")).json()["code"] == "not_found"
    assert (await call(server, "GET", "/x%00y")).json()["code"] == "unknown_job"
    assert (await call(server, "GET", "/x%01y")).json()["code"] == "unknown_job"


async def test_every_change_is_in_the_audit_log(server: Server) -> None:
    await make(server, "audited")
    await call(server, "PATCH", "/audited", {"priority": 1}, if_match='"1"')
    await call(server, "PATCH", "/audited", {"priority": 2}, if_match='"1"')
    await call(server, "POST", "/audited/rollback", {"version": 1})
    await call(server, "DELETE", "/audited")
    entries = [entry for _, entry in await server.store.access.audit(AuditFilter(kind="job", key="audited"))]

    assert [(entry.act, entry.actor.name) for entry in entries[::-1]] == [
        (act, "MAINSPRING_API_TOKEN") for act in ("job.define", "job.define", "job.rollback", "job.delete")
    ]
