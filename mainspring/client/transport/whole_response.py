"""An answer that came in one piece, as those to an enqueue do, and one of which only the beginning has come."""

import io
import re
import socket
from typing import Any

SIZE = 8192
HEAD = re.compile(rb"HTTP/1\.1 ([2-5][0-9]{2})[^\r\n]*\r\n((?:[^:\s]+:[^\r\n]*\r\n)*)\r\n")
LENGTH = re.compile(rb"^content-length: *([0-9]{1,9})\r\n", re.IGNORECASE | re.MULTILINE)
UNUSUAL = re.compile(rb"(transfer-encoding|connection):", re.IGNORECASE)
BODILESS = frozenset({204, 304})


class WholeAnswer:
    """Its head is taken apart only for whoever asks for a field of it."""

    will_close = False

    def __init__(self, status: int, head: bytes, content: bytes) -> None:
        self.status = status
        self._head = head
        self._content = content

    @property
    def headers(self) -> "WholeAnswer":
        return self

    def get(self, name: str, /) -> str | None:
        found = re.search(rb"^%s:([^\r\n]*)" % re.escape(name.encode()), self._head, re.IGNORECASE | re.MULTILINE)
        return None if found is None else found[1].decode("latin-1").strip()

    def read(self) -> bytes:
        return self._content


def whole_answer(came: bytes) -> WholeAnswer | None:
    """The answer, if this is exactly one, with a body of a given length and behind it a connection that stays open."""
    head = HEAD.match(came)
    if head is None or UNUSUAL.search(head[2]) or int(head[1]) in BODILESS:
        return None
    lengths = LENGTH.findall(head[2])
    if len(lengths) != 1 or head.end() + int(lengths[0]) != len(came):
        return None
    return WholeAnswer(int(head[1]), head[2], came[head.end() :])


class Resumed:
    """A socket as a reader of answers sees it, of which something was read before."""

    def __init__(self, came: bytes, sock: socket.socket) -> None:
        self._came = came
        self._sock = sock

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(Rest(self._came, self._sock.makefile("rb", buffering=0)))


class Rest(io.RawIOBase):
    """What came first, then what comes."""

    def __init__(self, came: bytes, raw: Any) -> None:
        self._came = came
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        if not self._came:
            read: int | None = self._raw.readinto(buffer)
            return read
        view = memoryview(buffer)
        size = min(len(view), len(self._came))
        view[:size], self._came = self._came[:size], self._came[size:]
        return size

    def close(self) -> None:
        self._raw.close()
        super().close()
