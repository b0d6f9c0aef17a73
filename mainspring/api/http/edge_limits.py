"""Limits on connections before their callers are authenticated: bytes, headers, time and number.

The HTTP server itself takes heads of any size and waits for the rest of a request for ever. Here a head has a size, a
count and a time, and a body has to keep coming; a request over a limit is answered, and its connection closed. A request that
arrives complete, as nearly all do, starts no timer.
"""

import asyncio
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from mainspring.api.errors import HEADERS, PROBLEM_TYPE, Problem, make_problem
from mainspring.api.http.connections import CALLER, Callers, Ticket
from mainspring.api.http.single_write import OneWrite
from mainspring.api.http.websocket_fast_path import DirectSocket

HEAD_MAX = 64 * 1024
HEADERS_MAX = 100
BODY_STEP = 256 * 1024
"""How much of a body has to come in each span of its time limit, unless that is the end of it."""
# A close would take the answer away from its caller.
LINGER = 2.0
"""Seconds for which the rest of a refused request is read and dropped."""

HEAD_WORDS = f"a request's head has at most {HEAD_MAX} bytes and {HEADERS_MAX} headers"
MANY_WORDS = "this address has too many connections without a good token: try again in a moment"
TOO_LARGE = make_problem(431, "Head too large", code="head_too_large", detail=HEAD_WORDS)
TOO_SLOW = make_problem(408, "Too slow", code="too_slow", detail="the rest of the request did not come in time")
MALFORMED = make_problem(400, "Not HTTP", code="malformed_request", detail="the request is not HTTP/1.1")
TOO_MANY = make_problem(503, "Unavailable", code="too_many_connections", detail=MANY_WORDS)


class EdgeLimits(msgspec.Struct, frozen=True):
    """Seconds that a head may take, and that a body may take for its next step."""

    head: float
    body: float


class Edge(OneWrite):
    """The protocol as it is, within limits."""

    def __init__(self, *arguments: Any, limits: EdgeLimits, callers: Callers, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._limits = limits
        self._callers = callers
        self._ticket: Ticket | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_open = self._is_headed = self._is_refused = False
        self._chunk = 0
        self._idle = 0
        """Bytes since a request began, or since they last were some of its body."""
        self._body = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is not None:
            self._ticket = self._callers.enter(self.client[0])
            if self._ticket is None:
                self._is_refused = True
                self.joining.write_whole(self._answer(TOO_MANY))
                self.transport.close()
                return
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        self.mark_known()
        self._disarm()
        super().connection_lost(exc)

    def mark_known(self) -> None:
        """Count this connection no longer: its caller has shown a good token, or is gone."""
        if self._ticket is not None:
            self._ticket.give_back()
            self._ticket = None

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._unset_keepalive_if_required()
        self._chunk = len(data)
        self._idle += self._chunk
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._upgrade()
            return
        except httptools.HttpParserError as error:
            self._refuse(TOO_LARGE if isinstance(error.__context__, HeadTooLargeError) else MALFORMED)
            return
        if self._is_open or self._timer is not None or self.cycle is None or self.cycle.response_complete:
            self._watch()

    def _watch(self) -> None:
        """See that there is a timer exactly while the caller is to send something."""
        if self._is_open and (self._idle > HEAD_MAX or len(self.headers) > HEADERS_MAX):
            self._refuse(TOO_LARGE)
        elif self._is_open or self.cycle is None or self.cycle.response_complete:
            if self._timer is None:
                self._arm()
        elif self._timer is not None:
            self._disarm()

    def on_message_begin(self) -> None:
        self._is_open = True
        self._is_headed = False
        self._idle = self._body = 0
        # Here and below not by super(), which every request would pay for.
        OneWrite.on_message_begin(self)
        self.scope[CALLER] = self  # type: ignore[literal-required]

    def on_header(self, name: bytes, value: bytes) -> None:
        # As the protocol does it, but for what follows a body in pieces: those are headers too, and nothing here reads them.
        if self._is_headed:
            return
        name = name.lower()
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        if len(self.headers) > HEADERS_MAX:
            raise HeadTooLargeError
        if (self._chunk > HEAD_MAX or self._idle > HEAD_MAX) and self._head_size() > HEAD_MAX:
            raise HeadTooLargeError
        if self._timer is not None:
            self._disarm()
        OneWrite.on_headers_complete(self)
        self._is_headed = True

    def on_body(self, body: bytes) -> None:
        self._idle = 0
        self._body += len(body)
        OneWrite.on_body(self, body)

    def on_message_complete(self) -> None:
        self._is_open = False
        OneWrite.on_message_complete(self)

    def _head_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _upgrade(self) -> None:
        if not self._should_upgrade():
            # A caller that offers another protocol is answered in this one.
            self._watch()
            return
        self._disarm()
        self.handle_websocket_upgrade()
        socket = self.joining.plain.get_protocol()
        if isinstance(socket, DirectSocket):
            socket.ticket, self._ticket = self._ticket, None

    def _arm(self) -> None:
        seconds = self._limits.body if self._is_open and self._is_headed else self._limits.head
        self._timer = self.loop.call_later(seconds, self._expire, self._body)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self, body: int) -> None:
        """The time is up; whether that is the caller's fault is looked at now."""
        self._timer = None
        if self._is_refused or self.transport.is_closing():
            return
        answering = self.cycle is not None and not self.cycle.response_complete and not self._is_headed
        if answering or self.flow.read_paused or self._body - body >= BODY_STEP:
            # An earlier answer is still under way, or we ourselves do not read, or enough has come.
            self._arm()
        elif self._is_open:
            self._refuse(TOO_SLOW)
        else:
            self.transport.close()

    def _refuse(self, problem: Problem) -> None:
        """Answers in place of the application, unless it has begun to, and reads no more of the request."""
        self._is_refused = True
        self._disarm()
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and not self._is_headed:
            # The request before is answered first, and then the connection ends.
            cycle.keep_alive = False
        elif self.pipeline or (cycle is not None and self._is_headed and cycle.response_started):
            self.transport.close()
        else:
            self._give_up_cycle()
            self._answer_last(problem)

    def _give_up_cycle(self) -> None:
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _answer_last(self, problem: Problem) -> None:
        self.joining.write_whole(self._answer(problem))
        if self.joining.can_write_eof():
            self.joining.write_eof()
            self._timer = self.loop.call_later(LINGER, self.transport.close)
        else:
            self.transport.close()

    def _answer(self, problem: Problem) -> bytes:
        return bare_answer(problem, self.server_state.default_headers)


class HeadTooLargeError(Exception):
    """More than a head may have."""


def bare_answer(problem: Problem, headers: list[tuple[bytes, bytes]]) -> bytes:
    """The last answer on a connection, made without the application."""
    body = msgspec.json.encode(problem)
    own = (
        (b"content-type", PROBLEM_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    )
    more = [(name.encode(), value.encode()) for name, value in HEADERS.get(problem.status, {}).items()]
    lines = b"".join(b"%s: %s\r\n" % pair for pair in (*headers, *own, *more))
    return STATUS_LINE[problem.status] + lines + b"\r\n" + body
