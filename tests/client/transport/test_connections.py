"""Connections of both clients: kept, bounded, given up, and never left with half an answer."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from mainspring import AsyncClient, Client, UnavailableError
from mainspring.client.transport import asyncio_connection, asyncio_server, sync_server
from mainspring.client.transport.asyncio_server import CALLS_MAX
from tests.client.transport.scripted import Cut, Heard, ScriptedServer, answer, scripted
from tests.support.limits import HANG

TOKEN = "token-of-the-tests-of-connections"
Enqueue = Callable[..., Coroutine[Any, Any, str]]


class Sides:
    """The same calls by either client."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._clients: dict[str, AsyncClient | Client] = {}

    async def enqueue(self, url: str, **options: Any) -> str:
        client = self._clients.get(url)
        if client is None:
            client = AsyncClient(url, token=TOKEN) if self._kind == "async" else Client(url, token=TOKEN)
            self._clients[url] = client
        if isinstance(client, AsyncClient):
            return (await client.enqueue("greet", **options)).id
        return (await asyncio.to_thread(client.enqueue, "greet", **options)).id

    async def close(self) -> None:
        for client in self._clients.values():
            if isinstance(client, AsyncClient):
                await client.close()
            else:
                client.close()


@pytest.fixture(params=["async", "sync"])
async def sides(request: pytest.FixtureRequest) -> Any:
    made = Sides(request.param)
    yield made
    await made.close()


async def accept(_: Heard) -> bytes:
    return answer()


async def test_one_call_after_another_uses_one_connection(sides: Sides) -> None:
    async with scripted(accept) as server:
        for _ in range(3):
            await sides.enqueue(server.url)

        assert [each.connection for each in server.heard] == [1, 1, 1]


async def test_a_connection_that_the_server_closes_is_not_used_again(sides: Sides) -> None:
    async def closing(_: Heard) -> bytes:
        return answer().replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n")

    async with scripted(closing) as server:
        await sides.enqueue(server.url)
        await sides.enqueue(server.url)

        assert [each.connection for each in server.heard] == [1, 2]


async def test_a_server_that_died_between_calls_costs_nothing(sides: Sides) -> None:
    async with scripted(accept) as server:
        await sides.enqueue(server.url)
        await server.hang_up()
        await sides.enqueue(server.url)

        assert [each.connection for each in server.heard] == [1, 2]


def dying(server: list[ScriptedServer]) -> Callable[[Heard], Coroutine[Any, Any, bytes | None]]:
    """Answers the first request of all, and hangs up at the second."""

    async def script(_: Heard) -> bytes | None:
        return None if len(server[0].heard) == 2 else answer()

    return script


async def test_an_enqueue_that_may_have_been_accepted_is_not_sent_twice(sides: Sides) -> None:
    found: list[ScriptedServer] = []
    async with scripted(dying(found)) as server:
        found.append(server)
        await sides.enqueue(server.url)
        with pytest.raises(UnavailableError, match="closed the connection without an answer"):
            await sides.enqueue(server.url)

        assert [each.connection for each in server.heard] == [1, 1]


async def test_an_enqueue_with_a_key_is_sent_again_by_a_new_connection(sides: Sides) -> None:
    found: list[ScriptedServer] = []
    async with scripted(dying(found)) as server:
        found.append(server)
        await sides.enqueue(server.url)
        await sides.enqueue(server.url, key="once")

        assert [each.connection for each in server.heard] == [1, 1, 2]
        assert server.heard[1].body == server.heard[2].body


async def test_an_answer_that_breaks_off_at_any_byte_is_an_error_and_no_second_request(sides: Sides) -> None:
    whole = answer()

    async def cut(_: Heard) -> Cut:
        return Cut(whole[: len(server.heard) - 1])

    async with scripted(cut) as server:
        for count in range(1, len(whole) + 1):
            with pytest.raises(UnavailableError, match="connection"):
                await sides.enqueue(server.url)

            assert len(server.heard) == count


async def test_bytes_that_nobody_asked_for_end_a_connection(sides: Sides) -> None:
    async def twice(_: Heard) -> bytes:
        return answer(b'{"id":"mine","existing":false}') + answer(b'{"id":"smuggled","existing":false}')

    async with scripted(twice) as server:
        found = [await sides.enqueue(server.url) for _ in range(3)]

        assert found == ["mine"] * 3
        assert [each.connection for each in server.heard] == [1, 2, 3]


async def test_a_server_that_does_not_answer_is_given_up(sides: Sides, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio_server, "TIMEOUT", 0.05)
    monkeypatch.setattr(sync_server, "TIMEOUT", 0.05)

    async def silent(_: Heard) -> bytes:
        await asyncio.Event().wait()
        return b""

    async with scripted(silent) as server:
        with pytest.raises(UnavailableError, match="took too long"):
            await sides.enqueue(server.url)

        assert len(server.heard) == 1


async def test_a_caller_that_is_cancelled_leaves_its_answer_to_nobody() -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def held(heard: Heard) -> bytes:
        if heard.connection == 1:
            asked.set()
            await go_on.wait()
            return answer(b'{"id":"late","existing":false}')
        return answer(b'{"id":"mine","existing":false}')

    async with scripted(held) as server, AsyncClient(server.url, token=TOKEN) as client:
        first = asyncio.create_task(client.enqueue("greet"))
        await asked.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        go_on.set()

        assert (await client.enqueue("greet")).id == "mine"
        assert [each.connection for each in server.heard] == [1, 2]


async def test_connections_are_bounded_and_waits_do_not_keep_calls_from_being_made() -> None:
    waiting, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def hold(heard: Heard) -> bytes:
        if b"wait=" in heard.head:
            waiting.release()
            await go_on.wait()
            return answer(b'{"code":"unknown_run","kind":"run","key":"r","detail":"gone"}', b"404 Not Found")
        return answer(b'{"runs":[],"next":null}', b"200 OK")

    async with scripted(hold) as server, AsyncClient(server.url, token=TOKEN) as client:
        waits = [asyncio.create_task(client.wait("r", timeout=HANG)) for _ in range(CALLS_MAX * 2)]
        for _ in waits:
            await waiting.acquire()
        await asyncio.gather(*(client.list() for _ in range(CALLS_MAX * 4)))
        connections = server.connections
        go_on.set()
        await asyncio.gather(*waits, return_exceptions=True)

        assert connections <= CALLS_MAX * 3


async def test_a_stream_is_read_as_it_comes_and_its_server_waits_for_a_slow_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asyncio_connection, "HELD_MAX", 100)
    event = b'event: changed\r\ndata: {"namespace":"default"}\r\n\r\n'

    async def stream(_: Heard) -> bytes:
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [event[:9], event[9:] + event * 1000])
        return b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"

    async with scripted(stream) as server, AsyncClient(server.url, token=TOKEN) as client:
        changes = client.events()
        found = [await anext(changes) for _ in range(1001)]
        await changes.aclose()

        assert {(each.kind, each.namespace) for each in found} == {("changed", "default")}


async def test_a_stream_that_is_refused_raises_the_refusal() -> None:
    async def refuse(_: Heard) -> bytes:
        return answer(b'{"code":"forbidden","detail":"not you"}', b"403 Forbidden")

    async with scripted(refuse) as server, AsyncClient(server.url, token=TOKEN) as client:
        with pytest.raises(Exception, match="not you"):
            await anext(client.events())
