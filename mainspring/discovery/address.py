"""Addresses of address books, such as etcd://e1:2379,e2:2379/mainspring, and the adapter of each scheme."""

import importlib
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from mainspring.clock import Clock
from mainspring.discovery.interface import Registry
from mainspring.errors import ConfigError
from mainspring.settings.loopback import is_loopback
from mainspring.settings.security import check_readable

GROUP = "mainspring.discovery"
"""Entry points: the name is a scheme, the object takes an `Address` and a `Clock` and is a `Registry`."""
BUILT_IN = {
    "dns": "mainspring.discovery.dns:DnsNames",
    "dns+srv": "mainspring.discovery.dns:DnsServices",
    "etcd": "mainspring.discovery.etcd:Etcd",
    "consul": "mainspring.discovery.consul:Consul",
    "kubernetes": "mainspring.discovery.kubernetes:Kubernetes",
    "zookeeper": "mainspring.discovery.zookeeper:ZooKeeper",
}
SEEDS = ("http", "https", "ws", "wss")
NAMES_ONLY = ("dns", "dns+srv", "kubernetes")
"""Books that others keep: nothing is announced in them, and they take no login."""
OPTIONS = ("every", "tls", "ca_file", "credentials_file")
EVERY = 5.0
PORT_MAX = 65_535


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """An address book as the settings name it."""

    text: str
    scheme: str
    hosts: tuple[tuple[str, int], ...]
    """Port 0: none was named."""
    path: str
    """Without slashes around it."""
    every: float = EVERY
    """Seconds after which it is asked again."""
    tls: bool = False
    """Whether the address book is spoken to by TLS; for one that names only hosts: whether servers out of it are."""
    ca_file: str = ""
    """PEM file with the authorities of the address book's certificate; empty: those that the system knows."""
    credentials_file: str = ""
    """File with a token, or `user:password`."""


def is_source(text: str) -> bool:
    """Whether it is an address book and not a server."""
    return "://" in text and text.partition("://")[0] not in SEEDS


def split_sources(texts: Iterable[str]) -> tuple[list[str], list[str]]:
    """The servers, and the address books."""
    texts = list(texts)
    return [text for text in texts if not is_source(text)], [text for text in texts if is_source(text)]


def parse_address(text: str, setting: str = "discovery") -> Address:
    """Raises ConfigError that names the setting."""
    scheme, _, rest = text.partition("://")
    if scheme not in BUILT_IN and scheme not in plug_ins():
        known = ", ".join(["http", "https", *sorted(BUILT_IN)])
        raise ConfigError(f"{setting}: {text!r} is no address of a server or an address book; the schemes are {known}")
    parts = urlsplit(f"//{rest}")
    if "@" in parts.netloc:
        raise ConfigError(
            f"{setting}: leave user and password out of {scheme}://…: put them into a file, credentials_file=…"
        )
    hosts = tuple(_host(host, text, setting) for host in parts.netloc.split(",") if host)
    path = parts.path.strip("/")
    if not hosts or any(part in ("", "..", ".") for part in path.split("/") if path):
        raise ConfigError(f"{setting}: {text!r} needs a host, and a path without '..'")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := options.keys() - set(OPTIONS):
        known = ", ".join(OPTIONS)
        raise ConfigError(f"{setting}: {text!r} has the unknown option {min(unknown)!r}; there are {known}")
    made = Address(
        text=text,
        scheme=scheme,
        hosts=hosts,
        path=path,
        every=_seconds(options.get("every", str(EVERY)), text, setting),
        tls=_switch(options.get("tls", "false"), text, setting) or "ca_file" in options,
        ca_file=options.get("ca_file", ""),
        credentials_file=options.get("credentials_file", ""),
    )
    check_files(made, options, setting)
    return made


def check_files(address: Address, options: Mapping[str, str], setting: str) -> None:
    """Raises ConfigError for files that cannot be read, are of no use, or would be shown to every listener."""
    for name in options.keys() & {"ca_file", "credentials_file"}:
        if address.scheme in NAMES_ONLY:
            raise ConfigError(f"{setting}: {address.scheme}:// takes no {name}")
        check_readable(f"{setting}: {name}", options[name])
    outside = [host for host, _ in address.hosts if not is_loopback(host)]
    if address.credentials_file and not address.tls and outside:
        raise ConfigError(
            f"{setting}: the credentials for {outside[0]} would travel in the clear: add tls=true to {address.text!r}"
        )


def open_registry(address: Address, clock: Clock) -> Registry:
    """The adapter of the address's scheme; raises ConfigError if its library is not installed."""
    if address.scheme in BUILT_IN:
        module, _, name = BUILT_IN[address.scheme].partition(":")
        made: Any = getattr(importlib.import_module(module), name)
    else:
        made = plug_ins()[address.scheme].load()
    registry: Registry = made(address, clock)
    return registry


def plug_ins() -> dict[str, Any]:
    """Entry points of others, by scheme."""
    # Only a scheme that is not built in pays for looking through what is installed.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return {point.name: point for point in entry_points(group=GROUP)}


def _host(text: str, whole: str, setting: str) -> tuple[str, int]:
    host, port = text, ""
    if not text.endswith("]"):
        host, _, port = text.rpartition(":") if ":" in text else (text, "", "")
    if not host or (port and (not port.isdecimal() or not 0 < int(port) <= PORT_MAX)):
        raise ConfigError(f"{setting}: {whole!r} has a bad host or port")
    return host.strip("[]"), int(port or 0)


def _switch(text: str, whole: str, setting: str) -> bool:
    if text not in ("true", "false"):
        raise ConfigError(f"{setting}: {whole!r} has a bad option tls: true or false")
    return text == "true"


def _seconds(text: str, whole: str, setting: str) -> float:
    number = text.removesuffix("s")
    if not number.replace(".", "", 1).isdecimal() or not 0 < float(number) <= 3600:
        raise ConfigError(f"{setting}: {whole!r} has a bad option every: seconds, such as 10s")
    return float(number)
