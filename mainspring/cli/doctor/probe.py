"""Asks a server one question with a short timeout."""

import ssl
from datetime import datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from mainspring.client.transport.fail_over import none_left
from mainspring.client.transport.problems import error_of, unreadable
from mainspring.client.transport.servers import check_urls, headers, unreachable
from mainspring.client.transport.versions import HEADER, Headers, Origin
from mainspring.errors import UnavailableError
from mainspring.settings import ClientSettings, load
from mainspring.settings.security import trust

T = TypeVar("T")

PATIENCE = 5.0
PRODUCT = "mainspring"


class ServerVersion(msgspec.Struct, frozen=True):
    product: str
    version: str | None = None
    """Present, like the fields below, only for a valid token."""
    protocol: int | None = None
    python: str | None = None


class Answer(msgspec.Struct, frozen=True):
    """A server's response; `certificate` is set over TLS only."""

    url: str
    code: int
    headers: Headers
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
            return msgspec.json.decode(self.content, type=ServerVersion).product == PRODUCT
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


def ask(target: ClientSettings, path: str, *, patience: float = PATIENCE) -> Answer:
    """Return the first response in time; raises UnavailableError if no server answers."""
    errors: list[UnavailableError] = []
    for url in target.url:
        try:
            return ask_one(url, target, path, patience=patience)
        except UnavailableError as error:
            errors.append(error)
    raise none_left(errors)


def ask_one(url: str, target: ClientSettings, path: str, *, patience: float = PATIENCE) -> Answer:
    """Return the response of this server; raises UnavailableError if it does not answer in time."""
    parts = urlsplit(url)
    connection = open_connection(url, target, patience)
    try:
        connection.request("GET", parts.path.rstrip("/") + path, headers=headers(target) if target.token else {})
        certificate = connection.sock.getpeercert() if isinstance(connection.sock, ssl.SSLSocket) else None
        answer = connection.getresponse()
        return Answer(url, answer.status, answer.headers, answer.read(), certificate)
    except (OSError, HTTPException) as error:
        raise unreachable(url, error) from None
    finally:
        connection.close()


def fetch(target: ClientSettings, path: str, kind: type[T]) -> T:
    """Return the decoded response; raises the server's error, or UnavailableError."""
    answer = ask(target, path)
    origin = Origin(answer.url, answer.headers)
    if answer.code != 200:
        raise error_of(answer.code, answer.content, origin)
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except msgspec.DecodeError as error:
        raise unreadable(error, origin) from None


def open_connection(url: str, target: ClientSettings, patience: float) -> HTTPConnection:
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port
    if parts.scheme == "https":
        return HTTPSConnection(host, port, timeout=patience, context=trust(target.ca_file))
    return HTTPConnection(host, port, timeout=patience)


def ask_version(target: ClientSettings) -> ServerVersion:
    """Return the server's versions; raises UnavailableError if no Mainspring server answers."""
    return fetch(target, "/version", ServerVersion)
