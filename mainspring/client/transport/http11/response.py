"""The response to one request, read from pieces of bytes."""

import re

from mainspring.client.transport.http11.body import Body, ChunkedBody, ClosedBody, SizedBody
from mainspring.client.transport.http11.errors import BrokenOffError, NoAnswerError, NotHttpError, ResponseError

HEAD_MAX = 65_536
"""Bytes of all heads before a body."""
FIELDS_MAX = 100
BEGINNING = b"HTTP/1."
HEAD = re.compile(
    rb"HTTP/1\.([01]) ([1-5][0-9]{2})(?: [^\r\n]*+)?\r\n((?:[!#-'*+\-.0-9A-Z^-z|~]++:[^\r\n]*+\r\n)*+)\r\n"
)
FRAMING = re.compile(
    rb"^(content-length|transfer-encoding|connection):[ \t]*+([^\r\n]*)\r\n", re.IGNORECASE | re.MULTILINE
)
"""The fields that say where a response ends, and whether the connection goes on after it."""
LENGTH = re.compile(rb"[0-9]{1,15}")
NO_BODY = frozenset({204, 304})
SERVERS_HEADER = "mainspring-servers"
"""Names the servers of the cluster, in the first answer by a connection and after each change."""
SERVERS_FIELD = f"{SERVERS_HEADER}:".encode()


class Headers:
    """The fields of a head, searched when one of them is read."""

    def __init__(self, head: bytes) -> None:
        self._head = head

    def get(self, name: str, /) -> str | None:
        found = re.search(rb"^%s:([^\r\n]*)" % re.escape(name.encode()), self._head, re.IGNORECASE | re.MULTILINE)
        return None if found is None else found[1].decode("latin-1").strip()


class ResponseReader:
    """Takes bytes in pieces of any size; `complete` once the response is."""

    __slots__ = ("_body", "_buffer", "_content", "_head", "_method", "_passed", "complete", "keep_alive", "status")

    def __init__(self, method: str) -> None:
        self._method = method
        self._buffer = b""
        self._passed = 0
        """Bytes of heads that were only a sign of life."""
        self._head = b""
        self._body: Body | None = None
        self._content = b""
        self.status = 0
        self.complete = False
        self.keep_alive = False
        """Whether the connection may carry another request once this is complete."""

    @property
    def begun(self) -> bool:
        """Whether anything has come."""
        return bool(self.status or self._passed or self._buffer)

    @property
    def headers(self) -> Headers:
        return Headers(self._head)

    @property
    def names_servers(self) -> bool:
        """Whether its head has `SERVERS_HEADER`, in the letters that servers use; cheap, since each answer is asked."""
        return SERVERS_FIELD in self._head

    def feed(self, data: bytes) -> None:
        """Raises ResponseError for bytes that cannot be part of a response."""
        if self.complete:
            self._end(data)
            return
        if self._body is None:
            self._buffer += data
            while not self.status:
                if not self._read_head():
                    return
            data, self._buffer = self._buffer, b""
            if self._body is None:
                self._end(data)
                return
        rest = self._body.feed(data)
        if rest is not None:
            self._end(rest)

    def close(self) -> None:
        """The connection has ended; raises NoAnswerError or BrokenOffError if the response has not."""
        if self.complete:
            return
        if not self.begun:
            raise NoAnswerError("the connection was closed without an answer")
        if self._body is None:
            raise BrokenOffError("the connection ended within a response")
        self._body.close()
        self.complete = True

    def take(self) -> bytes:
        """The content that has come since the last call."""
        if self._body is not None:
            return self._body.take()
        content, self._content = self._content, b""
        return content

    def _read_head(self) -> bool:
        """Read the head that the buffer begins with, and remove it; False while it is not all there."""
        buffer = self._buffer
        if not buffer.startswith(BEGINNING[: len(buffer)]):
            raise NotHttpError(f"{buffer[:40]!r} is no beginning of a response")
        end = buffer.find(b"\r\n\r\n", 0, HEAD_MAX - self._passed)
        if end < 0:
            if len(buffer) + self._passed >= HEAD_MAX:
                raise ResponseError(f"the head of the response has more than {HEAD_MAX} bytes")
            return False
        head = HEAD.match(buffer, 0, end + 4)
        if head is None or head[3].count(b"\n") > FIELDS_MAX:
            raise ResponseError("the head of the response is not one of HTTP/1.1")
        self._buffer = buffer[end + 4 :]
        status = int(head[2])
        if status < 200:
            self._pass_over(status, end + 4)
        else:
            self.status, self._head = status, head[3]
            self._begin_body(newest=head[1] == b"1")
        return True

    def _pass_over(self, status: int, size: int) -> None:
        """A sign of life, before the response."""
        if status == 101:
            raise ResponseError("the other side changes to another protocol without being asked")
        self._passed += size

    def _begin_body(self, *, newest: bool) -> None:
        framing = FRAMING.findall(self._head)
        if len(framing) == 1 and framing[0][0].lower() == b"content-length":
            lengths, coding, options = [framing[0][1]], b"", b""
        else:
            said = [(name.lower(), value.strip().lower()) for name, value in framing]
            lengths = [value for name, value in said if name == b"content-length"]
            coding = b",".join([value for name, value in said if name == b"transfer-encoding"])
            options = b",".join([value for name, value in said if name == b"connection"])
        self.keep_alive = newest and b"close" not in options
        if self.status in NO_BODY or self._method == "HEAD" or (self._method == "CONNECT" and self.status < 300):
            return
        if coding:
            if lengths or coding != b"chunked":
                raise ResponseError("the length of the response cannot be known")
            self._body = ChunkedBody()
        elif lengths:
            self._begin_sized(lengths)
        else:
            self._body, self.keep_alive = ClosedBody(), False

    def _begin_sized(self, lengths: list[bytes]) -> None:
        length = lengths[0].rstrip(b" \t")
        if len(lengths) > 1 or not LENGTH.fullmatch(length):
            raise ResponseError("the length of the response cannot be known")
        size = int(length)
        if len(self._buffer) == size:
            # Mostly it is all there with the first look, and needs no body that knows how to wait for more.
            self._content, self._buffer = self._buffer, b""
        elif size:
            self._body = SizedBody(size)

    def _end(self, rest: bytes) -> None:
        self.complete = True
        if rest:
            # Nobody asked for more: the next answer on this connection could not be trusted to be one.
            self.keep_alive = False
