"""Proxies on the way to a server, as HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY say."""

import os
from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec

from mainspring.errors import ConfigError
from mainspring.settings.loopback import is_loopback

PORT = 80


class ProxyRefusedError(ConnectionError):
    """A proxy did not open the way to a server."""


class Proxy(msgspec.Struct, frozen=True):
    """A proxy that speaks plain HTTP, and what it has to be told."""

    host: str
    port: int
    fields: dict[str, str] = {}


def find_proxy(url: SplitResult, environment: Mapping[str, str] = os.environ) -> Proxy | None:
    """The proxy that calls to the server go through; servers on this machine are reached directly.

    Raises ConfigError for a proxy that is none.
    """
    host = (url.hostname or "").lower()
    if is_loopback(host) or is_excepted(host, url.port, read(environment, "no_proxy")):
        return None
    given = read(environment, f"{url.scheme}_proxy") or read(environment, "all_proxy")
    return parse_proxy(given) if given else None


def read(environment: Mapping[str, str], name: str) -> str:
    """The variable in small letters, or in capitals.

    In a CGI script, capitals are not read for HTTP_PROXY: that is a header there, which any caller can set.
    """
    if name == "http_proxy" and "REQUEST_METHOD" in environment:
        return environment.get(name, "")
    return environment.get(name) or environment.get(name.upper(), "")


def is_excepted(host: str, port: int | None, exceptions: str) -> bool:
    """Whether a host, a domain that it is in, or * is among the exceptions."""
    for exception in exceptions.lower().replace(",", " ").split():
        name, _, number = exception.partition(":") if exception.count(":") == 1 else (exception, "", "")
        if number and number != str(port):
            continue
        domain = name.removeprefix("*").removeprefix(".")
        if name == "*" or host == domain or (domain and host.endswith(f".{domain}")):
            return True
    return False


def parse_proxy(text: str) -> Proxy:
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, SplitResult("", "", "", "", "")
    if parts.scheme != "http" or not host:
        # It may have a password, and so is not shown.
        raise ConfigError("the proxy of the environment is not one such as http://proxy.example:3128")
    fields = {}
    if parts.username is not None:
        known = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        fields["proxy-authorization"] = f"Basic {b64encode(known.encode()).decode()}"
    return Proxy(host, port or PORT, fields)
