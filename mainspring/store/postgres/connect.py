"""Opening connections: to whichever of the URL's hosts takes writes, and never for long to one that keeps silent."""

import os
import socket
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg

from mainspring.store.postgres.pool import Connection

CONNECT_TIMEOUT = 5.0
SILENCE_MAX = 5.0
"""Seconds after which a host that acknowledges nothing is given up. A busy one acknowledges, however long a statement takes."""
KEEPALIVE = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": int(SILENCE_MAX * 1000)}
"""Not every system knows all of them."""
PASSED_OVER = (
    OSError,
    TimeoutError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
)
"""A host that is away, starting, full or a standby: another one may do."""
NOT_MATCHED = asyncpg.TargetServerAttributeNotMatched


class HostDialling:
    """Tries the hosts in turn, beginning with the one that answered last."""

    def __init__(self, dsn: str) -> None:
        self._hosts = split_hosts(dsn)

    async def connect(self, **options: Any) -> Connection:
        """Raises what a host said if none will do: of one that is away rather than of a standby that is well."""
        refusals: list[Exception] = []
        # A copy: many connect at the same time, and each has to try every host.
        for host in tuple(self._hosts):
            try:
                connection = await self._dial(host, options)
            except PASSED_OVER as error:
                refusals.append(error)
            else:
                self._hosts.sort(key=lambda other: other != host)
                return connection
        raise next((error for error in refusals if not isinstance(error, NOT_MATCHED)), refusals[0])

    async def _dial(self, host: str, options: dict[str, Any]) -> Connection:
        # Each has its own share of the time: one that swallows packets must not use up the others'.
        connection = await asyncpg.connect(host, timeout=CONNECT_TIMEOUT / len(self._hosts), **options)
        notice_silence(connection)
        return connection


def split_hosts(dsn: str) -> list[str]:
    """One URL for each host; of several, only one that takes writes will do, unless the URL says otherwise."""
    parts = urlsplit(dsn)
    query = dict(parse_qsl(parts.query))
    who, at, places = parts.netloc.rpartition("@")
    if "," not in places:
        return [dsn]
    query.setdefault("target_session_attrs", "read-write")
    return [
        urlunsplit(parts._replace(netloc=f"{who}{at}{place}", query=urlencode(query))) for place in places.split(",")
    ]


def notice_silence(connection: Connection) -> None:
    """Have the system break a connection whose other side is gone without a word, instead of waiting for many minutes."""
    transport = connection._transport  # noqa: SLF001 the driver has no public door to it
    found = transport.get_extra_info("socket")
    if found is None or found.family not in (socket.AF_INET, socket.AF_INET6):
        return
    with socket.socket(fileno=os.dup(found.fileno())) as same:
        watch_for_silence(same)


def watch_for_silence(wire: socket.socket) -> None:
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEPALIVE.items():
        if (option := getattr(socket, name, None)) is not None:
            wire.setsockopt(socket.IPPROTO_TCP, option, value)
