"""Webhooks and events over HTTP: who is let in, and what is answered."""

import hashlib
import hmac
from typing import Any

import httpx2
import msgspec
import pytest

from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAIL = {"email": "anna@example.com"}
JSON = {"content-type": "application/json"}


async def define(server: Server, name: str, when: dict[str, Any], job: str = "mail") -> str:
    path = f"/api/v1/triggers/{name}"
    answer = await server.http.put(path, json={"job": job, "when": when})
    assert answer.is_success, answer.text
    return path


async def open_hook(server: Server, name: str, **rule: Any) -> tuple[str, str]:
    """A webhook's path and secret."""
    path = await define(server, name, {"kind": "webhook", **rule})
    made = (await server.http.post(f"{path}/secret")).json()
    return made["hook"]["path"], made["secret"]


async def call(server: Server, path: str, secret: str, content: object, **headers: str) -> httpx2.Response:
    """As a caller without a token."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    signature = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    shown = {**JSON, "authorization": "", "x-mainspring-signature": signature, **given}
    return await server.http.post(path, content=body, headers=shown)


async def made_by(server: Server, trigger: str) -> list[Any]:
    runs = (await server.http.get("/api/v1/runs", params={"limit": "500"})).json()["runs"]
    return [run for run in runs if run["created_by"] == f"trigger {trigger}"]


def refusal(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_a_signed_call_is_accepted_with_its_run(server: Server) -> None:
    path, secret = await open_hook(server, "accepted", key="header:x-delivery")
    first = await call(server, path, secret, MAIL, x_delivery="d-1")
    again = await call(server, path, secret, MAIL, x_delivery="d-1")
    [run] = await made_by(server, "accepted")

    assert (first.status_code, first.json()) == (202, {"id": run["id"], "existing": False})
    assert (again.status_code, again.json()) == (202, {"id": run["id"], "existing": True})


async def test_the_calls_of_a_webhook_are_listed_with_their_runs_and_refusals(server: Server) -> None:
    path, secret = await open_hook(server, "listed", key="header:x-delivery")
    first = await call(server, path, secret, MAIL, x_delivery="d-1")
    await call(server, path, secret, MAIL, x_delivery="d-1")
    refused = await call(server, path, "another secret", MAIL, x_delivery="d-2")
    await call(server, path, secret, b'{"email": "\\u0000\\ud800"', x_delivery="d-3")

    listed: list[Any] = []
    while len(listed) < 4:
        listed = (await server.http.get("/api/v1/triggers/listed/calls")).json()["calls"]

    run = first.json()["id"]
    assert [(one["run"], one["existing"], one["code"]) for one in listed[::-1][:3]] == [
        *((run, False, None), (run, True, None), (None, False, refused.json()["code"]))
    ]
    assert listed[0]["code"] == "malformed_json"
    assert (await server.http.get("/api/v1/triggers/absent/calls")).status_code == 404


async def test_a_call_that_is_repeated_runs_again_unless_calls_are_remembered(server: Server) -> None:
    careless, spoken = await open_hook(server, "careless")
    careful, secret = await open_hook(server, "careful", remember_calls=True)
    for _ in range(2):
        await call(server, careless, spoken, MAIL)
    first = await call(server, careful, secret, MAIL)
    body = msgspec.json.encode(MAIL)
    upper = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().upper()
    again = await call(server, careful, secret, body, x_mainspring_signature=upper)
    other = await call(server, careful, secret, {"email": "otto@example.com"})

    assert len(await made_by(server, "careless")) == 2
    assert again.json() == {"id": first.json()["id"], "existing": True}
    assert other.json()["existing"] is False
    assert len(await made_by(server, "careful")) == 2


async def test_a_bad_signature_is_401_and_leaves_no_run(server: Server) -> None:
    path, secret = await open_hook(server, "guarded")
    forged = await call(server, path, "mshook_guess", MAIL)
    changed = await call(server, path, secret, MAIL, x_mainspring_signature="")
    token = await server.http.post(path, json=MAIL)

    assert refusal(forged) == (401, "bad_signature")
    assert refusal(changed) == refusal(token) == (401, "signature_missing")
    assert forged.headers["www-authenticate"].startswith("Signature")
    assert await made_by(server, "guarded") == []


async def test_what_cannot_be_taken_is_told_by_its_number(server: Server) -> None:
    path, secret = await open_hook(server, "particular", mapping={"email": "$.to"})
    nobody = "/hooks/" + "a" * 32

    assert refusal(await call(server, nobody, secret, MAIL)) == (404, "unknown_webhook")
    assert refusal(await call(server, "/hooks/x", secret, MAIL)) == (404, "unknown_webhook")
    assert refusal(await call(server, path, secret, MAIL, content_type="text/plain")) == (415, "unsupported_media_type")
    assert refusal(await call(server, path, secret, b"{")) == (400, "malformed_json")
    assert refusal(await call(server, path, secret, b" " * (1 << 20) + b"{}")) == (413, "too_large")
    assert refusal(await call(server, path, secret, MAIL)) == (422, "missing_place")
    assert refusal(await call(server, path, secret, {"to": 5})) == (422, "bad_arguments")
    await server.http.post("/api/v1/triggers/particular/pause", json={"reason": "holidays"})
    paused = await call(server, path, secret, {"to": "x"})
    assert refusal(paused) == (409, "trigger_paused")
    assert "holidays" in paused.json()["detail"]
    assert await made_by(server, "particular") == []


async def test_a_secret_is_shown_once_and_can_be_replaced(server: Server) -> None:
    path, old = await open_hook(server, "rotated", auth="bearer")
    place = "/api/v1/triggers/rotated/secret"
    seen = await server.http.get(place)
    new = (await server.http.post(place, json={"grace": 60})).json()
    moved = (await server.http.post(place, json={"new_address": True})).json()

    assert (seen.json()["path"], seen.json()["auth"], seen.json()["old_until"]) == (path, "bearer", None)
    assert old not in seen.text
    assert new["hook"]["path"] == path
    assert new["hook"]["old_until"] is not None
    assert refusal(await call(server, path, "", MAIL, authorization=f"Bearer {old}")) == (404, "unknown_webhook")
    done = await call(server, moved["hook"]["path"], "", MAIL, authorization=f"Bearer {moved['secret']}")
    assert done.status_code == 202


async def test_secrets_are_for_webhooks(server: Server) -> None:
    path = await define(server, "no-hook", {"kind": "interval", "every": 3600}, "open")

    assert refusal(await server.http.post(f"{path}/secret")) == (409, "not_a_webhook")
    assert refusal(await server.http.post(f"{path}/test", json={})) == (409, "not_called")
    assert refusal(await server.http.get("/api/v1/triggers/nothing/secret")) == (404, "unknown_trigger")


async def test_a_call_can_be_tried_out(server: Server) -> None:
    _, secret = await open_hook(server, "tried", mapping={"email": "$.to"}, key="$.id")
    body = '{"to": "anna@example.com", "id": 7}'
    signature = hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()
    trying = {"headers": {"x-mainspring-signature": signature}, "body": body}
    good = (await server.http.post("/api/v1/triggers/tried/test", json=trying)).json()
    unsigned = (await server.http.post("/api/v1/triggers/tried/test", json={"body": "{}"})).json()

    assert good == {
        "would_run": True,
        "signed": True,
        "matched": None,
        "unmet": None,
        "input": MAIL,
        "key": "7",
        "problem": None,
    }
    assert (unsigned["would_run"], unsigned["signed"], unsigned["input"]) == (False, False, None)
    assert unsigned["problem"]["code"] == "signature_missing"
    assert await made_by(server, "tried") == []


async def test_an_event_makes_a_run_of_each_that_waits_for_it(server: Server) -> None:
    await define(
        server, "greet", {"kind": "event", "type": "user.new", "filter": {"$.country": {"in": ["de"]}}}, "open"
    )
    await define(server, "strict", {"kind": "event", "type": "user.new"})
    answer = await server.http.post(
        "/api/v1/events",
        json={"events": [{"type": "user.new", "data": {"country": "de"}, "id": "u-1"}, {"type": "user.gone"}]},
    )
    [run] = await made_by(server, "greet")

    assert answer.status_code == 202
    assert answer.json() == {
        "told": 2,
        "matched": 1,
        "waits": 0,
        "runs": [{"event": 0, "trigger": "greet", "run": run["id"], "existing": False}],
        "refused": [
            {
                "event": 0,
                "trigger": "strict",
                "code": "bad_arguments",
                "detail": "Object contains unknown field `country`",
                "field": "input",
            }
        ],
    }


async def test_one_event_may_come_alone_and_nobody_need_wait_for_it(server: Server) -> None:
    answer = await server.http.post("/api/v1/events", json={"type": "nobody.waits"})
    asked = {"cursor": "nobody", "limit": "1"}
    while not (types := (await server.http.get("/api/v1/events/types", params=asked)).json()["types"]):
        await server.scheduler.called.events.tick()

    assert (answer.status_code, answer.json()) == (
        202,
        {"told": 1, "matched": 0, "waits": 0, "runs": [], "refused": []},
    )
    assert [(one["type"], one["told"], one["matched"]) for one in types] == [("nobody.waits", 1, 0)]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"type": "a b"}, 422, "type"),
        ({"data": {}}, 422, "type"),
        ({"events": []}, 422, "events"),
        ({"events": [{"type": "a"}, {"type": "a", "id": ""}]}, 422, "events[1].id"),
        ({"type": "a", "more": 1}, 422, "more"),
        (b"{", 400, "body"),
        (b'{"type": "a", "data": 1e999}', 422, "data"),
    ],
)
async def test_what_is_no_event_is_refused_by_field(server: Server, body: Any, status: int, field: str) -> None:
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    answer = await server.http.post("/api/v1/events", content=content, headers=JSON)

    assert (answer.status_code, answer.json()["field"]) == (status, field)
