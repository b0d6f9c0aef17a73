"""What a server says of itself while it starts, works and drains."""

import platform

import httpx2
import msgspec
import pytest

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.http.connections import VERSION_HEADER, Callers
from mainspring.server import http_config
from mainspring.settings import ServerSettings
from mainspring.version import __version__
from tests.api.conftest import API_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS = ServerSettings(api_token=API_TOKEN, executor_token="x")


def client_of(gate: EngineGate) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(create_app(gate, SETTINGS))
    return httpx2.AsyncClient(
        transport=transport, base_url="http://x", headers={"authorization": f"Bearer {API_TOKEN}"}
    )


async def test_a_working_server_is_alive_and_ready(server: Server) -> None:
    assert (await server.http.get("/livez")).json() == {"alive": True}
    said = (await server.http.get("/readyz")).json()
    # Measured a moment after the start.
    assert said.pop("durability", "single") == "single"
    assert said == {"ready": True, "reason": "", "executors": 0}


async def test_the_version_names_protocol_and_python(server: Server) -> None:
    answer = (await server.http.get("/version")).json()

    assert answer == {
        "product": "mainspring",
        "version": __version__,
        "protocol": 1,
        "python": platform.python_version(),
    }


async def test_strangers_are_told_neither_versions_nor_counts(server: Server) -> None:
    for headers in ({}, {"authorization": "Bearer wrong"}):
        async with httpx2.AsyncClient(base_url=server.url, headers=headers) as stranger:
            version, ready, missing = [await stranger.get(path) for path in ("/version", "/readyz", "/api/v1/runs")]

        assert version.json() == {"product": "mainspring"}
        assert ready.json() == {"ready": True, "reason": ""}
        for answer in (version, ready, missing):
            assert "mainspring-version" not in answer.headers
            assert "server" not in answer.headers
            assert __version__ not in f"{answer.headers}{answer.text}"


async def test_a_stranger_is_not_told_what_the_database_said() -> None:
    gate = EngineGate()
    gate.wait("the database cannot be reached: no route to db.internal")
    transport = httpx2.ASGITransport(create_app(gate, SETTINGS))
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as http:
        ready = await http.get("/readyz")

    assert (ready.status_code, ready.json()["reason"]) == (503, "the database cannot be reached")


async def test_an_operator_may_tell_strangers(server: Server) -> None:
    told = msgspec.structs.replace(SETTINGS, public_details=True)
    transport = httpx2.ASGITransport(create_app(server.scheduler, told))
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as http:
        version, ready = await http.get("/version"), await http.get("/readyz")

    assert version.json()["version"] == __version__
    assert ready.json()["executors"] == 0
    assert (VERSION_HEADER, __version__) in http_config(create_app(EngineGate(), told), told, Callers(1)).headers


async def test_a_token_of_one_namespace_does_not_count_the_executors_of_all(server: Server) -> None:
    made = await server.http.post(
        "/api/v1/tokens", json={"name": "narrow", "role": "viewer", "namespace": "other", "expires_in": 60}
    )
    narrow = {"authorization": f"Bearer {made.json()['text']}"}

    assert (await server.http.get("/readyz", headers=narrow)).json() == {"ready": True, "reason": ""}


async def test_callers_with_a_token_see_the_version_in_every_answer(server: Server) -> None:
    paths = ("/version", "/readyz", "/api/v1/runs", "/api/v1/runs/none")
    answers = [await server.http.get(path) for path in paths] + [await server.post({"job": "open"})]

    assert [answer.headers.get_list("mainspring-version") for answer in answers] == [[__version__]] * 5


async def test_no_answer_is_to_be_taken_for_another_kind_than_it_says(server: Server) -> None:
    paths = ("/livez", "/none", "/api/v1/runs", "/api/v1/openapi.json")
    answers = [await server.http.get(path) for path in paths] + [await server.post({"job": "open"})]

    assert [answer.headers.get_list("x-content-type-options") for answer in answers] == [["nosniff"]] * 5


async def test_an_answer_with_a_secret_is_not_to_be_stored(server: Server) -> None:
    made = await server.http.post("/api/v1/tokens", json={"name": "secret", "role": "viewer", "expires_in": 60})
    rotated = await server.http.post(f"/api/v1/tokens/{made.json()['token']['id']}/rotate")
    hook = {"job": "open", "when": {"kind": "webhook"}}
    put = await server.http.put("/api/v1/triggers/called", json=hook)
    secret = await server.http.post("/api/v1/triggers/called/secret")

    assert (made.status_code, rotated.status_code, put.status_code, secret.status_code) == (201, 200, 201, 200)
    for answer in (made, rotated, secret):
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/livez/", "/api/v1/runs/", "/api/v1/jobs/open/", "/api/v1/openapi.json/"])
async def test_nobody_is_sent_to_an_address_made_of_what_the_caller_called_us(server: Server, path: str) -> None:
    answer = await server.http.get(path, headers={"host": "evil.example"})

    assert "location" not in answer.headers
    assert answer.status_code not in range(300, 400)
    assert "evil.example" not in answer.text


async def test_before_the_store_is_open_the_server_says_why_it_is_not_ready() -> None:
    gate = EngineGate()
    gate.wait("the database cannot be reached: connection refused")
    async with client_of(gate) as http:
        ready, alive, runs = await http.get("/readyz"), await http.get("/livez"), await http.get("/api/v1/runs")

    assert (ready.status_code, ready.json()["reason"]) == (503, "the database cannot be reached: connection refused")
    assert alive.status_code == 200
    assert (runs.status_code, runs.json()["code"], runs.headers["retry-after"]) == (503, "starting", "1")


async def test_a_draining_server_turns_callers_away(server: Server) -> None:
    gate = EngineGate(server.scheduler)
    gate.drain()
    async with client_of(gate) as http:
        ready = await http.get("/readyz")
        posted = await http.post("/api/v1/runs", json={"job": "open"})

    assert (ready.status_code, ready.json()["ready"]) == (503, False)
    assert (posted.status_code, posted.json()["detail"]) == (503, "the server is shutting down")
    assert (posted.json()["code"], posted.headers["connection"]) == ("draining", "close")


async def test_a_bug_answers_500_without_its_traceback(server: Server) -> None:
    class Broken(EngineGate):
        def engine(self) -> None:  # type: ignore[override]
            raise ZeroDivisionError("secret")

    transport = httpx2.ASGITransport(create_app(Broken(), SETTINGS), raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as http:
        answer = await http.get("/api/v1/runs", headers={"authorization": f"Bearer {API_TOKEN}"})

    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
