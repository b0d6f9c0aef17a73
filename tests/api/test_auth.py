"""Nobody gets past the door without the right token."""

import pytest
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from mainspring.api.auth import permission_of
from tests.api.conftest import API_TOKEN, EXECUTOR_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

BARE = 'Bearer realm="mainspring"'
UNKNOWN = f"ms_{'a' * 13}_{'b' * 52}"


async def test_a_route_without_a_permission_is_refused() -> None:
    async def forgotten(_socket: WebSocket) -> None: ...

    with pytest.raises(TypeError, match=r"forgotten.* declares no permission"):
        permission_of(WebSocketRoute("/x", forgotten))


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "token_missing"),
        ("Bearer", "token_missing"),
        (API_TOKEN, "token_missing"),
        (f"Basic {API_TOKEN}", "token_missing"),
        ("Bearer wrong", "token_unknown"),
        (f"Bearer {API_TOKEN}x", "token_unknown"),
        (f"Bearer {UNKNOWN}", "token_unknown"),
        ("Bearer \u00e4", "token_unknown"),
    ],
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
async def test_a_missing_or_wrong_token_is_refused(
    server: Server, header: str, code: str, method: str, path: str
) -> None:
    answer = await server.http.request(method, path, headers={b"authorization": header.encode("latin-1")})

    assert (answer.status_code, answer.json()["code"]) == (401, code)
    challenge = BARE if code == "token_missing" else f'{BARE}, error="invalid_token"'
    assert answer.headers["www-authenticate"] == challenge
    assert API_TOKEN not in answer.text


async def test_an_executor_s_token_does_not_open_the_api(server: Server) -> None:
    answer = await server.http.get("/api/v1/runs", headers={"authorization": f"Bearer {EXECUTOR_TOKEN}"})

    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert answer.json()["detail"] == "runs:read needs the role viewer; the caller's is executor"
    assert answer.headers["www-authenticate"] == f'{BARE}, error="insufficient_scope"'


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/version"])
async def test_health_needs_no_token(server: Server, path: str) -> None:
    answer = await server.http.get(path, headers={"authorization": ""})

    assert answer.status_code == 200


async def test_the_scheme_is_read_without_regard_to_case(server: Server) -> None:
    answer = await server.http.get("/api/v1/runs", headers={"authorization": f"bearer {API_TOKEN}"})

    assert answer.status_code == 200


async def test_the_document_knows_every_schema_it_refers_to(server: Server) -> None:
    document = (await server.http.get("/api/v1/openapi.json")).text

    for part in document.split('"$ref":"#/components/schemas/')[1:]:
        assert f'"{part.partition(chr(34))[0]}":{{' in document
