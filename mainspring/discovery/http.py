"""Calls of an address book over HTTP, each by a connection of its own."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from ssl import SSLContext
from typing import Any

import httptools
import msgspec

from mainspring.discovery.interface import RegistryAwayError

ANSWER_MAX = 8 * 1024 * 1024
PATIENCE = 5.0
# A connection may be dead without saying so.
WATCH_MAX = 60.0
"""Seconds after which a watch is begun anew."""
CHUNK = 65_536


IsNews = Callable[[Any], bool]
"""Whether a line of a streaming answer is news."""


class AnswerParser:
    """Gathers one answer for the parser."""

    def __init__(self) -> None:
        self.status = 0
        self.fields: dict[str, str] = {}
        self.is_over = False
        self._body: list[bytes] = []
        self._size = 0

    @property
    def body(self) -> bytes:
        return b"".join(self._body)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.fields[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        self._size += len(body)
        if self._size > ANSWER_MAX:
            raise RegistryAwayError("its answer is too large")
        self._body.append(body)

    def on_message_complete(self) -> None:
        self.is_over = True

    def take_lines(self) -> list[bytes]:
        """The whole lines that have come since the last call."""
        *lines, rest = self.body.split(b"\n")
        self._body, self._size = [rest], len(rest)
        return [line for line in lines if line.strip()]


class HttpBook:
    """Some hosts that answer alike: the first that does is asked first the next time."""

    def __init__(
        self,
        hosts: Sequence[tuple[str, int]],
        *,
        port: int,
        tls: SSLContext | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> None:
        self._hosts = [(host, given or port) for host, given in hosts]
        self._tls = tls
        self.fields = dict(fields or {})

    async def call(
        self, method: str, target: str, body: Any = None, *, patience: float = PATIENCE
    ) -> tuple[AnswerParser, Any]:
        """The answer and its JSON; raises RegistryAwayError unless a host says 2xx."""
        reason = ""
        for host, port in list(self._hosts):
            try:
                async with asyncio.timeout(patience):
                    answer = await self._ask(host, port, method, target, body)
                content = msgspec.json.decode(answer.body) if answer.body.strip() else None
            except (OSError, TimeoutError, httptools.HttpParserError, msgspec.DecodeError, UnicodeDecodeError) as error:
                reason = f"{host}:{port}: {error or type(error).__name__}"
                continue
            if answer.status < 300:
                self._hosts.sort(key=lambda one: one != (host, port))
                return answer, content
            reason = f"{host}:{port}: it answers {answer.status}"
        raise RegistryAwayError(reason)

    async def watch(self, method: str, target: str, body: Any, is_news: IsNews, *, patience: float = WATCH_MAX) -> bool:
        """True at the first line that is news, or when the answer ends; False after `patience` seconds without any.

        Asks only the host that answered last; raises RegistryAwayError if it does not say 2xx, or breaks off.
        """
        host, port = self._hosts[0]
        try:
            async with asyncio.timeout(patience):
                await self._ask(host, port, method, target, body, until=is_news)
        except TimeoutError:
            return False
        except (OSError, httptools.HttpParserError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RegistryAwayError(f"{host}:{port}: {error or type(error).__name__}") from None
        return True

    async def _ask(
        self, host: str, port: int, method: str, target: str, body: Any, *, until: IsNews | None = None
    ) -> AnswerParser:
        content = b"" if body is None else msgspec.json.encode(body)
        fields = {"host": f"{host}:{port}", "connection": "close", "accept": "application/json"} | self.fields
        fields |= {"content-length": str(len(content))}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        reader, writer = await asyncio.open_connection(host, port, ssl=self._tls)
        try:
            writer.write(f"{method} {target} HTTP/1.1\r\n{head}\r\n".encode() + content)
            await writer.drain()
            return await _read(reader) if until is None else await _read_until(reader, until)
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> AnswerParser:
    answer = AnswerParser()
    parser = httptools.HttpResponseParser(answer)
    while not answer.is_over and (data := await reader.read(CHUNK)):
        parser.feed_data(data)
    answer.status = parser.get_status_code()
    return answer


async def _read_until(reader: asyncio.StreamReader, is_news: IsNews) -> AnswerParser:
    answer = AnswerParser()
    parser = httptools.HttpResponseParser(answer)
    while data := await reader.read(CHUNK):
        parser.feed_data(data)
        if (status := parser.get_status_code()) >= 300:
            raise RegistryAwayError(f"it answers {status} to a watch")
        if any(is_news(msgspec.json.decode(line)) for line in answer.take_lines()) or answer.is_over:
            return answer
    raise ConnectionResetError("the watch broke off")
