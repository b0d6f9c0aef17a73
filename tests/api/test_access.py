"""Tokens, namespaces and the audit log over HTTP: what is accepted, what is refused, and that refusals change nothing."""

from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from mainspring.store.interface import AuditFilter, TokenFilter
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOKEN = {"name": "ci", "role": "viewer"}


async def create(server: Server, body: Mapping[str, Any], **headers: str) -> httpx2.Response:
    return await server.http.post("/api/v1/tokens", json=body, headers=headers)


def bearer(answer: httpx2.Response) -> dict[str, str]:
    return {"authorization": f"Bearer {answer.json()['text']}"}


async def state_of(server: Server) -> tuple[int, int, int]:
    """How much there is of everything."""
    access = server.store.access
    entries = await server.store.access.audit(AuditFilter(limit=10_000))
    return len(entries), len(await access.tokens(TokenFilter(limit=1000))), len(await access.namespaces())


async def test_a_token_is_shown_once(server: Server) -> None:
    made = await create(server, {**TOKEN, "expires_in": 3600})
    token = made.json()["token"]
    again = await server.http.get(f"/api/v1/tokens/{token['id']}")

    assert made.status_code == 201
    assert made.json()["text"].startswith(f"ms_{token['id']}_")
    assert again.json() == token
    assert {name: token[name] for name in ("name", "role", "namespace", "queues", "state", "created_by")} == {
        "name": "ci",
        "role": "viewer",
        "namespace": "default",
        "queues": [],
        "state": "active",
        "created_by": "MAINSPRING_API_TOKEN",
    }
    assert made.json()["text"].rpartition("_")[2] not in again.text


async def test_a_token_is_for_the_namespace_of_the_call_unless_it_says_otherwise(server: Server) -> None:
    by_header = await create(server, TOKEN, **{"mainspring-namespace": "other"})
    by_body = await create(server, {**TOKEN, "namespace": "other"})
    everywhere = await create(server, {**TOKEN, "namespace": "*"})

    assert [each.json()["token"]["namespace"] for each in (by_header, by_body, everywhere)] == ["other", "other", "*"]


async def test_pages_of_tokens_join(server: Server) -> None:
    for number in range(3):
        await create(server, {**TOKEN, "name": f"page {number}", "namespace": "other"})
    everything = (await server.http.get("/api/v1/tokens?namespace=other&limit=500")).json()["tokens"]
    found: list[object] = []
    path: str | None = "/api/v1/tokens?namespace=other&limit=2"
    while path is not None:
        page = (await server.http.get(path)).json()
        found += page["tokens"]
        path = f"/api/v1/tokens?namespace=other&limit=2&cursor={page['next']}" if page["next"] else None

    assert found == everything
    assert {token["namespace"] for token in everything} == {"other"}


async def test_an_admin_of_a_namespace_sees_and_makes_only_its_own(server: Server) -> None:
    admin = bearer(await create(server, {"name": "boss", "role": "admin", "namespace": "other"}))
    stranger = (await create(server, TOKEN)).json()["token"]["id"]
    listed = await server.http.get("/api/v1/tokens", headers=admin)
    inside = await create(server, TOKEN, **admin)
    outside = [await create(server, {**TOKEN, "namespace": name}, **admin) for name in ("default", "*", "nowhere")]
    hidden = await server.http.get(f"/api/v1/tokens/{stranger}", headers=admin)
    missing = await server.http.get("/api/v1/tokens/aaaaaaaaaaaaa", headers=admin)
    log = await server.http.get("/api/v1/audit", headers=admin)
    namespaces = await server.http.get("/api/v1/namespaces", headers=admin)
    new = await server.http.post("/api/v1/namespaces", json={"name": "mine"}, headers=admin)

    assert {token["namespace"] for token in listed.json()["tokens"]} == {"other"}
    assert inside.json()["token"]["namespace"] == "other"
    assert [(each.status_code, each.json()["code"]) for each in outside] == [(403, "forbidden_namespace")] * 3
    assert len({each.text for each in outside}) == 1
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert {entry["namespace"] for entry in log.json()["entries"]} == {"other"}
    assert [each["name"] for each in namespaces.json()["namespaces"]] == ["other"]
    assert (new.status_code, new.json()["code"]) == (403, "forbidden")


