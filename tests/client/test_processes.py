"""The clients where programs live: forked servers, threads, one loop after the other, inside of a running loop."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from mainspring import AsyncClient, Client
from tests.architecture.source import ROOT
from tests.client.conftest import TOKEN, Shop
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")

PRELOADED = """
import os, sys
import msgspec
from mainspring import Client

client = Client(sys.argv[1], token=sys.argv[2])
client.enqueue("add", {"left": 0, "right": 0})
reading, writing = os.pipe()
child = os.fork()
ids = [client.enqueue("add", {"left": n, "right": 100 * bool(child)}).id for n in range(20)]
if child == 0:
    os.write(writing, msgspec.json.encode(ids))
    os._exit(0)
os.close(writing)
with os.fdopen(reading, "rb") as told:
    print(msgspec.json.encode([ids, msgspec.json.decode(told.read())]).decode())
os.waitpid(child, 0)
"""
"""A server that loads first and forks then: both sides go on with the client, whose connection is open already."""


async def test_a_fork_does_not_share_the_connections_of_its_parent(shop: Shop, url: str) -> None:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PRELOADED, url, TOKEN), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    said, _ = await program.communicate()
    parent, child = [
        [(await shop.app.client.wait(run, timeout=HANG)).result for run in ids] for ids in msgspec.json.decode(said)
    ]

    assert parent == [n + 100 for n in range(20)]
    assert child == list(range(20))


async def test_threads_share_a_client(shop: Shop, url: str) -> None:
    def call(number: int) -> object:
        return client.enqueue("add", {"left": number, "right": 1}).result(timeout=HANG)

    with Client(url, token=TOKEN) as client, ThreadPoolExecutor(8) as threads:
        results = await asyncio.to_thread(lambda: list(threads.map(call, range(40))))

    assert results == [number + 1 for number in range(40)]


async def test_the_plain_client_works_inside_of_a_running_loop(shop: Shop, url: str) -> None:
    async def in_a_notebook() -> object:
        with Client(url, token=TOKEN) as client:
            return client.enqueue("add", {"left": 1, "right": 2}).result(timeout=HANG)

    assert await asyncio.to_thread(asyncio.run, in_a_notebook()) == 3


async def test_an_async_client_serves_one_loop_after_the_other(shop: Shop, url: str) -> None:
    client = AsyncClient(url, token=TOKEN)

    async def once() -> object:
        handle = await client.enqueue("add", {"left": 1, "right": 2})
        result = await handle.result(timeout=HANG)
        await client.close()
        return result

    assert [await asyncio.to_thread(asyncio.run, once()) for _ in range(2)] == [3, 3]
