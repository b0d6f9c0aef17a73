"""Every way to ask for a run wrongly has its own answer, and leaves nothing behind."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mainspring.contract.operations.runs import BODY_MANY_MAX, BODY_ONE_MAX, RUNS_MAX
from mainspring.domain.runs.run import INPUT_MAX
from tests.api.conftest import API_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAR = (datetime.max.replace(year=2999, tzinfo=UTC) - timedelta(days=1)).isoformat()
ROLES = "'{}' is not one of viewer, operator, editor, admin, executor"
KINDS = "'crn' is not one of cron, interval, delay, once, windows, webhook, event; did you mean cron?"
GOOD: dict[str, Any] = {"job": "mail", "input": {"email": "a@b.c"}}


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


BAD: dict[str, tuple[object, int, str, str | None]] = {
    "unknown job": ({"job": "nope"}, 404, "unknown_job", None),
    "missing job": ({"input": {}}, 422, "missing_field", "job"),
    "empty job": ({"job": ""}, 422, "bad_job", "job"),
    "missing argument": ({"job": "mail", "input": {}}, 422, "bad_arguments", "input"),
    "wrong argument type": ({"job": "mail", "input": {"email": 7}}, 422, "bad_arguments", "input.email"),
    "unknown argument": ({"job": "mail", "input": {"email": "a", "x": 1}}, 422, "bad_arguments", "input"),
    "input not an object": ({"job": "mail", "input": [1]}, 422, "bad_input", "input"),
    "input too large": (
        {"job": "mail", "input": {"email": "a" * INPUT_MAX}},
        413,
        "input_too_large",
        "input",
    ),
    "input too deep": ({"job": "mail", "input": {"email": "a", "extra": nested(64)}}, 413, "input_too_deep", "input"),
    "input absurdly deep": (
        b'{"job": "mail", "input": ' + b"[" * 9000 + b"]" * 9000 + b"}",
        413,
        "input_too_deep",
        "input",
    ),
    "due too far ahead": (GOOD | {"due_at": FAR}, 422, "bad_due_at", "due_at"),
    "due without offset": (GOOD | {"due_at": "2030-01-01T00:00:00"}, 422, "bad_due_at", "due_at"),
    "due not an instant": (GOOD | {"due_at": "tomorrow"}, 422, "bad_due_at", "due_at"),
    "delay negative": (GOOD | {"delay": -1}, 422, "bad_delay", "delay"),
    "delay too long": (GOOD | {"delay": 1e300}, 422, "bad_delay", "delay"),
    "delay and due": (GOOD | {"delay": 1, "due_at": "2030-01-01T00:00:00Z"}, 422, "bad_delay", "delay"),
    "priority too high": (GOOD | {"priority": 10}, 422, "bad_priority", "priority"),
    "priority negative": (GOOD | {"priority": -1}, 422, "bad_priority", "priority"),
    "priority not a number": (GOOD | {"priority": "high"}, 422, "bad_priority", "priority"),
    "empty queue": (GOOD | {"queue": ""}, 422, "bad_queue", "queue"),
    "key too long": (GOOD | {"key": "k" * 256}, 422, "bad_key", "key"),
    "key with NUL": (GOOD | {"key": "a\0b"}, 422, "bad_key", "key"),
    "unknown field": (GOOD | {"prioritty": 3}, 422, "unknown_field", "prioritty"),
    "field beside runs": ({"runs": [GOOD], "job": "mail"}, 422, "unknown_field", "job"),
    "not an object": (b"[]", 422, "bad_body", "body"),
    "no body": (b"", 400, "malformed_json", "body"),
    "malformed JSON": (b'{"job": "mail", "input": {', 400, "malformed_json", "body"),
    "not UTF-8": (b'{"job": "mail", "input": {"email": "\xff"}}', 400, "malformed_json", "body"),
    "half a surrogate pair": (b'{"job": "mail", "input": {"email": "\\ud800"}}', 400, "malformed_json", "body"),
    "no runs": ({"runs": []}, 422, "bad_runs", "runs"),
    "too many runs": ({"runs": [GOOD] * (RUNS_MAX + 1)}, 422, "bad_runs", "runs"),
    "bad one among many": ({"runs": [GOOD, GOOD | {"priority": 77}]}, 422, "bad_priority", "runs[1].priority"),
    "late one among many": ({"runs": [GOOD, GOOD | {"due_at": FAR}]}, 422, "bad_due_at", "runs[1].due_at"),
    "bad delay among many": ({"runs": [GOOD, GOOD | {"delay": 1e300}]}, 422, "bad_delay", "runs[1].delay"),
    "misfit among many": ({"runs": [GOOD, {"job": "mail"}]}, 422, "bad_arguments", "runs[1].input"),
    "unknown job among many": ({"runs": [GOOD, {"job": "nope"}]}, 404, "unknown_job", None),
}


@pytest.mark.parametrize(("content", "number", "code", "field"), BAD.values(), ids=BAD.keys())
async def test_a_bad_run_is_refused_with_code_and_field_and_is_absent(
    server: Server, content: object, number: int, code: str, field: str | None
) -> None:
    answer = await server.post(content)
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem.get("field")) == (number, code, field)
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["type"] == f"urn:mainspring:problem:{code}"
    assert problem["detail"]
    assert (await server.http.get("/api/v1/runs")).json()["runs"] == []


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
async def test_other_content_types_are_refused(server: Server, kind: str) -> None:
    answer = await server.post(GOOD, content_type=kind)

    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


async def test_json_with_parameters_is_json(server: Server) -> None:
    answer = await server.post({"job": "nope"}, content_type="Application/JSON; charset=utf-8")

    assert answer.json()["code"] == "unknown_job"


async def test_a_body_too_large_for_one_run_is_refused_before_it_is_parsed(server: Server) -> None:
    answer = await server.post(b"#" * (BODY_ONE_MAX + 1))

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (413, "too_large", "body")


async def test_a_body_that_announces_too_much_is_refused_unread(server: Server) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
    writer.write(
        b"POST /api/v1/runs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        + f"authorization: Bearer {API_TOKEN}\r\ncontent-length: {BODY_MANY_MAX + 1}\r\n\r\n".encode()
    )
    first = await reader.readline()
    writer.close()

    assert first.startswith(b"HTTP/1.1 413 ")


async def test_a_body_of_unknown_length_is_cut_off_at_the_limit(server: Server) -> None:
    async def chunks() -> Any:
        yield b'{"job": "mail", "input": {"email": "'
        for _ in range(40):
            yield b"a" * 10_000
        yield b'"}}'

    answer = await server.http.post("/api/v1/runs", headers={"content-type": "application/json"}, content=chunks())

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("cursor=abc", "cursor"),
        ("state=sleeping", "state"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=ten", "limit"),
        ("namespace=No+Such!", "namespace"),
    ],
)
async def test_a_bad_listing_is_refused(server: Server, query: str, field: str) -> None:
    answer = await server.http.get(f"/api/v1/runs?{query}")
    problem = answer.json()

    assert (answer.status_code, problem["code"], problem["field"]) == (422, f"bad_{field}", field)


@pytest.mark.parametrize("path", ["", "/attempts", "/logs"])
async def test_a_run_that_does_not_exist_is_not_found(server: Server, path: str) -> None:
    answer = await server.http.get(f"/api/v1/runs/01900000-0000-7000-8000-000000000000{path}")
    bad = await server.http.get(f"/api/v1/runs/seven{path}")

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_run")
    assert (bad.status_code, bad.json()["code"], bad.json()["field"]) == (422, "bad_run_id", "id")


@pytest.mark.parametrize("wait", ["61", "-1", "long"])
async def test_waiting_is_bounded(server: Server, wait: str) -> None:
    answer = await server.http.get(f"/api/v1/runs/01900000-0000-7000-8000-000000000000?wait={wait}")

    assert (answer.status_code, answer.json()["code"]) == (422, "bad_wait")


async def test_paths_and_methods_that_do_not_exist_are_problems_too(server: Server) -> None:
    missing = await server.http.get("/api/v1/nothing")
    method = await server.http.delete("/api/v1/runs")

    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert (method.status_code, method.json()["code"]) == (405, "method_not_allowed")
    assert method.headers["allow"]


@pytest.mark.parametrize(
    ("method", "path", "status", "detail"),
    [
        ("GET", "/api/v1/rums", 404, "there is no path /api/v1/rums"),
        ("GET", "/api/v1/rums/a%2Fb?x=1", 404, "there is no path /api/v1/rums/a%2Fb"),
        ("GET", "/" + "a" * 300, 404, f"there is no path /{'a' * 199}…"),
        ("DELETE", "/api/v1/runs", 405, "/api/v1/runs does not take DELETE, but GET, POST"),
    ],
)
async def test_a_path_or_method_that_is_not_there_is_named(
    server: Server, method: str, path: str, status: int, detail: str
) -> None:
    answer = await server.http.request(method, path)

    assert (answer.status_code, answer.json()["detail"]) == (status, detail)


@pytest.mark.parametrize(
    ("method", "path", "body", "field", "detail"),
    [
        ("POST", "tokens", {"name": "a", "role": "boss"}, "role", ROLES.format("boss")),
        ("POST", "tokens", {"name": "a", "role": "admn"}, "role", ROLES.format("admn") + "; did you mean admin?"),
        ("PUT", "triggers/a", {"job": "open", "when": {"kind": "crn"}}, "when.kind", KINDS),
        ("PUT", "jobs/a", {"handler": "a", "on_lost": "x"}, "on_lost", "'x' is not one of retry, fail, ask"),
        ("PATCH", "jobs/open", {"on_lost": "x"}, "on_lost", "'x' is not one of retry, fail, ask"),
    ],
)
async def test_a_word_that_is_not_known_is_answered_with_those_that_are(
    server: Server, method: str, path: str, body: Any, field: str, detail: str
) -> None:
    answer = await server.http.request(method, f"/api/v1/{path}", json=body)
    problem = answer.json()

    assert (answer.status_code, problem["field"], problem["detail"]) == (422, field, detail)


@pytest.mark.parametrize(
    "half", [r"\ud800", r"\uDFFF", r"x\udbffy", r"\ud83d\ude00\ude00"], ids=["high", "low", "between", "behind a pair"]
)
async def test_half_of_a_surrogate_pair_is_told_as_such(server: Server, half: str) -> None:
    bodies = [
        ("/api/v1/runs", f'{{"job": "open", "input": {{}}, "key": "{half}"}}'),
        ("/api/v1/runs", f'{{"job": "{half}"}}'),
        ("/api/v1/events", f'{{"type": "a.b", "data": {{"x": "{half}"}}}}'),
        ("/api/v1/queues/default/pause", f'{{"reason": "{half}"}}'),
    ]
    answers = [
        await server.http.post(path, content=body, headers={"content-type": "application/json"})
        for path, body in bodies
    ]

    for answer in answers:
        problem = answer.json()
        assert (answer.status_code, problem["code"], problem["field"]) == (400, "malformed_json", "body"), problem
        assert "which is half of a surrogate pair" in problem["detail"]


async def test_the_word_null_is_no_value_of_a_parameter(server: Server) -> None:
    answer = await server.http.get("/api/v1/calendars/any/days", params={"year": "null"})

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "bad_year", "year")