async def test_rotating_and_revoking_count_for_the_very_next_call(server: Server) -> None:
    made = await create(server, TOKEN)
    path = f"/api/v1/tokens/{made.json()['token']['id']}"
    before = await server.http.get("/api/v1/whoami", headers=bearer(made))
    rotated = await server.http.post(f"{path}/rotate")
    old = await server.http.get("/api/v1/whoami", headers=bearer(made))
    new = await server.http.get("/api/v1/whoami", headers=bearer(rotated))
    revoked = await server.http.post(f"{path}/revoke")
    after = await server.http.get("/api/v1/whoami", headers=bearer(rotated))
    again = await server.http.post(f"{path}/rotate")

    assert before.json() == new.json()
    assert (before.json()["name"], before.json()["role"], before.json()["namespace"]) == ("ci", "viewer", "default")
    assert (old.status_code, old.json()["code"]) == (401, "token_expired")
    assert revoked.json()["state"] == "revoked"
    assert (after.status_code, after.json()["code"]) == (401, "token_revoked")
    assert (again.status_code, again.json()["code"]) == (409, "token_conflict")


async def test_namespaces_come_and_go(server: Server) -> None:
    made = await server.http.post("/api/v1/namespaces", json={"name": "brief", "description": "for a moment"})
    twice = await server.http.post("/api/v1/namespaces", json={"name": "brief"})
    found = await server.http.get("/api/v1/namespaces/brief")
    gone = await server.http.delete("/api/v1/namespaces/brief")
    missing = await server.http.get("/api/v1/namespaces/brief")

    assert (made.status_code, twice.status_code) == (201, 409)
    assert found.json() == made.json()
    assert (gone.status_code, gone.content) == (204, b"")
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown_namespace")


async def test_the_log_is_filtered_and_paged(server: Server) -> None:
    made = await create(server, {**TOKEN, "name": "logged"})
    token = made.json()["token"]["id"]
    await server.http.post(f"/api/v1/tokens/{token}/revoke")
    whole = (await server.http.get(f"/api/v1/audit?kind=token&key={token}")).json()
    first = (await server.http.get(f"/api/v1/audit?key={token}&limit=1")).json()
    second = (await server.http.get(f"/api/v1/audit?key={token}&limit=1&cursor={first['next']}")).json()
    none = (await server.http.get("/api/v1/audit?actor=nobody")).json()
    future = (await server.http.get(f"/api/v1/audit?key={token}&since=2099-01-01T00:00:00Z")).json()

    assert [entry["act"] for entry in whole["entries"]] == ["token.revoke", "token.create"]
    assert first["entries"] + second["entries"] == whole["entries"]
    assert whole["entries"][1]["details"]["name"] == "logged"
    assert whole["entries"][0]["actor"] == {"name": "MAINSPRING_API_TOKEN", "token": "MAINSPRING_API_TOKEN"}
    assert none == future == {"entries": [], "next": None}


BAD_TOKENS: list[tuple[Mapping[str, Any], str, str]] = [
    ({}, "name", "missing_field"),
    ({"name": "x"}, "role", "missing_field"),
    ({**TOKEN, "more": 1}, "more", "unknown_field"),
    ({**TOKEN, "name": 7}, "name", "bad_name"),
    ({**TOKEN, "name": ""}, "name", "bad_name"),
    ({**TOKEN, "name": "a\n"}, "name", "bad_name"),
    ({**TOKEN, "name": "a\u202eb"}, "name", "bad_name"),
    ({**TOKEN, "name": "n" * 101}, "name", "bad_name"),
    ({**TOKEN, "role": "king"}, "role", "bad_role"),
    ({**TOKEN, "namespace": "No"}, "namespace", "bad_namespace"),
    ({**TOKEN, "namespace": "a\n"}, "namespace", "bad_namespace"),
    ({**TOKEN, "queues": ["q"]}, "queues", "bad_queues"),
    ({"name": "x", "role": "executor", "queues": ["a\u0000"]}, "queues[0]", "bad_queues"),
    ({"name": "x", "role": "executor", "queues": "mail"}, "queues", "bad_queues"),
    ({"name": "x", "role": "executor", "queues": ["q"] * 101}, "queues", "bad_queues"),
    ({**TOKEN, "expires_in": "tomorrow"}, "expires_in", "bad_expires_in"),
    ({**TOKEN, "expires_in": 0}, "expires_in", "bad_expires_in"),
    ({**TOKEN, "expires_in": -1}, "expires_in", "bad_expires_in"),
    ({**TOKEN, "expires_in": 1e300}, "expires_in", "bad_expires_in"),
]


