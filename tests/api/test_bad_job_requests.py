"""Every way to ask wrongly about jobs and executors has its own answer, and changes nothing."""

from typing import Any

import msgspec
import pytest

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

GOOD: dict[str, Any] = {"handler": "open"}

BAD_BODIES: dict[str, tuple[object, int, str, str]] = {
    "no handler": ({}, 422, "missing_field", "handler"),
    "empty handler": ({"handler": ""}, 422, "bad_handler", "handler"),
    "handler with control characters": ({"handler": "a\x07"}, 422, "bad_handler", "handler"),
    "handler that nobody knows and cannot be seen": ({"handler": "a\u200b"}, 422, "bad_handler", "handler"),
    "handler of another type": ({"handler": 7}, 422, "bad_handler", "handler"),
    "queue too long": (GOOD | {"queue": "q" * 101}, 422, "bad_queue", "queue"),
    "queue with control characters": (GOOD | {"queue": "q\n"}, 422, "bad_queue", "queue"),
    "priority too high": (GOOD | {"priority": 10}, 422, "bad_priority", "priority"),
    "priority of another type": (GOOD | {"priority": "9"}, 422, "bad_priority", "priority"),
    "a timeout of nothing": (GOOD | {"timeout": 0}, 422, "bad_timeout", "timeout"),
    "a deadline in the past": (GOOD | {"deadline": -1}, 422, "bad_deadline", "deadline"),
    "an unknown way with losses": (GOOD | {"on_lost": "shrug"}, 422, "bad_on_lost", "on_lost"),
    "no loss allowed": (GOOD | {"losses_max": 0}, 422, "bad_losses_max", "losses_max"),
    "a shrinking wait": (GOOD | {"retry": {"multiplier": 0.5}}, 422, "bad_multiplier", "retry.multiplier"),
    "no name of an error": (GOOD | {"retry": {"retry_on": ["no name"]}}, 422, "bad_retry_on", "retry.retry_on[0]"),
    "no attempts": (GOOD | {"retry": {"attempts": 0}}, 422, "bad_attempts", "retry.attempts"),
    "too many attempts": (GOOD | {"retry": {"attempts": 10_001}}, 422, "bad_attempts", "retry.attempts"),
    "negative backoff": (GOOD | {"retry": {"backoff": -1}}, 422, "bad_backoff", "retry.backoff"),
    "endless backoff": (GOOD | {"retry": {"backoff_max": 1e12}}, 422, "bad_backoff_max", "retry.backoff_max"),
    "unknown in policy": (GOOD | {"policy": {"at_onse": 1}}, 422, "unknown_field", "policy.at_onse"),
    "unknown in a part of policy": (
        GOOD | {"policy": {"limits": [{"at_once": 1}, {"at_once": 1, "nmae": "x"}]}},
        422,
        "unknown_field",
        "policy.limits[1].nmae",
    ),
    "unknown in route": (
        GOOD | {"policy": {"route": {"stategy": "any"}}},
        422,
        "unknown_field",
        "policy.route.stategy",
    ),
    "unknown in retry": (GOOD | {"retry": {"attemps": 1}}, 422, "unknown_field", "retry.attemps"),
    "input not an object": (GOOD | {"input": [1]}, 422, "bad_input", "input"),
    "input too deep": (
        b'{"handler": "open", "input": {"a":' + b"[" * 70 + b"]" * 70 + b"}}",
        413,
        "input_too_deep",
        "input",
    ),
    "description too long": (GOOD | {"description": "d" * 2001}, 422, "bad_description", "description"),
    "description with escapes": (GOOD | {"description": "\x1b[2J"}, 422, "bad_description", "description"),
    "note too long": (GOOD | {"note": "n" * 501}, 422, "bad_note", "note"),
    "note with escapes": (GOOD | {"note": "\x1b[2J"}, 422, "bad_note", "note"),
    "unknown field": (GOOD | {"schema": {}}, 422, "unknown_field", "schema"),
    "not an object": (b"[]", 422, "bad_body", "body"),
    "malformed": (b"{", 400, "malformed_json", "body"),
    "empty": (b"", 415, "unsupported_media_type", "content-type"),
    "not UTF-8": (b'{"handler": "\xff"}', 400, "malformed_json", "body"),
    "too large": (GOOD | {"input": {"a": "a" * 70_000}}, 413, "too_large", "body"),
}


