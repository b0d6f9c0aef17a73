"""Dials a server over a WebSocket."""

from urllib.parse import urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from mainspring.errors import AccessDeniedError, ConfigError
from mainspring.version import __version__
from mainspring.wire.messages import FRAME_MAX, SUBPROTOCOL

PATH = "/api/v1/executors/connect"
OPEN_MAX = 5.0
CLOSE_MAX = 2.0
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class WebSocketDial:
    """Opens connections with one token."""

    def __init__(self, token: str) -> None:
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def __call__(self, url: str) -> "WebSocketConnection":
        try:
            socket = await connect(
                websocket_url(url),
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
    code = error.response.status_code
    if code in (401, 403):
        return AccessDeniedError(f"{url} does not accept this executor's token (HTTP {code})")
    return ConnectionError(f"{url} answered HTTP {code}")