@pytest.mark.parametrize(("body", "field", "code"), BAD_TOKENS, ids=str)
async def test_a_bad_token_is_refused_and_nothing_is_changed(
    server: Server, body: Mapping[str, Any], field: str, code: str
) -> None:
    before = await state_of(server)
    answer = await create(server, body)

    assert (answer.status_code, answer.json()["field"], answer.json()["code"]) == (422, field, code)
    assert await state_of(server) == before


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/api/v1/tokens", b"[1]", 422, "bad_body"),
        ("POST", "/api/v1/tokens", b"{", 400, "malformed_json"),
        ("POST", "/api/v1/tokens", b'"\xff"', 400, "malformed_json"),
        ("POST", "/api/v1/tokens", b"x" * 70_000, 413, "too_large"),
        ("POST", "/api/v1/tokens/nobody/rotate", b"{}", 404, "unknown_token"),
        ("POST", "/api/v1/tokens/nobody/rotate", b'{"overlap": -1}', 422, "bad_overlap"),
        ("POST", "/api/v1/tokens/nobody/rotate", b'{"overlap": 1e300}', 422, "bad_overlap"),
        ("POST", "/api/v1/tokens/nobody/revoke", None, 404, "unknown_token"),
        ("POST", "/api/v1/namespaces", b'{"name": "Bad Name"}', 422, "bad_name"),
        ("POST", "/api/v1/namespaces", b'{"name": "x", "description": "\\u0000"}', 422, "bad_description"),
        ("POST", "/api/v1/namespaces", b'{"name": "default"}', 409, "namespace_conflict"),
        ("DELETE", "/api/v1/namespaces/default", None, 409, "namespace_conflict"),
        ("DELETE", "/api/v1/namespaces/nowhere", None, 404, "unknown_namespace"),
        ("DELETE", "/api/v1/namespaces/Bad%20Name", None, 422, "bad_namespace"),
        ("GET", "/api/v1/tokens?limit=0", None, 422, "bad_limit"),
        ("GET", "/api/v1/tokens?role=king", None, 422, "bad_role"),
        ("GET", "/api/v1/tokens?active=perhaps", None, 422, "bad_active"),
        ("GET", "/api/v1/tokens?cursor=1.x", None, 422, "bad_cursor"),
        ("GET", "/api/v1/tokens?cursor=99999999999999999999.aaaaaaaaaaaaa", None, 422, "bad_cursor"),
        ("GET", "/api/v1/tokens?namespace=nowhere", None, 404, "unknown_namespace"),
        ("GET", "/api/v1/tokens?namespace=No", None, 422, "bad_namespace"),
        ("GET", "/api/v1/audit?limit=501", None, 422, "bad_limit"),
        ("GET", "/api/v1/audit?since=2031-01-01", None, 422, "bad_since"),
        ("GET", "/api/v1/audit?since=0001-01-01T00:00:00%2B23:59", None, 422, "bad_since"),
        ("GET", "/api/v1/audit?actor=%00", None, 422, "bad_actor"),
        ("GET", "/api/v1/audit?cursor=5", None, 422, "bad_cursor"),
        ("GET", "/api/v1/audit?cursor=5.\u0663", None, 422, "bad_cursor"),
        ("GET", "/api/v1/audit?namespace=nowhere", None, 200, ""),
    ],
    ids=str,
)
async def test_mistakes_have_a_stable_code_and_change_nothing(
    server: Server, method: str, path: str, body: bytes | None, status: int, code: str
) -> None:
    before = await state_of(server)
    headers = {} if body is None else {"content-type": "application/json"}
    answer = await server.http.request(method, path, content=body, headers=headers)

    assert (answer.status_code, answer.json().get("code", "")) == (status, code)
    assert await state_of(server) == before


async def test_a_body_of_another_kind_is_refused(server: Server) -> None:
    answer = await server.http.post("/api/v1/tokens", content=b"{}", headers={"content-type": "text/plain"})

    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


async def test_a_path_says_all_that_it_takes(server: Server) -> None:
    answer = await server.http.request("OPTIONS", "/api/v1/tokens")

    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (
        405,
        "method_not_allowed",
        "GET, POST",
    )
