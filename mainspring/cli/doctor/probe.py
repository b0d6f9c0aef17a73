"""Asks a server one question with a short timeout."""

import ssl
from datetime import datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from mainspring.client.calls import Request, T, ask, parse
from mainspring.client.transport.fail_over import none_left
from mainspring.client.transport.servers import check_urls, headers, unreachable
from mainspring.client.transport.versions import HEADER, AnswerOrigin, HeaderReader
from mainspring.contract.cluster import VersionInfo
from mainspring.contract.operations.cluster import VERSION
from mainspring.errors import UnavailableError
from mainspring.settings import ClientSettings, load
from mainspring.settings.security import trust

PATIENCE = 5.0
PRODUCT = "mainspring"


class ProbeAnswer(msgspec.Struct, frozen=True):
    """A server's response; `certificate` is set over TLS only."""

    url: str
    code: int
    headers: HeaderReader
    content: bytes
    certificate: dict[str, Any] | None = None

    @property
    def version(self) -> str:
        """Version of the server; empty if it is not a Mainspring server."""
        return self.headers.get(HEADER) or ""

    @property
    def is_ours(self) -> bool:
        """Return whether a Mainspring server sent this response."""
        try:
            return msgspec.json.decode(self.content, type=VersionInfo).product == PRODUCT
        except msgspec.DecodeError:
            return False

    @property
    def said_at(self) -> datetime | None:
        """Return the server's time, to the second."""
        date = self.headers.get("date")
        return parsedate_to_datetime(date) if date else None


def target_of(
    *, config: str | None, home: str | None, url: str | None, namespace: str | None, context: str | None = None
) -> ClientSettings:
    """Return the server that a command would call, with or without a token."""
    flags = {"home": home, "url": url, "namespace": namespace}
    settings = load(ClientSettings, flags, config=config, context=context)
    check_urls(settings.url)
    return settings


def probe(target: ClientSettings, path: str, *, patience: float = PATIENCE) -> ProbeAnswer:
    """Return the first response in time; raises UnavailableError if no server answers."""
    errors: list[UnavailableError] = []
    for url in target.url:
        try:
            return probe_one(url, target, path, patience=patience)
        except UnavailableError as error:
            errors.append(error)
    raise none_left(errors)


def probe_one(url: str, target: ClientSettings, path: str, *, patience: float = PATIENCE) -> ProbeAnswer:
    """Return the response of this server; raises UnavailableError if it does not answer in time."""
    parts = urlsplit(url)
    connection = open_connection(url, target, patience)
    try:
        connection.request("GET", parts.path.rstrip("/") + path, headers=headers(target) if target.token else {})
        certificate = connection.sock.getpeercert() if isinstance(connection.sock, ssl.SSLSocket) else None
        answer = connection.getresponse()
        return ProbeAnswer(url, answer.status, answer.headers, answer.read(), certificate)
    except (OSError, HTTPException) as error:
        raise unreachable(url, error) from None
    finally:
        connection.close()


def fetch(target: ClientSettings, request: Request[T]) -> T:
    """Return the decoded response; raises the server's error, or UnavailableError."""
    query = urlencode(request.params, doseq=True)
    answer = probe(target, f"{request.path}?{query}" if query else request.path)
    return parse(request, answer.code, answer.content, AnswerOrigin(answer.url, answer.headers))


def open_connection(url: str, target: ClientSettings, patience: float) -> HTTPConnection:
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port
    if parts.scheme == "https":
        return HTTPSConnection(host, port, timeout=patience, context=trust(target.ca_file))
    return HTTPConnection(host, port, timeout=patience)


def ask_version(target: ClientSettings) -> VersionInfo:
    """Return the server's versions; raises UnavailableError if no Mainspring server answers."""
    return fetch(target, ask(VERSION))
