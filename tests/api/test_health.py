"""What a server says of itself while it starts, works and drains."""

import platform

import httpx2
import pytest

from mainspring.api.app import create_app
from mainspring.api.seat import Seat
from mainspring.settings import ServerSettings
from mainspring.version import __version__
from tests.api.conftest import API_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS = ServerSettings(api_token=API_TOKEN, executor_token="x")


def client_of(seat: Seat) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(create_app(seat, SETTINGS))
    return httpx2.AsyncClient(
        transport=transport, base_url="http://x", headers={"authorization": f"Bearer {API_TOKEN}"}
    )


async def test_a_working_server_is_alive_and_ready(server: Server) -> None:
    assert (await server.http.get("/livez")).json() == {"alive": True}
    assert (await server.http.get("/readyz")).json() == {"ready": True, "reason": "", "executors": 0}


async def test_the_version_names_protocol_and_python(server: Server) -> None:
    answer = (await server.http.get("/version")).json()

    assert answer == {"version": __version__, "protocol": 1, "python": platform.python_version()}


async def test_before_the_store_is_open_the_server_says_why_it_is_not_ready() -> None:
    seat = Seat()
    seat.wait("the database cannot be reached: connection refused")
    async with client_of(seat) as http:
        ready, alive, runs = await http.get("/readyz"), await http.get("/livez"), await http.get("/api/v1/runs")

    assert (ready.status_code, ready.json()["reason"]) == (503, "the database cannot be reached: connection refused")
    assert alive.status_code == 200
    assert (runs.status_code, runs.json()["code"], runs.headers["retry-after"]) == (503, "starting", "1")


async def test_a_draining_server_turns_callers_away(server: Server) -> None:
    seat = Seat(server.scheduler)
    seat.drain()
    async with client_of(seat) as http:
        ready = await http.get("/readyz")
        posted = await http.post("/api/v1/runs", json={"job": "open"})

    assert (ready.status_code, ready.json()["ready"]) == (503, False)
    assert (posted.status_code, posted.json()["detail"]) == (503, "the server is shutting down")
    assert (posted.json()["code"], posted.headers["connection"]) == ("draining", "close")


async def test_a_bug_answers_500_without_its_traceback(server: Server) -> None:
    class Broken(Seat):
        def engine(self) -> None:  # type: ignore[override]
            raise ZeroDivisionError("secret")

    transport = httpx2.ASGITransport(create_app(Broken(), SETTINGS), raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as http:
        answer = await http.get("/api/v1/runs", headers={"authorization": f"Bearer {API_TOKEN}"})

    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
