"""Kubernetes: the EndpointSlices of a Service, with the pod's own account."""

import os
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mainspring.clock import Clock
from mainspring.discovery.address import Address
from mainspring.discovery.dns import NamesOnly
from mainspring.discovery.http import HttpBook
from mainspring.discovery.interface import Entry, RegistryAwayError
from mainspring.discovery.polling import Polling
from mainspring.errors import ConfigError

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
PORT = 8484
WATCH = 45.0
"""Seconds after which the API server ends a watch."""


class Kubernetes(NamesOnly):
    """`kubernetes://service.namespace:port`; a server announces itself by being ready."""

    def __init__(self, address: Address, clock: Clock, *, http: HttpBook | None = None, version: str = "v1") -> None:
        super().__init__(address, clock)
        self._service, _, self._namespace = address.hosts[0][0].partition(".")
        if not self._namespace:
            raise ConfigError(f"discovery: {address.text!r} needs service.namespace")
        self._port = address.hosts[0][1] or PORT
        self._http = http or in_cluster()
        self._poll = Polling(address, clock)
        place = f"/apis/discovery.k8s.io/{version}/namespaces/{self._namespace}/endpointslices"
        self._question = f"{place}?labelSelector=kubernetes.io/service-name%3D{self._service}"
        self._resource_version = ""

    async def entries(self) -> list[Entry]:
        self._http.fields |= token_field()
        _, content = await self._http.call("GET", self._question)
        try:
            hosts = [host for piece in content["items"] for host in ready_addresses(piece)]
            self._resource_version = str((content.get("metadata") or {}).get("resourceVersion", ""))
        except (KeyError, TypeError, AttributeError):
            raise RegistryAwayError("the API server does not answer with EndpointSlices") from None
        return [self._entry(host, self._port) for host in dict.fromkeys(hosts)]

    async def changed(self) -> None:
        self._http.fields |= token_field()
        since = f"watch=1&timeoutSeconds={WATCH:.0f}&resourceVersion={quote(self._resource_version, safe='')}"
        await self._poll.watching(self._http.watch("GET", f"{self._question}&{since}", None, _is_news))


def _is_news(line: Any) -> bool:
    """An error too, such as 410 for a version that is forgotten: the list is read anew then."""
    return not isinstance(line, dict) or line.get("type") != "BOOKMARK"


def ready_addresses(piece: Any) -> list[str]:
    endpoints = piece.get("endpoints") or []
    return [
        str(host) for one in endpoints if (one.get("conditions") or {}).get("ready", True) for host in one["addresses"]
    ]


def in_cluster() -> HttpBook:
    """Raises ConfigError outside of a pod."""
    host, authority = os.environ.get("KUBERNETES_SERVICE_HOST"), ACCOUNT / "ca.crt"
    if not host or not authority.exists():
        raise ConfigError("discovery: kubernetes:// works only in a pod, with its service account")
    port = int(os.environ.get("KUBERNETES_SERVICE_PORT", "443"))
    return HttpBook([(host, port)], port=port, tls=ssl.create_default_context(cafile=str(authority)))


def token_field() -> dict[str, str]:
    """Read anew for each call: tokens of pods are rotated."""
    path = ACCOUNT / "token"
    return {"authorization": f"Bearer {path.read_text().strip()}"} if path.exists() else {}
