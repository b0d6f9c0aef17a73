"""Connects to the address that was checked, so that a second DNS answer cannot lead elsewhere."""

import asyncio
import socket
from typing import Any

import httpcore2

from mainspring.outgoing.guard import Guard


class UnresolvedError(Exception):
    """A name that has no address."""


class AddressForbiddenError(Exception):
    """A name whose addresses all lie in networks that may not be reached."""


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Resolves a name once and connects to the checked address."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore2.AsyncNetworkStream:
        last: Exception | None = None
        for address in await allowed(self._guard, host, port):
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
        assert last is not None
        raise last


async def allowed(guard: Guard, host: str, port: int) -> list[str]:
    """The addresses of a name that may be reached; raises UnresolvedError and AddressForbiddenError."""
    refused: list[str] = []
    found: list[str] = []
    for address in await resolve(host, port):
        if (refusal := guard.refusal(address)) is None:
            found.append(address)
        else:
            refused.append(refusal)
    if not found:
        raise AddressForbiddenError(f"{host} is {', '.join(refused)}")
    return found


async def resolve(host: str, port: int) -> list[str]:
    """Every address of a name; raises UnresolvedError."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise UnresolvedError(f"{host} cannot be resolved: {error.strerror or error}") from None
    return list(dict.fromkeys(str(place[4][0]) for place in found))
