"""The servers of one client: those of its settings, and those that these have named since."""

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec

from mainspring.client.calls import Request
from mainspring.client.transport.endpoint import Endpoint
from mainspring.client.transport.fail_over import may_go_on
from mainspring.client.transport.servers import CONNECT_MAX, TIMEOUT, UnreachableError
from mainspring.clock import SystemClock
from mainspring.discovery.directory import BY_SERVERS, Directory
from mainspring.discovery.rules import address_rules
from mainspring.domain.cluster.server import ServerAddress
from mainspring.errors import UnavailableError
from mainspring.settings import ClientSettings
from mainspring.settings.loopback import is_loopback


class HasEndpoint(Protocol):
    endpoint: Endpoint

    def close(self) -> None: ...


S = TypeVar("S", bound=HasEndpoint)


class Route(Generic[S]):
    """The order in which a call tries servers: those of the settings as named, then the others; failed ones last."""

    def __init__(self, settings: ClientSettings, open_: Callable[[Endpoint], S]) -> None:
        self._settings = settings
        self._open = open_
        self._directory = directory_of(settings)
        self._monotonic = SystemClock().monotonic
        # Threads of one client may hear of servers at the same time; the second has nothing to add to the first.
        self._learning = threading.Lock()
        self._opened: dict[str, S] = {}
        only = len(self._directory) == 1
        for one in self._directory:
            self._opened[one.url] = self._made(one.url, TIMEOUT if only else CONNECT_MAX)
        self.only: S | None = next(iter(self._opened.values())) if only else None
        """The server, while there is only one."""
        self._last: S | None = None
        """The one that answered last, where there are several."""

    @property
    def pressure(self) -> float:
        """As the server said that answered last."""
        server = self.only or self._last
        return 0.0 if server is None else server.endpoint.pressure

    def order(self) -> Iterator[S]:
        now = self._monotonic()
        first = self._directory.next(now)
        yield self._server(first)
        for url in self._directory.order(now):
            if url != first:
                yield self._server(url)

    def answered(self, server: S) -> None:
        self._last = server
        self._directory.reached(server.endpoint.url, self._monotonic())

    def note_failure(self, server: S, request: Request[Any], error: UnavailableError) -> None:
        """Remember it; raises the error where no other server may be asked."""
        going_on = may_go_on(request, error)
        if going_on or isinstance(error, UnreachableError):
            self._directory.failed(server.endpoint.url, self._monotonic())
        if not going_on:
            raise error

    def close(self) -> None:
        for server in list(self._opened.values()):
            server.close()

    def _server(self, url: str) -> S:
        found = self._opened.get(url)
        return found if found is not None else self._opened.setdefault(url, self._made(url, CONNECT_MAX))

    def _made(self, url: str, connect_max: float) -> S:
        return self._open(Endpoint(url, self._settings, connect_max, self._hear))

    def _hear(self, url: str, said: str) -> None:
        """A server has named the servers of its cluster."""
        try:
            servers = msgspec.json.decode(said.encode("latin-1"), type=list[ServerAddress])
        except (msgspec.DecodeError, UnicodeError):
            return
        if not self._learning.acquire(blocking=False):
            return
        try:
            self._directory.learn(BY_SERVERS, servers, self._monotonic(), said_by=url)
        finally:
            self._learning.release()
        if self.only is not None and len(self._directory) > 1:
            self.only.endpoint.connect_max = CONNECT_MAX
            self.only = None


def directory_of(settings: ClientSettings) -> Directory:
    """Raises ConfigError for rules that cannot be used."""
    rules = address_rules(settings.discovery_hosts, settings.discovery_networks)
    seeds = [url.rstrip("/") for url in settings.url]
    if not rules.hosts and all(is_loopback(urlsplit(url).hostname or "") for url in seeds):
        # Its token may be one of this machine's home; through a tunnel, the names of the far side mean nothing here.
        rules = msgspec.structs.replace(rules, here_only=True)
    # Nothing is lost with an address that is ignored, and a script's output is its own.
    return Directory(seeds, zone=settings.zone, rules=rules, seeds_first=True, loudness=logging.DEBUG)