@pytest.mark.parametrize(("content", "number", "code", "field"), BAD_BODIES.values(), ids=BAD_BODIES.keys())
async def test_a_bad_definition_is_refused_with_code_and_field_and_makes_no_job(
    server: Server, content: object, number: int, code: str, field: str
) -> None:
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    headers = {"if-none-match": "*"} | ({"content-type": "application/json"} if body else {})
    answer = await server.http.put("/api/v1/jobs/new", content=body, headers=headers)
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem.get("field")) == (number, code, field)
    assert answer.headers["content-type"] == "application/problem+json"
    assert "\n" not in problem["detail"]
    assert (await server.http.get("/api/v1/jobs/new")).status_code == 404


@pytest.mark.parametrize(
    "name", ["%0a", "a%00b", "p%D0%B0ypal", "%E2%80%AEa", "a" * 201, "-a", ".a", "a%20b", "t%C3%A4glich", "%FF"]
)
async def test_a_new_job_has_a_name_that_cannot_be_mistaken(server: Server, name: str) -> None:
    answer = await server.http.put(f"/api/v1/jobs/{name}", json=GOOD, headers={"if-none-match": "*"})

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "bad_job", "name") or (
        len(name) > 200 and answer.json()["code"] == "bad_name"
    )
    assert all(job["name"] in ("mail", "open") for job in (await server.http.get("/api/v1/jobs")).json()["jobs"])


