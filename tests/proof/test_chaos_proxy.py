"""The chaos harness's proxy makes connections slow, stalled and cut, and nothing else."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mainspring.clock import SystemClock
from proof.chaos.proxy import Order, Proxy, Trouble, command
from tests.support.limits import HANG


@pytest.fixture
async def target() -> AsyncIterator[int]:
    """Says everything again."""

    async def repeat(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)
        writer.close()

    server = await asyncio.start_server(repeat, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    opened = Proxy()
    yield opened
    await opened.close()


class Caller:
    """One connection through the proxy."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    def say(self, line: bytes) -> None:
        self.writer.write(line + b"\n")

    async def hear(self) -> bytes:
        async with asyncio.timeout(HANG):
            return (await self._reader.readline()).rstrip()


@pytest.fixture
async def caller(proxy: Proxy, target: int) -> AsyncIterator[Caller]:
    port = await proxy.add("there", 0, ("127.0.0.1", target))
    caller = Caller(*await asyncio.open_connection("127.0.0.1", port))
    yield caller
    caller.writer.transport.abort()


async def test_without_trouble_everything_comes_through(caller: Caller) -> None:
    caller.say(b"one")
    caller.say(b"two")

    assert [await caller.hear(), await caller.hear()] == [b"one", b"two"]


async def test_a_slow_route_delays_each_piece_in_both_directions(proxy: Proxy, caller: Caller) -> None:
    clock = SystemClock()
    await proxy.set(Order("there", Trouble(delay=0.1)))
    began = clock.monotonic()
    caller.say(b"late")

    assert await caller.hear() == b"late"
    assert clock.monotonic() - began >= 0.2


@pytest.mark.parametrize("trouble", [Trouble(stall_up=True), Trouble(stall_down=True)], ids=["up", "down"])
async def test_a_stalled_route_holds_back_and_loses_nothing(proxy: Proxy, caller: Caller, trouble: Trouble) -> None:
    await proxy.set(Order("there", trouble))
    caller.say(b"held")
    hearing = asyncio.create_task(caller.hear())
    await asyncio.wait([hearing], timeout=0.1)
    stalled = not hearing.done()
    await proxy.set(Order("there", Trouble()))

    assert stalled
    assert await hearing == b"held"


async def test_a_cut_resets_what_is_open_and_refuses_what_is_new(proxy: Proxy, target: int) -> None:
    port = await proxy.add("there", 0, ("127.0.0.1", target))
    caller = Caller(*await asyncio.open_connection("127.0.0.1", port))
    caller.say(b"before")
    await caller.hear()
    await proxy.set(Order("there", Trouble(cut=True)))

    with pytest.raises(ConnectionResetError):
        await caller.hear()
    with pytest.raises(ConnectionResetError):
        await Caller(*await asyncio.open_connection("127.0.0.1", port)).hear()

    await proxy.set(Order("there", Trouble()))
    again = Caller(*await asyncio.open_connection("127.0.0.1", port))
    again.say(b"after")
    assert await again.hear() == b"after"
    again.writer.transport.abort()


async def test_a_connection_can_be_cut_in_the_middle_of_what_it_says(proxy: Proxy, caller: Caller) -> None:
    await proxy.set(Order("there", Trouble(cut_after=12)))
    caller.say(b"short")
    first = await caller.hear()
    caller.say(b"beyond that")

    assert first == b"short"
    with pytest.raises(ConnectionResetError):
        await caller.hear()


async def test_a_target_that_is_away_looks_like_a_reset(proxy: Proxy, target: int, unused_tcp_port: int) -> None:
    port = await proxy.add("nowhere", 0, ("127.0.0.1", unused_tcp_port))

    with pytest.raises(ConnectionResetError):
        await Caller(*await asyncio.open_connection("127.0.0.1", port)).hear()


async def test_orders_come_over_a_socket(proxy: Proxy, target: int, tmp_path: Path) -> None:
    port = await proxy.add("there", 0, ("127.0.0.1", target))
    await proxy.obey(tmp_path / "orders")
    await command(tmp_path / "orders", "there", Trouble(cut=True))

    with pytest.raises(ConnectionResetError):
        await Caller(*await asyncio.open_connection("127.0.0.1", port)).hear()
