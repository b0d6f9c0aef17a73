"""The lines of a stream."""

from mainspring.client.transport.http11.errors import ResponseError

LINE_MAX = 64 * 1024 * 1024


class Lines:
    """Cuts content into lines, wherever its pieces end."""

    def __init__(self) -> None:
        self._begun: list[bytes] = []
        self._size = 0

    def feed(self, content: bytes) -> list[str]:
        """The lines that are complete now."""
        *ended, begun = content.split(b"\n")
        if ended:
            ended[0] = b"".join([*self._begun, ended[0]])
            self._begun, self._size = [], 0
        self._begun.append(begun)
        self._size += len(begun)
        if self._size > LINE_MAX:
            raise ResponseError(f"a line of the stream has more than {LINE_MAX} bytes")
        return [text_of(line) for line in ended]

    def close(self) -> list[str]:
        """The line that the end of the stream ends, if there is one."""
        last = b"".join(self._begun)
        return [text_of(last)] if last else []


def text_of(line: bytes) -> str:
    return line.removesuffix(b"\r").decode(errors="replace")
