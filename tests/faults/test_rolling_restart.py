"""Callers that know two servers, one of which is restarted after the other: no call is refused, none is done twice."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mainspring import AsyncClient, Client
from mainspring.client.handles import RunHandle
from mainspring.client.transport.requests import Enqueue
from mainspring.errors import MainspringError
from tests.acceptance.scene import PATIENT, Scene, settled
from tests.support.processes import API_TOKEN, ServerProcess, eventually

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

THREADS = 4
TASKS = 4
FIRST = 40
"""Calls that are answered before the first restart begins."""


class Stream:
    """Calls without a pause, until it is told to stop."""

    def __init__(self, urls: list[str]) -> None:
        self.accepted: list[str] = []
        self.refused: list[str] = []
        self.over = threading.Event()
        self._urls = urls

    async def answered(self, count: int) -> None:
        """Wait until that many more calls are answered."""
        enough = len(self.accepted) + count
        await eventually(lambda: len(self.accepted) >= enough, f"{count} more calls that are answered")

    def call(self) -> None:
        with Client(self._urls, token=API_TOKEN) as client:
            while not self.over.is_set():
                try:
                    run = client.enqueue("noop")
                    self.accepted.append(run.id)
                    run.get()
                except MainspringError as error:
                    self.refused.append(f"{type(error).__name__}: {error}")

    def call_in_chunks(self) -> None:
        with Client(",".join(self._urls), token=API_TOKEN) as client:
            while not self.over.is_set():
                try:
                    self.accepted += [run.id for run in client.enqueue_many([Enqueue(job="noop")] * 3)]
                except MainspringError as error:
                    self.refused.append(f"{type(error).__name__}: {error}")

    async def call_async(self) -> None:
        async with AsyncClient(self._urls, token=API_TOKEN) as client:
            while not self.over.is_set():
                try:
                    run = await client.enqueue("noop")
                    self.accepted.append(run.id)
                    await run.get()
                except MainspringError as error:
                    self.refused.append(f"{type(error).__name__}: {error}")


@contextmanager
def streaming(urls: list[str]) -> Iterator[Stream]:
    stream = Stream(urls)
    kinds = [stream.call] * THREADS + [stream.call_in_chunks]
    threads = [threading.Thread(target=kind) for kind in kinds]
    threads.append(threading.Thread(target=lambda: asyncio.run(all_tasks(stream))))
    for thread in threads:
        thread.start()
    try:
        yield stream
    finally:
        stream.over.set()
        for thread in threads:
            thread.join()


async def all_tasks(stream: Stream) -> None:
    await asyncio.gather(*(stream.call_async() for _ in range(TASKS)))


async def restart(server: ServerProcess) -> int:
    code = await server.terminate()
    server.start()
    await server.ready()
    return code


async def test_no_call_is_refused_or_done_twice_while_servers_are_restarted_in_turn(
    scene: Scene, database_url: str
) -> None:
    one, other = servers = await scene.servers(2, database_url, **PATIENT)
    await scene.executors("a", one, other)
    with streaming([server.url for server in servers]) as stream:
        for server in (one, other, one):
            await stream.answered(FIRST)
            assert await restart(server) == 0
    runs = await settled(one)

    assert stream.refused == []
    assert len(stream.accepted) == len(set(stream.accepted))
    assert runs.keys() == set(stream.accepted)


async def test_a_command_goes_to_the_server_that_is_there(scene: Scene, database_url: str) -> None:
    one, other = servers = await scene.servers(2, database_url, **PATIENT)
    await scene.executors("a", other)
    urls = ",".join(server.url for server in servers)
    restarting = asyncio.create_task(restart(one))
    codes = []
    while not restarting.done():
        command = scene.fleet.command("enqueue", "noop", MAINSPRING_URL=urls, MAINSPRING_TOKEN=API_TOKEN)
        codes.append(await command.wait())
    runs = await settled(other)

    assert await restarting == 0
    assert codes
    assert set(codes) == {0}
    assert len(runs) == len(codes)


async def test_waits_and_streams_go_on_through_the_other_server(scene: Scene, database_url: str) -> None:
    one, other = servers = await scene.servers(2, database_url, **PATIENT)
    await scene.executors("a", other)
    gate = scene.gate()
    urls = [server.url for server in servers]
    async with AsyncClient(urls, token=API_TOKEN) as client:
        run = await client.enqueue("narrate", {"gate": gate.path})
        await scene.begun(run.id)
        waiting = asyncio.gather(run.wait(), seen(run), logged(run))
        plainly = asyncio.gather(asyncio.to_thread(wait_sync, urls, run.id), asyncio.to_thread(see_sync, urls, run.id))
        assert await restart(one) == 0
        assert await restart(other) == 0
        gate.open()
        last, states, lines = await waiting
        last_sync, states_sync = await plainly

    assert (last.state, last_sync) == ("succeeded", "succeeded")
    assert (states[-1], states_sync[-1]) == ("succeeded", "succeeded")
    assert lines == ["begun", "done"]


async def seen(run: RunHandle[object]) -> list[str]:
    return [each.state async for each in run.stream()]


async def logged(run: RunHandle[object]) -> list[str]:
    return [line.message async for line in run.logs()]


def wait_sync(urls: list[str], run: str) -> str:
    with Client(urls, token=API_TOKEN) as client:
        return client.wait(run).state


def see_sync(urls: list[str], run: str) -> list[str]:
    with Client(urls, token=API_TOKEN) as client:
        return [each.state for each in client.watch(run)]
