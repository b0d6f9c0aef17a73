"""Lets a complete request and a complete answer bypass the messages between HTTP server and application.

Those messages exist so that bodies can be long and slow. Those of an enqueue are neither: it is read from the HTTP server's
buffer and answered by one write, which together save a third of the HTTP cost of an enqueue. Everything else, such as an
incomplete body, a client that waits for `100 Continue`, or a peer that reads too slowly, goes the usual way.
"""

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

CYCLE = "mainspring.cycle"
"""Where a connection's scope holds the HTTP server's own view of this request."""


def whole_body(connection: HTTPConnection) -> bytearray | None:
    """The body, if all of it is here."""
    cycle: RequestResponseCycle | None = connection.scope.get(CYCLE)
    if cycle is None or cycle.more_body or cycle.waiting_for_100_continue or cycle.disconnected:
        return None
    return cycle.body


def answer_at_once(scope: Scope, response: Response) -> bool:
    """Send the answer; False if that has to be done the usual way."""
    cycle: RequestResponseCycle | None = scope.get(CYCLE)
    if cycle is None or cycle.more_body or cycle.flow.write_paused or cycle.disconnected:
        return False
    if response.headers.get("connection") == "close":
        cycle.keep_alive = False
        del response.headers["connection"]
    parts = [STATUS_LINE[response.status_code]]
    for name, value in (*cycle.default_headers, *response.raw_headers):
        parts += (name, b": ", value, b"\r\n")
    parts += (b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n", bytes(response.body))
    cycle.response_started = cycle.response_complete = True
    # Of `OneWrite`, which is who put the cycle there.
    cycle.transport.write_whole(b"".join(parts))  # type: ignore[attr-defined]
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
    return True
