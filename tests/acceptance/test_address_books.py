"""A server in a real etcd: an executor that knows nothing else finds it, and the command line says how it is kept there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mainspring.contract.cluster import AddressBookInfo
from tests.acceptance.scene import APP, PATIENT, Scene, assert_each_ran_once, enqueue, settled
from tests.support.processes import API_TOKEN, ServerProcess, eventually
from tests.support.registries import EtcdBook

pytestmark = pytest.mark.slow


@pytest.fixture
def etcd(tmp_path: Path) -> Iterator[EtcdBook]:
    folder = tmp_path / "etcd"
    folder.mkdir()
    book = EtcdBook(folder)
    book.start()
    yield book
    book.kill()


async def test_an_executor_that_knows_only_an_address_book_finds_the_server(scene: Scene, etcd: EtcdBook) -> None:
    server = await scene.server(discovery=etcd.address, **PATIENT)
    executor = await scene.fleet.executor(APP, name="found", servers=etcd.address).connected()
    await enqueue(server, "noop", 3)
    runs = await settled(server, 3)

    assert_each_ran_once(scene, runs)
    assert scene.ledger.pids() == {executor.pid}

    [kept] = await eventually(lambda: kept_in(server, answers=True), "the server in its address book")
    assert (kept.source, kept.entries, kept.trouble) == (etcd.address, 1, "")
    assert f"{etcd.address} has 1 entries of server" in await shown(scene, server)

    etcd.kill()
    [away] = await eventually(lambda: kept_in(server, answers=False), "the address book is away")
    assert (away.entries, away.answered_at is None) == (0, False)
    assert "makes itself known, is away" in await shown(scene, server)


async def kept_in(server: ServerProcess, *, answers: bool) -> list[AddressBookInfo]:
    async with server.client() as client:
        found = await client.servers.address_books()
    return [one for one in found.books if answers == (one.answered_at is not None and not one.trouble)]


async def shown(scene: Scene, server: ServerProcess) -> str:
    command = scene.fleet.command("discovery", "show", "--url", server.url, MAINSPRING_TOKEN=API_TOKEN)
    assert await command.wait() == 0
    return command.log
