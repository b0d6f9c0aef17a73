"""Executors dial in here: one WebSocket each."""

import asyncio
import logging

from starlette.routing import Router, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from mainspring.api.auth import Permission, require
from mainspring.api.engine_gate import engine_of
from mainspring.api.errors import problem_of, problem_response
from mainspring.api.http.websocket_fast_path import SOCKET, DirectSocket
from mainspring.api.traffic import Traffic
from mainspring.errors import InvalidInputError, MainspringError, WireError
from mainspring.wire.messages import SUBPROTOCOL

log = logging.getLogger("mainspring.api")

CLOSE_NORMAL = 1000
CLOSE_PROTOCOL = 1002
CLOSE_TEXT = 1003
REASON_MAX = 120
HELLO_TIMEOUT = 10.0
"""Seconds for the first frame; later ones come when there is something to say, and beats show life."""


@require(Permission.EXECUTORS_CONNECT)
async def connect_executor(websocket: WebSocket) -> None:
    """Let an executor in, then carry its frames until either side leaves."""
    try:
        grant = await websocket.app.state.authenticator.admit(websocket, Permission.EXECUTORS_CONNECT)
        engine = engine_of(websocket)
    except MainspringError as error:
        await websocket.send_denial_response(problem_response(problem_of(error)))
        return
    if SUBPROTOCOL not in websocket.scope.get("subprotocols", []):
        refusal = InvalidInputError("Sec-WebSocket-Protocol", f"does not offer {SUBPROTOCOL}", code="subprotocol")
        await websocket.send_denial_response(problem_response(problem_of(refusal)))
        return
    await websocket.accept(subprotocol=SUBPROTOCOL)
    link = SocketLink(websocket)
    try:
        await engine.attach(link, grant)
    except ConnectionError:
        pass
    except WireError as error:
        log.warning("executor connection ended: %s", error)
        await link.close(CLOSE_PROTOCOL, str(error))
    await link.close(CLOSE_NORMAL, "")


router = Router([WebSocketRoute("/api/v1/executors/connect", connect_executor)])


class SocketLink:
    """A Starlette WebSocket as the engine's link to an executor."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._direct: DirectSocket | None = websocket.scope.get(SOCKET)
        self._patience: float | None = HELLO_TIMEOUT
        self._traffic: Traffic = websocket.app.state.traffic

    def send_now(self, frame: bytes) -> bool:
        if self._direct is None or not self._direct.send_now(frame):
            return False
        self._traffic.frame("out", len(frame))
        return True

    async def send(self, frame: bytes) -> None:
        try:
            await self._websocket.send({"type": "websocket.send", "bytes": frame})
        except (WebSocketDisconnect, RuntimeError, OSError) as error:
            raise ConnectionError("the executor is gone") from error
        self._traffic.frame("out", len(frame))

    async def receive(self) -> bytes:
        if self._patience is None and self._direct is not None:
            # Asked for again: the first frame was a good hello.
            self._direct.hear_more()
        try:
            async with asyncio.timeout(self._patience):
                message = await self._websocket.receive()
        except TimeoutError:
            await self.close(CLOSE_PROTOCOL, f"no hello within {HELLO_TIMEOUT:.0f} s")
            raise ConnectionError("the executor said nothing") from None
        except RuntimeError as error:
            raise ConnectionError("the executor is gone") from error
        self._patience = None
        if message["type"] == "websocket.disconnect":
            raise ConnectionError(f"the executor closed the connection ({message.get('code')})")
        frame: bytes | None = message.get("bytes")
        if frame is None:
            await self.close(CLOSE_TEXT, "frames are binary")
            raise ConnectionError("the executor sent text")
        self._traffic.frame("in", len(frame))
        return frame

    async def close(self, code: int, reason: str) -> None:
        if WebSocketState.DISCONNECTED in (self._websocket.client_state, self._websocket.application_state):
            return
        try:
            await self._websocket.close(code, reason[:REASON_MAX])
        except (WebSocketDisconnect, RuntimeError, OSError):
            return
