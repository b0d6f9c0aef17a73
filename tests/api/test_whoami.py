"""A caller that shows a token may ask what it is good for."""

import pytest

from mainspring.version import __version__
from tests.api.conftest import EXECUTOR_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_token_is_told_its_name_role_reach_and_end(server: Server) -> None:
    wanted = {"name": "ci", "role": "viewer", "namespace": "default", "expires_in": 3600}
    made = (await server.http.post("/api/v1/tokens", json=wanted)).json()
    answer = await server.http.get("/api/v1/whoami", headers={"authorization": f"Bearer {made['text']}"})

    assert answer.status_code == 200
    assert answer.json() == {
        **answer.json(),
        "id": made["token"]["id"],
        "name": "ci",
        "role": "viewer",
        "namespace": "default",
        "expires_at": made["token"]["expires_at"],
    }


async def test_executors_and_strangers_are_not_told(server: Server) -> None:
    executor = await server.http.get("/api/v1/whoami", headers={"authorization": f"Bearer {EXECUTOR_TOKEN}"})
    stranger = await server.http.get("/api/v1/whoami", headers={"authorization": "Bearer other"})

    assert (executor.status_code, stranger.status_code) == (403, 401)


@pytest.mark.parametrize("path", ["/api/v1/runs", "/api/v1/whoami"])
async def test_every_answer_to_a_good_token_names_the_version(server: Server, path: str) -> None:
    assert (await server.http.get(path)).headers["mainspring-version"] == __version__
