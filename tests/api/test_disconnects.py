"""A client that hangs up in the middle of its request is no bug, and a bug is answered on every path."""

from typing import Any

import msgspec
import pytest
from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.app import Api, create_app
from mainspring.settings import ServerSettings
from tests.api.conftest import API_TOKEN, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

PIECE = {"type": "http.request", "body": b'{"job":', "more_body": True}
GONE = {"type": "http.disconnect"}
PATHS = (("POST", "/api/v1/runs"), ("POST", "/api/v1/jobs/open/runs"), ("PUT", "/api/v1/jobs/new"))


class Call:
    """A request whose messages come as they are listed; keeps what is answered."""

    def __init__(self, method: str, path: str, *messages: dict[str, Any]) -> None:
        self.messages, self.sent = list(messages), list[Any]()
        fields = {
            "authorization": f"Bearer {API_TOKEN}",
            "content-type": "application/json",
            "content-length": "100",
            "if-none-match": "*",
        }
        self.scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in fields.items()],
        }

    async def of(self, app: Api) -> None:
        await app(self.scope, self.receive, self.send)

    async def receive(self) -> dict[str, Any]:
        return self.messages.pop(0)

    async def send(self, message: Any) -> None:
        self.sent.append(message)


def app_on(server: Server) -> Api:
    return create_app(server.scheduler, ServerSettings(api_token=API_TOKEN))


@pytest.mark.parametrize(("method", "path"), PATHS)
async def test_a_client_that_hangs_up_is_no_error(server: Server, method: str, path: str) -> None:
    call = Call(method, path, PIECE, GONE)
    await call.of(app_on(server))

    assert call.messages == []
    assert [message["status"] for message in call.sent if "status" in message] in ([], [400])


async def test_a_bug_on_the_way_of_every_enqueue_is_answered_as_a_problem(server: Server) -> None:
    async def broken(_request: Request) -> Response:
        raise LookupError("a bug")

    app, call = app_on(server), Call("POST", "/api/v1/runs", PIECE)
    app.shortcuts["POST", "/api/v1/runs"] = broken
    with pytest.raises(LookupError):
        await call.of(app)

    started, body = call.sent
    assert (started["status"], msgspec.json.decode(body["body"])["code"]) == (500, "internal")
