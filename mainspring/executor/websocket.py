"""Dials a server over a WebSocket."""

from ssl import SSLContext
from urllib.parse import urlsplit, urlunsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from mainspring.errors import AccessDeniedError, ConfigError, ForbiddenError
from mainspring.settings.security import trust
from mainspring.version import __version__
from mainspring.wire.messages import FRAME_MAX, SUBPROTOCOL

PATH = "/api/v1/executors/connect"
OPEN_MAX = 5.0
CLOSE_MAX = 2.0
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class Problem(msgspec.Struct):
    """Why a server does not open a connection."""

    code: str | None = None
    detail: str = ""


class WebSocketDial:
    """Opens connections with one token."""

    def __init__(self, token: str, ca_file: str = "") -> None:
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._ca_file = ca_file
        self._trust: SSLContext | None = None

    async def __call__(self, url: str) -> "WebSocketConnection":
        address = websocket_url(url)
        try:
            socket = await connect(
                address,
                ssl=self._trusted() if address.startswith("wss:") else None,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                additional_headers=self._headers,
                user_agent_header=f"mainspring-executor/{__version__}",
                compression=None,
                max_size=FRAME_MAX,
                open_timeout=OPEN_MAX,
                close_timeout=CLOSE_MAX,
                ping_interval=None,
            )
        except InvalidStatus as error:
            raise _refusal(url, error) from None
        except (InvalidHandshake, OSError, TimeoutError) as error:
            raise ConnectionError(str(error) or type(error).__name__) from None
        if socket.subprotocol != SUBPROTOCOL:
            await socket.close()
            raise ConfigError(f"{url} does not speak {SUBPROTOCOL}: upgrade the older side")
        return WebSocketConnection(socket)

    def _trusted(self) -> SSLContext:
        if self._trust is None:
            self._trust = trust(self._ca_file)
        return self._trust


class WebSocketConnection:
    """One open WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def send(self, frame: bytes) -> None:
        try:
            await self._socket.send(frame)
        except ConnectionClosed as error:
            raise ConnectionError(str(error)) from None

    async def receive(self) -> bytes:
        try:
            frame = await self._socket.recv(decode=False)
        except ConnectionClosed as error:
            raise ConnectionError(str(error)) from None
        return frame

    async def close(self) -> None:
        await self._socket.close()

    def abort(self) -> None:
        self._socket.transport.abort()


def websocket_url(url: str) -> str:
    """The address of a server as people write it, made into the one executors dial."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise ConfigError(f"{url!r} is not the address of a server, such as https://mainspring.example:8484")
    path = parts.path.rstrip("/")
    return urlunsplit((SCHEMES[parts.scheme], parts.netloc, path if path.endswith(PATH) else path + PATH, "", ""))


def _refusal(url: str, error: InvalidStatus) -> Exception:
    status = error.response.status_code
    try:
        problem = msgspec.json.decode(error.response.body or b"", type=Problem)
    except msgspec.DecodeError:
        problem = Problem()
    reason = f"{url} does not let this executor in: {problem.detail or f'it answered HTTP {status}'}"
    if status == 401:
        return AccessDeniedError(reason, code=problem.code)
    if status == 403:
        return ForbiddenError(reason, code=problem.code)
    return ConnectionError(f"{url} answered HTTP {status}{f': {problem.detail}' if problem.detail else ''}")
