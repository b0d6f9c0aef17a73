"""What a caller may cost before it has shown a token: raw connections to a real server on loopback."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
import pytest

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.http.connections import HERE, Callers
from mainspring.api.http.edge_limits import BODY_STEP, HEAD_MAX, HEADERS_MAX, Edge
from mainspring.server import HttpServer, answering, listen
from mainspring.settings import ServerSettings
from tests.api.test_executors import Echo
from tests.support.processes import eventually

TOKEN = "an-api-token-that-is-long-enough"
SETTINGS = ServerSettings(port=0, api_token=TOKEN, executor_token=f"executor-{TOKEN}")
HASTY = msgspec.structs.replace(SETTINGS, head_timeout=1.0, body_timeout=1.0)
"""What a test sends at once comes within that time, also where others take the processor for a moment."""
GET = b"GET /livez HTTP/1.1\r\nhost: x\r\n"
UPGRADE = (
    b"GET /api/v1/executors/connect HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"sec-websocket-protocol: mainspring.v1.msgpack\r\n"
)


class Raw:
    """A connection that says exactly what it is told to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def send(self, data: bytes) -> None:
        with suppress(ConnectionError):
            self._writer.write(data)
            await self._writer.drain()

    async def answer(self) -> tuple[int, dict[str, str], Any]:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        body = await self._reader.readexactly(int(headers.get("content-length", 0)))
        return int(head[0].split()[1]), headers, json.loads(body) if body else None

    async def code(self) -> tuple[int, str]:
        status, _, body = await self.answer()
        return status, body.get("code", "")

    async def end(self) -> bytes:
        """What else comes until the other side has closed."""
        try:
            return await self._reader.read()
        except ConnectionError:
            return b""

    def close(self) -> None:
        self._writer.close()


class Place:
    """A server, and those who dial it."""

    def __init__(self, port: int, http: HttpServer) -> None:
        self.port = port
        self.http = http
        self._dialled: list[Raw] = []

    async def dial(self) -> Raw:
        raw = Raw(*await asyncio.open_connection("127.0.0.1", self.port))
        self._dialled.append(raw)
        return raw

    async def edge(self) -> Edge:
        """The server's side of the only connection."""
        [edge] = await eventually(lambda: self.http.server_state.connections, "a connection")
        assert isinstance(edge, Edge)
        return edge

    def close(self) -> None:
        for raw in self._dialled:
            raw.close()


@asynccontextmanager
async def serving(settings: ServerSettings = SETTINGS, callers: Callers | None = None) -> AsyncIterator[Place]:
    app = create_app(EngineGate(Echo()), settings)
    with listen(settings) as listener:
        async with answering(app, listener, asyncio.Event(), settings, callers=callers) as http:
            place = Place(listener.getsockname()[1], http)
            yield place
            place.close()


def with_token(kind: str = "") -> bytes:
    return f"authorization: Bearer {kind}{TOKEN}\r\n".encode()


@pytest.mark.parametrize(
    "head",
    [
        GET + b"x: " + b"a" * HEAD_MAX + b"\r\n\r\n",
        GET + b"x: " + b"a" * 8 * HEAD_MAX,
        GET + b"".join(b"x%d: 1\r\n" % number for number in range(HEADERS_MAX)) + b"\r\n",
        GET + b"x: 1\r\n" * 200_000,
        b"GET /" + b"a" * HEAD_MAX + b" HTTP/1.1\r\n\r\n",
        b"GET /" + b"a" * 8 * HEAD_MAX,
        GET + b"x" * 8 * HEAD_MAX,
        UPGRADE + b"x: " + b"a" * HEAD_MAX + b"\r\n\r\n",
        UPGRADE + b"x: 1\r\n" * HEADERS_MAX + b"\r\n",
    ],
    ids=["value", "half-value", "count", "half-count", "url", "half-url", "half-name", "upgrade", "upgrade-count"],
)
async def test_a_head_beyond_its_limits_is_answered_431_and_the_connection_closed(head: bytes) -> None:
    async with serving() as place:
        raw = await place.dial()
        await raw.send(head)

        assert await raw.code() == (431, "head_too_large")
        assert await raw.end() == b""


