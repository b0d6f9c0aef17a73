"""Asks a server one thing, with little patience: for commands that want to know whether and who is there."""

import ssl
from datetime import datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from mainspring.client.problems import error_of, unreadable
from mainspring.client.servers import check_url, headers, unreachable
from mainspring.client.versions import HEADER, Headers, Origin
from mainspring.settings import ClientSettings, load
from mainspring.settings.security import trust

T = TypeVar("T")

PATIENCE = 5.0


class Answer(msgspec.Struct, frozen=True):
    """What came back; `certificate` over TLS only."""

    code: int
    headers: Headers
    content: bytes
    certificate: dict[str, Any] | None = None

    @property
    def version(self) -> str:
        """That of the server; empty if it is not one of ours."""
        return self.headers.get(HEADER) or ""

    @property
    def said_at(self) -> datetime | None:
        """What time it was there, to the second."""
        date = self.headers.get("date")
        return parsedate_to_datetime(date) if date else None


class ServerVersion(msgspec.Struct, frozen=True):
    version: str
    protocol: int
    python: str


def target_of(
    *, config: str | None, home: str | None, url: str | None, namespace: str | None, context: str | None = None
) -> ClientSettings:
    """Where a command would go, with or without a token."""
    flags = {"home": home, "url": url, "namespace": namespace}
    settings = load(ClientSettings, flags, config=config, context=context)
    check_url(settings.url)
    return settings


def ask(target: ClientSettings, path: str, *, patience: float = PATIENCE) -> Answer:
    """Raises UnavailableError if nobody answers in time."""
    parts = urlsplit(target.url)
    connection = open_connection(target, patience)
    try:
        connection.request("GET", parts.path.rstrip("/") + path, headers=headers(target) if target.token else {})
        certificate = connection.sock.getpeercert() if isinstance(connection.sock, ssl.SSLSocket) else None
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read(), certificate)
    except (OSError, HTTPException) as error:
        raise unreachable(target.url, error) from None
    finally:
        connection.close()


def fetch(target: ClientSettings, path: str, kind: type[T]) -> T:
    """What the server has there; raises the error that it answers with, or UnavailableError."""
    answer = ask(target, path)
    origin = Origin(target.url, answer.headers)
    if answer.code != 200:
        raise error_of(answer.code, answer.content, origin)
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except msgspec.DecodeError as error:
        raise unreadable(error, origin) from None


def open_connection(target: ClientSettings, patience: float) -> HTTPConnection:
    parts = urlsplit(target.url)
    host, port = parts.hostname or "", parts.port
    if parts.scheme == "https":
        return HTTPSConnection(host, port, timeout=patience, context=trust(target.ca_file))
    return HTTPConnection(host, port, timeout=patience)


def ask_version(target: ClientSettings) -> ServerVersion:
    """Raises UnavailableError if nobody answers, or somebody else."""
    return fetch(target, "/version", ServerVersion)
