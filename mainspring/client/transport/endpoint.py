"""One server as both transports see it: the way there, the requests as bytes, the answers as values."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from mainspring.client.calls import Request, T, parse
from mainspring.client.transport.http11.request import encode_request, head_fields
from mainspring.client.transport.http11.response import SERVERS_HEADER, ResponseReader
from mainspring.client.transport.servers import headers
from mainspring.client.transport.versions import AnswerOrigin
from mainspring.client.values import check_params
from mainspring.settings import ClientSettings
from mainspring.settings.proxies import ProxyRefusedError, find_proxy
from mainspring.settings.security import trust

if TYPE_CHECKING:
    from ssl import SSLContext

PATH_SAFE = "/%:@!$&'()*+,;=~"
JSON = "content-type: application/json\r\n"

CREATED, FULL = 201, 429
PRESSURE_HEADER = "mainspring-pressure"
Hear = Callable[[str, str], None]
"""Takes the address of a server, and what it says of the servers of its cluster."""


class Endpoint:
    """Where to connect to, and with which certificates to trust."""

    def __init__(self, url: str, settings: ClientSettings, connect_max: float, hear: Hear) -> None:
        parts = urlsplit(url)
        self.url = url.rstrip("/")
        self.connect_max = connect_max
        self.host = parts.hostname or ""
        self.port = parts.port or (443 if parts.scheme == "https" else 80)
        self.tls: SSLContext | None = trust(settings.ca_file) if parts.scheme == "https" else None
        self._netloc = parts.netloc.rpartition("@")[2]
        self._proxy = find_proxy(parts)
        given = {"host": self._netloc} | headers(settings)
        self._prefix = quote(parts.path.rstrip("/"), safe=PATH_SAFE)
        if self._proxy is not None and self.tls is None:
            self._prefix = f"http://{self._netloc}{self._prefix}"
            given = given | self._proxy.fields
        self._fields = head_fields(given)
        self._hear = hear
        self.pressure = 0.0
        """How full the place of the last enqueued runs was, as the server said."""

    @property
    def address(self) -> tuple[str, int]:
        """Of the server, or of the proxy on the way there."""
        return (self.host, self.port) if self._proxy is None else (self._proxy.host, self._proxy.port)

    @property
    def tunnel(self) -> bytes:
        """The request that has a proxy open the way for TLS; empty where none is needed."""
        if self._proxy is None or self.tls is None:
            return b""
        place = f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
        return encode_request("CONNECT", place, head_fields({"host": place} | self._proxy.fields))

    def encode(self, request: Request[Any]) -> bytes:
        target = self._prefix + request.path
        if request.params:
            check_params(request.params)
            target += "?" + urlencode(request.params, doseq=True)
        fields = self._fields + (head_fields(request.headers) if request.headers else "")
        return encode_request(
            request.method, target, fields + JSON if request.body is not None else fields, request.body
        )

    def read(self, request: Request[T], response: ResponseReader, content: bytes) -> T:
        """The answer; raises the error that it carries."""
        if response.names_servers:
            self._hear(self.url, response.headers.get(SERVERS_HEADER) or "")
        if response.status in (CREATED, FULL):
            self.pressure = pressure_of(response)
        return parse(request, response.status, content, AnswerOrigin(self.url, response.headers))


def pressure_of(response: ResponseReader) -> float:
    """From 0 to 1; 0 where the server has said none, or nothing that makes sense."""
    try:
        said = float(response.headers.get(PRESSURE_HEADER) or 0)
    except ValueError:
        return 0.0
    return said if 0 <= said <= 1 else 0.0


def check_tunnel(response: ResponseReader) -> None:
    """Raises ProxyRefusedError unless a proxy has opened the way."""
    if response.status >= 300:
        raise ProxyRefusedError(f"the proxy on the way refused with {response.status}")
