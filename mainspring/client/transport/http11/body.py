"""The bodies of responses, by the way in which their end is told."""

import re
from typing import Protocol

from mainspring.client.transport.http11.errors import BrokenOffError, ResponseError

BODY_MAX = 256 * 1024 * 1024
"""Bytes of a body that may wait to be taken."""
LINE_MAX = 4096
"""Bytes of a chunk's first line, and of all lines after the last chunk."""
SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")


class Body(Protocol):
    """A body on its way."""

    def feed(self, data: bytes) -> bytes | None:
        """None while more is to come; else the bytes after the body's end."""

    def close(self) -> None:
        """The connection has ended; raises BrokenOffError if the body has not."""

    def take(self) -> bytes:
        """The content that has come since the last call."""


class Content:
    """Content that waits to be taken."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._held = 0

    def _hold(self, data: bytes) -> None:
        self._held += len(data)
        if self._held > BODY_MAX:
            raise ResponseError(f"the response has more than {BODY_MAX} bytes")
        self._parts.append(data)

    def take(self) -> bytes:
        taken = b"".join(self._parts)
        self._parts.clear()
        self._held = 0
        return taken


class SizedBody(Content):
    """As long as the head says."""

    def __init__(self, size: int) -> None:
        super().__init__()
        if size > BODY_MAX:
            raise ResponseError(f"the response has {size} bytes, over the limit of {BODY_MAX}")
        self._missing = size

    def feed(self, data: bytes) -> bytes | None:
        self._hold(data[: self._missing])
        rest = data[self._missing :]
        self._missing -= min(self._missing, len(data))
        return None if self._missing else rest

    def close(self) -> None:
        raise BrokenOffError("the connection ended within a response")


class ClosedBody(Content):
    """As long as the connection lasts."""

    def feed(self, data: bytes) -> bytes | None:
        self._hold(data)
        return None

    def close(self) -> None:
        """There is no other way for it to end."""


class ChunkedBody(Content):
    """In chunks, each with its length; the last has none."""

    def __init__(self) -> None:
        super().__init__()
        self._buffer = b""
        self._missing = 0
        """Bytes of the chunk under way, with the line break after it."""
        self._last = False

    def feed(self, data: bytes) -> bytes | None:
        self._buffer += data
        while not self._last:
            if not self._missing and not self._begin_chunk():
                return None
            if not self._last and not self._go_on():
                return None
        return self._end()

    def close(self) -> None:
        raise BrokenOffError("the connection ended within a response")

    def _begin_chunk(self) -> bool:
        """Read the line with a chunk's length; False while it is not all there."""
        end = self._buffer.find(b"\n", 0, LINE_MAX)
        if end < 0:
            if len(self._buffer) >= LINE_MAX:
                raise ResponseError("the first line of a chunk is too long")
            return False
        line = SIZE.fullmatch(self._buffer, 0, end + 1)
        if line is None:
            raise ResponseError(f"{self._buffer[: min(end, 40)]!r} is no length of a chunk")
        size = int(line[1], 16)
        self._buffer = self._buffer[end + 1 :]
        self._last = not size
        self._missing = size + 2 if size else 0
        return True

    def _go_on(self) -> bool:
        """Take what has come of the chunk; False while it is not all there."""
        content = self._missing - 2
        if len(self._buffer) < self._missing:
            # The line break after it stays, even if half of it has come.
            ready = min(len(self._buffer), content)
            self._hold(self._buffer[:ready])
            self._buffer = self._buffer[ready:]
            self._missing -= ready
            return False
        if self._buffer[content : self._missing] != b"\r\n":
            raise ResponseError("a chunk is longer than it says")
        self._hold(self._buffer[:content])
        self._buffer = self._buffer[self._missing :]
        self._missing = 0
        return True

    def _end(self) -> bytes | None:
        """Pass over the lines after the last chunk, up to an empty one."""
        if self._buffer.startswith(b"\r\n"):
            return self._buffer[2:]
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0 and len(self._buffer) < LINE_MAX:
            return None
        if not 0 <= end < LINE_MAX:
            raise ResponseError("the lines after the last chunk are too long")
        return self._buffer[end + 4 :]
