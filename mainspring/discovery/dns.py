"""DNS: the addresses of a name, and SRV records."""

import asyncio
import socket
from importlib import import_module
from typing import Any

from mainspring.clock import Clock
from mainspring.discovery.address import Address
from mainspring.discovery.interface import Entry, EntryKind, RegistryAwayError
from mainspring.errors import ConfigError

PORT = 8484
PATIENCE = 5.0


class NamesOnly:
    """An address book that others keep: it is asked again and again, and nothing is announced in it."""

    def __init__(self, address: Address, clock: Clock) -> None:
        self.unreadable = 0
        self._address = address
        self._clock = clock

    async def announce(self, entry: Entry, *, ttl: float) -> None:  # noqa: ARG002 of every registry
        raise ConfigError(f"discovery: nothing can be announced in {self._address.text}")

    async def withdraw(self, entry: Entry) -> None:
        """Nothing was announced."""

    async def changed(self) -> None:
        await self._clock.sleep(self._address.every)

    async def close(self) -> None:
        """Nothing is open."""

    def _entry(self, host: str, port: int) -> Entry:
        scheme, place = "https" if self._address.tls else "http", f"[{host}]" if ":" in host else host
        url = f"{scheme}://{place}:{port}"
        return Entry(kind=EntryKind.SERVER, id=url, name=host, url=url)


class DnsNames(NamesOnly):
    """All A and AAAA records of a name, such as that of a headless Service."""

    async def entries(self) -> list[Entry]:
        [(host, port), *_] = self._address.hosts
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE):
                found = await loop.getaddrinfo(host, port or PORT, type=socket.SOCK_STREAM)
        except (OSError, TimeoutError) as error:
            raise RegistryAwayError(f"{host}: {error or 'no answer'}") from None
        return [self._entry(*address) for address in dict.fromkeys((str(one[4][0]), int(one[4][1])) for one in found)]


class DnsServices(NamesOnly):
    """SRV records, in the order of their priority and weight."""

    def __init__(self, address: Address, clock: Clock) -> None:
        super().__init__(address, clock)
        try:
            asking, self._errors = import_module("dns.asyncresolver"), import_module("dns.exception")
        except ImportError:
            raise ConfigError("dns+srv:// takes an extra library: pip install 'mainspring[dns]'") from None
        self._resolver: Any = asking.Resolver()

    def ask(self, host: str, port: int) -> None:
        """Ask this name server instead of the system's."""
        self._resolver.nameservers, self._resolver.port = [host], port

    async def entries(self) -> list[Entry]:
        name = self._address.hosts[0][0]
        try:
            found = await self._resolver.resolve(name, "SRV", lifetime=PATIENCE)
        except (self._errors.DNSException, OSError) as error:
            raise RegistryAwayError(f"{name}: {error}") from None
        records = sorted(found, key=lambda one: (one.priority, -one.weight))
        return [self._entry(str(one.target).rstrip("."), one.port) for one in records]
