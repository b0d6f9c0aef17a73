"""Nobody gets past the door without the right token."""

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute, APIWebSocketRoute

from mainspring.api.app import create_app
from mainspring.api.auth import DirectRoute, Doorkeeper, GuardedRoute, Permission, permission_of
from mainspring.api.seat import Seat
from mainspring.settings import ServerSettings
from tests.api.conftest import API_TOKEN, EXECUTOR_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPEN = {"/livez", "/readyz", "/version"}
ROUTES = create_app(Seat(), ServerSettings(api_token=API_TOKEN, executor_token=EXECUTOR_TOKEN)).routes


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{getattr(route, 'methods', 'WS')} {route.path}")
async def test_every_route_declares_its_permission(route: object) -> None:
    assert isinstance(route, APIRoute | APIWebSocketRoute)
    permission = permission_of(route.endpoint)

    assert (permission is Permission.OPEN) == (route.path in OPEN)
    assert isinstance(route, GuardedRoute | APIWebSocketRoute)


@pytest.mark.parametrize("kind", [GuardedRoute, DirectRoute])
async def test_a_route_without_a_permission_cannot_be_made(kind: type[APIRoute]) -> None:
    async def forgotten() -> None: ...

    with pytest.raises(TypeError, match="forgotten declares no permission"):
        APIRouter(route_class=kind).add_api_route("/x", forgotten)


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer wrong", f"Basic {API_TOKEN}", API_TOKEN, f"Bearer {API_TOKEN}x", "Bearer \u00e4"],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/v1/runs"),
        ("GET", "/api/v1/runs"),
        ("GET", "/api/v1/runs/01900000-0000-7000-8000-000000000000"),
        ("GET", "/api/v1/openapi.json"),
    ],
)
async def test_a_missing_or_wrong_token_is_refused(server: Server, header: str, method: str, path: str) -> None:
    answer = await server.http.request(method, path, headers={b"authorization": header.encode("latin-1")})

    assert (answer.status_code, answer.json()["code"]) == (401, "access_denied")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert API_TOKEN not in answer.text


async def test_an_executor_s_token_does_not_open_the_api(server: Server) -> None:
    answer = await server.http.get("/api/v1/runs", headers={"authorization": f"Bearer {EXECUTOR_TOKEN}"})

    assert answer.status_code == 401


@pytest.mark.parametrize("path", sorted(OPEN))
async def test_health_needs_no_token(server: Server, path: str) -> None:
    answer = await server.http.get(path, headers={"authorization": ""})

    assert answer.status_code == 200


async def test_the_scheme_is_read_without_regard_to_case(server: Server) -> None:
    answer = await server.http.get("/api/v1/runs", headers={"authorization": f"bearer {API_TOKEN}"})

    assert answer.status_code == 200


async def test_tokens_open_only_what_they_are_for() -> None:
    doorkeeper = Doorkeeper(api_token="a", executor_token="b")

    assert doorkeeper.permits(b"a", Permission.RUNS_WRITE)
    assert doorkeeper.permits(b"b", Permission.EXECUTORS_CONNECT)
    assert not doorkeeper.permits(b"a", Permission.EXECUTORS_CONNECT)
    assert not doorkeeper.permits(b"b", Permission.RUNS_READ)


async def test_an_unset_token_opens_nothing() -> None:
    doorkeeper = Doorkeeper(api_token="", executor_token="")

    assert not doorkeeper.permits(b"", Permission.RUNS_READ)


async def test_the_document_knows_every_schema_it_refers_to(server: Server) -> None:
    document = (await server.http.get("/api/v1/openapi.json")).text

    for part in document.split('"$ref":"#/components/schemas/')[1:]:
        assert f'"{part.partition(chr(34))[0]}":{{' in document