@pytest.mark.parametrize(
    ("headers", "number", "code"),
    [
        ({"if-match": "abc"}, 422, "bad_if_match"),
        ({"if-match": '"1'}, 422, "bad_if_match"),
        ({"if-match": '"1",'}, 422, "bad_if_match"),
        ({"if-none-match": '"1"'}, 422, "bad_if_none_match"),
        ({"if-match": '"1"', "if-none-match": "*"}, 422, "bad_if_none_match"),
    ],
)
async def test_headers_that_make_no_sense_are_refused(
    server: Server, headers: dict[str, str], number: int, code: str
) -> None:
    answer = await server.http.put("/api/v1/jobs/mail", json={"handler": "mail", "queue": "x"}, headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (number, code)
    assert (await server.http.get("/api/v1/jobs/mail")).json()["version"] == 1


@pytest.mark.parametrize(
    ("method", "path", "content", "number", "code"),
    [
        ("PATCH", "/jobs/mail", {"priority": None}, 422, "bad_priority"),
        ("PATCH", "/jobs/mail", {"prio": 1}, 422, "unknown_field"),
        ("PATCH", "/jobs/mail", {"handler": "other"}, 422, "bad_handler"),
        ("PATCH", "/jobs/nobody", {"priority": 1}, 404, "unknown_job"),
        ("POST", "/jobs/mail/rollback", {}, 422, "missing_field"),
        ("POST", "/jobs/mail/rollback", {"version": 0}, 422, "bad_version"),
        ("POST", "/jobs/mail/rollback", {"version": "1"}, 422, "bad_version"),
        ("POST", "/jobs/mail/rollback", {"version": 2}, 404, "unknown_version"),
        ("POST", "/jobs/nobody/rollback", {"version": 1}, 404, "unknown_job"),
        ("GET", "/jobs/mail/versions/0", None, 422, "bad_version"),
        ("GET", "/jobs/mail/versions/x", None, 422, "bad_version"),
        ("GET", "/jobs/mail/versions/99999999999", None, 422, "bad_version"),
        ("GET", "/jobs/mail/versions/2", None, 404, "unknown_version"),
        ("GET", "/jobs/nobody/versions", None, 404, "unknown_job"),
        ("GET", "/jobs/mail/versions?limit=0", None, 422, "bad_limit"),
        ("GET", "/jobs/mail/diff?from=x", None, 422, "bad_from"),
        ("GET", "/jobs/mail/diff?from=1&to=9", None, 404, "unknown_version"),
        ("GET", "/jobs?limit=501", None, 422, "bad_limit"),
        ("GET", "/jobs?cursor=zzz", None, 422, "bad_cursor"),
        ("GET", "/jobs?cursor=job:%00", None, 422, "bad_cursor"),
        ("GET", "/jobs?cursor=%C3%A4", None, 422, "bad_cursor"),
        ("POST", "/jobs/nobody/runs", {}, 404, "unknown_job"),
        ("POST", "/jobs/mail/runs", {"job": "mail"}, 422, "unknown_field"),
        ("POST", "/jobs/mail/runs", {"input": {"email": 7}}, 422, "bad_arguments"),
        ("POST", "/jobs/mail/runs", None, 422, "bad_arguments"),
        ("POST", "/jobs/mail/runs", {"input": {"email": "a"}, "executor": ""}, 422, "bad_executor"),
        ("POST", "/jobs/mail/runs", {"input": {"email": "a"}, "executor": "@2.5"}, 422, "bad_executor"),
        ("DELETE", "/jobs/nobody", None, 404, "unknown_job"),
        ("GET", "/executors/nobody", None, 404, "unknown_executor"),
        ("POST", "/executors/nobody/cordon", {}, 404, "unknown_executor"),
        ("POST", "/executors/nobody/uncordon", None, 404, "unknown_executor"),
        ("POST", "/executors/nobody/drain", {"grace": -1}, 422, "bad_grace"),
        ("POST", "/executors/nobody/drain", {"grace": 1e9}, 422, "bad_grace"),
        ("POST", "/executors/nobody/drain", {"grace": "long"}, 422, "bad_grace"),
        ("POST", "/executors/nobody/cordon", {"reason": "r" * 501}, 422, "bad_reason"),
        ("POST", "/executors/nobody/cordon", {"reason": "\x1b"}, 422, "bad_reason"),
        ("POST", "/executors/nobody/cordon", {"why": "r"}, 422, "unknown_field"),
        (
            "PATCH",
            "/executors/nobody/pools",
            {"pools": {"loop": {"core": 0, "max": 1, "queue": 0}}},
            404,
            "unknown_executor",
        ),
        ("PATCH", "/executors/nobody/pools", {"pools": {"gpu": {"core": 0, "max": 1, "queue": 0}}}, 422, "bad_pools"),
        ("PATCH", "/executors/nobody/pools", {"pools": {"loop": {"core": 2, "max": 1, "queue": 0}}}, 422, "bad_pools"),
        ("PATCH", "/executors/nobody/pools", {"pools": {"loop": {"core": 0, "max": 0, "queue": 0}}}, 422, "bad_max"),
        ("PATCH", "/executors/nobody/pools", {"pools": {"loop": {"core": 0, "max": 1}}}, 422, "missing_field"),
        ("PATCH", "/executors/nobody/pools", {"pools": {}}, 422, "bad_pools"),
        ("GET", "/executors?cursor=x", None, 422, "bad_cursor"),
        ("GET", "/executors?cursor=01900000-0000-7000-8000-000000000000.%00", None, 422, "bad_cursor"),
        ("GET", "/batches?cursor=", None, 422, "bad_cursor"),
        ("GET", "/batches?cursor=0.5", None, 422, "bad_cursor"),
        ("GET", "/approvals?cursor=", None, 422, "bad_cursor"),
        ("GET", "/approvals?cursor=x", None, 422, "bad_cursor"),
        ("GET", "/executors?limit=0", None, 422, "bad_limit"),
        ("POST", "/jobs/mail", {}, 405, "method_not_allowed"),
    ],
)
async def test_other_bad_requests_are_refused_and_change_nothing(
    server: Server, method: str, path: str, content: object, number: int, code: str
) -> None:
    headers = {"if-match": '"1"'} if method == "PATCH" else {}
    body = {} if content is None else {"json": content}
    answer = await server.http.request(method, f"/api/v1{path}", headers=headers, **body)  # type: ignore[arg-type]

    assert (answer.status_code, answer.json()["code"]) == (number, code)
    assert (await server.http.get("/api/v1/jobs/mail")).json()["version"] == 1
    assert (await server.http.get("/api/v1/runs")).json()["runs"] == []
    assert await server.store.executors.cordons() == []
