"""One connection of plain code to a server."""

import socket
from contextlib import suppress

from mainspring.client.transport.endpoint import Endpoint, check_tunnel
from mainspring.client.transport.http11.response import ResponseReader
from mainspring.client.waiting_in_handlers import receive_heeding

# Most answers are small, and one that is not gets more room.
FIRST, MORE = 8_192, 262_144
"""Bytes to read at once."""


class SyncConnection:
    """Carries one request at a time; the thread that sends one reads its answer."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.idle_since = 0.0

    def send(self, request: bytes, patience: float) -> None:
        if self.sock.gettimeout() != patience:
            self.sock.settimeout(patience)
        self.sock.sendall(request)

    def read(self, response: ResponseReader, *, heeding: bool = False) -> None:
        """Until the response is complete; `heeding`: until the attempt that waits for it is interrupted."""
        size = FIRST
        while not response.complete:
            self.read_more(response, size, heeding=heeding)
            size = MORE

    def read_more(self, response: ResponseReader, size: int = MORE, *, heeding: bool = False) -> None:
        came = receive_heeding(self.sock, size) if heeding else self.sock.recv(size)
        if came:
            response.feed(came)
        else:
            response.close()

    def close(self) -> None:
        with suppress(OSError):
            self.sock.close()


def connect(endpoint: Endpoint) -> SyncConnection:
    sock = socket.create_connection(endpoint.address, timeout=endpoint.connect_max)
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if endpoint.tunnel:
            open_tunnel(sock, endpoint)
        if endpoint.tls is not None:
            sock = endpoint.tls.wrap_socket(sock, server_hostname=endpoint.host)
    except BaseException:
        sock.close()
        raise
    return SyncConnection(sock)


def open_tunnel(sock: socket.socket, endpoint: Endpoint) -> None:
    response = ResponseReader("CONNECT")
    sock.sendall(endpoint.tunnel)
    SyncConnection(sock).read(response)
    check_tunnel(response)
