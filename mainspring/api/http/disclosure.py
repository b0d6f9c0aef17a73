"""Details that only callers with a valid token see: versions and counts would help an attacker."""

from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from mainspring.api.http.connections import mark_known
from mainspring.api.http.fast_path import CYCLE
from mainspring.version import __version__

VERSION_HEADER = "Mainspring-Version"
VERSION = (VERSION_HEADER.lower().encode(), __version__.encode())
SERVERS_HEADER = b"mainspring-servers"


def introduce(connection: HTTPConnection) -> None:
    """A good token was shown: the connection is no stranger's, and its answer names the version of this server."""
    scope: Scope = connection.scope
    mark_known(scope)
    cycle: RequestResponseCycle | None = scope.get(CYCLE)
    if cycle is None:
        return
    if not connection.app.state.public_details:
        cycle.default_headers = [*cycle.default_headers, VERSION]
    known = connection.app.state.gate.known_servers
    line: Any = cycle.transport  # Of `OneWrite`, which is who put the cycle there.
    if known is not None and known.version != line.told:
        # Once by each connection, and after each change: callers remember it.
        line.told = known.version
        cycle.default_headers = [*cycle.default_headers, (SERVERS_HEADER, known.text)]