async def test_a_head_within_its_limits_is_answered() -> None:
    async with serving() as place:
        raw = await place.dial()
        headers = b"".join(b"x%d: 1\r\n" % number for number in range(HEADERS_MAX - 2))
        await raw.send(GET + headers + b"y: " + b"a" * (HEAD_MAX - 3000) + b"\r\n\r\n")

        assert await raw.answer() == (200, (await one_answer(place))[1], {"alive": True})


async def one_answer(place: Place) -> tuple[int, dict[str, str], Any]:
    raw = await place.dial()
    await raw.send(GET + b"\r\n")
    return await raw.answer()


async def test_a_large_body_does_not_count_as_head() -> None:
    async with serving() as place:
        raw = await place.dial()
        body = b"x" * 4 * HEAD_MAX
        await raw.send(b"POST /livez HTTP/1.1\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))
        assert await raw.code() == (405, "method_not_allowed")
        await raw.send(GET + b"\r\n")

        assert (await raw.answer())[0] == 200


@pytest.mark.parametrize("trailer", [b"x: " + b"a" * 4 * HEAD_MAX, b"x: 1\r\n" * 4 * HEAD_MAX])
async def test_what_follows_a_body_in_pieces_is_bounded_too(trailer: bytes) -> None:
    async with serving() as place:
        raw = await place.dial()
        head = b"POST /api/v1/runs HTTP/1.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n"
        await raw.send(head + with_token() + b"\r\n1\r\n{\r\n0\r\n" + trailer)

        assert await raw.code() == (431, "head_too_large")


async def test_what_is_not_http_is_answered_in_our_words() -> None:
    async with serving() as place:
        raw = await place.dial()
        await raw.send(b"\x16\x03\x01 hello\r\n\r\n")

        assert await raw.code() == (400, "malformed_request")
        assert await raw.end() == b""


@pytest.mark.parametrize("head", [b"GET", GET, GET + b"x: 1", UPGRADE])
async def test_half_a_head_is_answered_408_when_its_time_is_up(head: bytes) -> None:
    async with serving(HASTY) as place:
        raw = await place.dial()
        await raw.send(head)

        assert await raw.code() == (408, "too_slow")
        assert await raw.end() == b""


@pytest.mark.parametrize("said", [b"", b"\r\n", GET + b"\r\n"])
async def test_a_connection_that_asks_for_nothing_is_closed_without_a_word(said: bytes) -> None:
    async with serving(HASTY) as place:
        raw = await place.dial()
        await raw.send(said)
        if said.strip():
            await raw.answer()
            await raw.send(b"\r\n")

        assert await raw.end() == b""


async def test_half_a_body_is_answered_408_when_its_time_is_up() -> None:
    async with serving(HASTY) as place:
        raw = await place.dial()
        head = b"POST /api/v1/runs HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n"
        await raw.send(head + with_token() + b'\r\n{"job":')

        assert await raw.code() == (408, "too_slow")
        assert await raw.end() == b""


async def test_a_caller_who_was_refused_cannot_keep_its_connection_by_half_a_body() -> None:
    async with serving(HASTY) as place:
        raw = await place.dial()
        head = b"POST /api/v1/runs HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n"
        await raw.send(head + b'\r\n{"job":')
        assert await raw.code() == (401, "token_missing")

        assert await raw.end() == b""


async def test_a_large_body_has_more_time_as_long_as_enough_of_it_comes() -> None:
    async with serving() as place:
        raw = await place.dial()
        head = b"POST /api/v1/runs HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: %d\r\n"
        await raw.send(head % (4 * BODY_STEP) + with_token() + b'\r\n{"runs":' + b" " * BODY_STEP)
        edge = await place.edge()
        await eventually(lambda: edge._body > BODY_STEP and not edge.flow.read_paused, "the body so far")
        edge._expire(0)
        assert not edge._is_refused
        edge._expire(edge._body)

        assert await raw.code() == (408, "too_slow")


async def test_a_second_request_that_is_broken_does_not_take_the_answer_of_the_first() -> None:
    async with serving() as place:
        raw = await place.dial()
        await raw.send(GET + b"\r\n" + b"\x16\x03\x01\r\n\r\n")

        assert (await raw.answer())[0] == 200
        assert await raw.end() == b""


async def test_an_address_has_so_many_connections_without_a_token_and_no_more() -> None:
    async with serving(callers=Callers(2, trusted=())) as place:
        first, second, third = await place.dial(), await place.dial(), await place.dial()
        status, headers, body = await third.answer()
        assert (status, body["code"], headers["retry-after"]) == (503, "too_many_connections", "1")
        assert await third.end() == b""
        await second.send(GET + with_token("wrong") + b"\r\n")
        await second.answer()

        assert (await (await place.dial()).answer())[0] == 503
        first.close()
        await until_room(place)


async def until_room(place: Place) -> None:
    """The server hears of a close in its own time."""
    raw = await place.dial()
    await raw.send(GET + b"\r\n")
    while (await raw.answer())[0] == 503:
        raw = await place.dial()
        await raw.send(GET + b"\r\n")


async def test_whoever_has_shown_a_good_token_is_not_counted() -> None:
    callers = Callers(1, trusted=())
    async with serving(callers=callers) as place:
        for _ in range(5):
            raw = await place.dial()
            await raw.send(b"GET /api/v1/whoami HTTP/1.1\r\n" + with_token() + b"\r\n")
            assert (await raw.answer())[0] == 200
        for _ in range(5):
            raw = await place.dial()
            await raw.send(UPGRADE + with_token("executor-") + b"\r\n")
            assert (await raw.answer())[0] == 101

        assert (await one_answer(place))[0] == 200


async def test_an_upgrade_that_was_refused_gives_its_place_back() -> None:
    callers = Callers(1, trusted=())
    async with serving(callers=callers) as place:
        for _ in range(3):
            raw = await place.dial()
            await raw.send(UPGRADE + b"\r\n")
            assert await raw.code() == (401, "token_missing")
            await raw.end()
            raw.close()

        await until_room(place)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3"])
def test_this_machine_and_trusted_proxies_may_bring_any_number(host: str) -> None:
    callers = Callers(1, trusted=(*HERE, "10.0.0.0/8"))

    assert all(callers.enter(host) is not None for _ in range(10))


def test_addresses_are_counted_one_by_one_and_those_of_ipv6_by_what_a_provider_gives_out() -> None:
    callers = Callers(1)

    assert callers.enter("192.0.2.1") is not None
    assert callers.enter("192.0.2.1") is None
    assert callers.enter("::ffff:192.0.2.1") is None
    assert callers.enter("192.0.2.2") is not None
    assert callers.enter("2001:db8:0:1::1") is not None
    assert callers.enter("2001:db8:0:1:ffff::2") is None
    assert callers.enter("2001:db8:0:2::1") is not None


def test_a_place_is_given_back_once() -> None:
    callers = Callers(2)
    first, second = callers.enter("192.0.2.1"), callers.enter("192.0.2.1")
    assert first is not None
    assert second is not None
    first.give_back()
    first.give_back()

    assert callers["192.0.2.1"] == 1
    second.give_back()
    assert callers["192.0.2.1"] == 0


def test_an_address_that_is_full_is_named_once_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    callers = Callers(1)
    ticket = callers.enter("192.0.2.1")
    for _ in range(3):
        assert callers.enter("192.0.2.1") is None
    assert caplog.text.count("192.0.2.1 has 1 connections") == 1
    assert ticket is not None
    ticket.give_back()
    callers.enter("192.0.2.1")
    callers.enter("192.0.2.1")

    assert caplog.text.count("192.0.2.1 has 1 connections") == 2
