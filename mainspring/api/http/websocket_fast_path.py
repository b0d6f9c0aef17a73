"""Sends a WebSocket frame at once instead of through the event loop.

A frame that is sent the usual way waits until the event loop comes to the sending task, after all other work of this turn of
the loop, such as the answer to the caller of the run that the frame starts. Where nothing is in its way it leaves at once.
"""

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

from mainspring.api.http.connections import CALLER, Ticket
from mainspring.wire.messages import FRAME_MAX, HELLO_MAX

SOCKET = "mainspring.socket"
"""Where a connection's scope holds the HTTP server's own view of it."""


class DirectSocket(WebSocketsSansIOProtocol):
    """The protocol, with a way to send at once."""

    ticket: Ticket | None = None
    """Of the connection, which began as one for HTTP."""

    def handle_connect(self, event: Request) -> None:
        self.conn.max_message_size = HELLO_MAX
        super().handle_connect(event)
        if not self.close_sent:
            self.scope[SOCKET] = self  # type: ignore[literal-required]
            self.scope[CALLER] = self  # type: ignore[literal-required]

    def connection_lost(self, exc: Exception | None) -> None:
        self.mark_known()
        super().connection_lost(exc)

    def mark_known(self) -> None:
        """Count this connection no longer."""
        if self.ticket is not None:
            self.ticket.give_back()
            self.ticket = None

    def hear_more(self) -> None:
        """Take frames of full size: it is known who sends them."""
        self.conn.max_message_size = FRAME_MAX

    def send_now(self, frame: bytes) -> bool:
        """Send it; False if that has to be done the usual way, which knows how to wait and whom to tell of an end."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        try:
            self.conn.send_binary(frame)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True
