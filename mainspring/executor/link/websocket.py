"""Dials a server over a WebSocket.

Load balancers, proxies, captive portals and other programs may stand between an executor and its server. So every error of
the library becomes a ConnectionError with a message of our own.
"""

import logging
from collections.abc import Sequence
from ssl import SSLContext
from urllib.parse import urlsplit, urlunsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from mainspring.errors import AccessDeniedError, ConfigError, ForbiddenError
from mainspring.executor.link.link import FORBIDDEN_CODES, TOKEN_CODES
from mainspring.executor.link.trouble import dialling_trouble, lost, printable
from mainspring.settings.security import trust
from mainspring.version import __version__
from mainspring.wire.messages import FRAME_MAX, SUBPROTOCOL

PATH = "/api/v1/executors/connect"
CLOSE_MAX = 2.0
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}

# Its own lines speak of opcodes and dump frames; ours say what matters.
silence = logging.getLogger("mainspring.executor.frames")
silence.setLevel(logging.CRITICAL + 1)


class DialProblem(msgspec.Struct):
    """Why a server does not open a connection."""

    code: str | None = None
    detail: str = ""


class WebSocketDial:
    """Opens connections with one token."""

    def __init__(self, token: str, ca_file: str = "") -> None:
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._ca_file = ca_file
        self._trust: SSLContext | None = None

    async def __call__(self, url: str, within: float) -> "WebSocketConnection":
        address = websocket_url(url)
        trusted = self._trusted() if address.startswith("wss:") else None
        try:
            socket = await connect(
                address,
                ssl=trusted,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                additional_headers=self._headers,
                user_agent_header=f"mainspring-executor/{__version__}",
                compression=None,
                max_size=FRAME_MAX,
                open_timeout=within,
                close_timeout=CLOSE_MAX,
                ping_interval=None,
                logger=silence,
            )
        except InvalidStatus as error:
            raise _refusal(url, error) from None
        except Exception as error:  # noqa: BLE001 whatever a network does, another try may mend it
            raise ConnectionError(dialling_trouble(error, within)) from None
        if socket.subprotocol != SUBPROTOCOL:
            socket.transport.abort()
            raise ConnectionError(f"it does not speak {SUBPROTOCOL}: is this a server, and of this version?")
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
        except Exception as error:  # noqa: BLE001 as above
            raise ConnectionError(lost(error)) from None

    async def receive(self) -> bytes:
        try:
            return await self._socket.recv(decode=False)
        except Exception as error:  # noqa: BLE001 as above
            raise ConnectionError(lost(error)) from None

    async def close(self) -> None:
        try:
            await self._socket.close()
        except Exception as error:  # noqa: BLE001 as above
            raise ConnectionError(lost(error)) from None

    def abort(self) -> None:
        self._socket.transport.abort()


def check_servers(urls: Sequence[str], *, or_books: bool = False) -> None:
    """Raises ConfigError unless there is one at least, or an address book, and all of them can be dialled."""
    if not urls and not or_books:
        raise ConfigError("no address of a server is given, such as https://mainspring.example:8484")
    for url in urls:
        websocket_url(url)


def websocket_url(url: str) -> str:
    """The address of a server as people write it, made into the one executors dial."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise ConfigError(f"servers: {url!r} is not the address of a server, such as https://mainspring.example:8484")
    if "@" in parts.netloc:
        # It would be sent in the place of the token.
        raise ConfigError("servers: leave user and password out of the address: the token has a setting of its own")
    path = parts.path.rstrip("/")
    return urlunsplit((SCHEMES[parts.scheme], parts.netloc, path if path.endswith(PATH) else path + PATH, "", ""))


def _refusal(url: str, error: InvalidStatus) -> Exception:
    """The error for a refused handshake; final only if a Mainspring server refused it, not a proxy in front of it."""
    status = error.response.status_code
    try:
        problem = msgspec.json.decode(error.response.body or b"", type=DialProblem)
    except (msgspec.DecodeError, UnicodeDecodeError):
        problem = DialProblem()
    reason = f"{url} does not let this executor in: {problem.detail}"
    if status == 401 and problem.code in TOKEN_CODES:
        return AccessDeniedError(reason, code=problem.code)
    if status == 403 and problem.code in FORBIDDEN_CODES:
        return ForbiddenError(reason, code=problem.code)
    return ConnectionError(f"it answered HTTP {status}{f': {printable(problem.detail)}' if problem.code else ''}")
