"""One suite for every address book: etcd, ZooKeeper, Consul and DNS are real here, Kubernetes is a stub that says so."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from mainspring.clock import SystemClock
from mainspring.discovery.address import open_registry, parse_address
from mainspring.discovery.dns import DnsServices
from mainspring.discovery.http import HttpBook
from mainspring.discovery.interface import ENTRY_MAX, Entry, EntryKind, Registry, RegistryAwayError, write_entry
from mainspring.discovery.kubernetes import Kubernetes
from mainspring.errors import ConfigError
from tests.support.limits import HANG
from tests.support.processes import eventually
from tests.support.registries import ConsulBook, DnsServer, EtcdBook, KubernetesStub, ProcessBook, ZooKeeperBook

FIRST = Entry(kind=EntryKind.SERVER, id="one", name="s1", url="https://s1:8484", zone="east", version="0.1")
SECOND = Entry(kind=EntryKind.SERVER, id="two", name="s2", url="https://s2:8484")
SHORT = 2
"""Seconds: the shortest lease that etcd grants."""
BOOKS: dict[str, type[ProcessBook]] = {"etcd": EtcdBook, "zookeeper": ZooKeeperBook, "consul": ConsulBook}


class Stand:
    """A server of one kind, with as many adapters to it as a test wants."""

    def __init__(self, book: ProcessBook) -> None:
        self.book = book
        self._opened: list[Registry] = []

    def registry(self) -> Registry:
        # So rarely asked that only a watch can tell of a change within a test.
        made = open_registry(parse_address(f"{self.book.address}?every=3600s"), SystemClock())
        self._opened.append(made)
        return made

    async def start(self) -> None:
        self.book.start()
        asking = self.registry()
        await eventually(lambda: answers(asking), self.book.address)

    def kill(self) -> None:
        self.book.kill()

    async def close(self) -> None:
        for each in self._opened:
            await each.close()
        self.kill()


async def answers(registry: Registry) -> bool:
    try:
        await registry.entries()
    except RegistryAwayError:
        return False
    return True


@pytest.fixture(params=sorted(BOOKS))
async def stand(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stand]:
    made = Stand(BOOKS[str(request.param)](tmp_path))
    await made.start()
    try:
        yield made
    finally:
        await made.close()


async def test_an_address_book_holds_what_is_announced_and_survives_its_own_end(stand: Stand) -> None:
    # One scene, since each start of a server costs seconds.
    mine, theirs = stand.registry(), stand.registry()
    assert await theirs.entries() == []

    await mine.announce(FIRST, ttl=15)
    await mine.announce(SECOND, ttl=15)
    await mine.announce(FIRST, ttl=15)
    assert sorted(await theirs.entries(), key=lambda one: one.id) == [FIRST, SECOND]

    waiting = asyncio.create_task(theirs.changed())
    await mine.withdraw(SECOND)
    async with asyncio.timeout(HANG):
        await waiting
    assert await theirs.entries() == [FIRST]

    stand.kill()
    with pytest.raises(RegistryAwayError):
        await theirs.entries()
    with pytest.raises(RegistryAwayError):
        await mine.announce(FIRST, ttl=15)

    await stand.start()
    await eventually(lambda: announced(mine), "announced anew")
    assert await theirs.entries() == [FIRST]


async def announced(registry: Registry) -> bool:
    try:
        await registry.announce(FIRST, ttl=15)
    except RegistryAwayError:
        return False
    return True


async def test_an_entry_goes_with_the_process_that_announced_it_and_a_pause_of_the_book_is_survived(
    stand: Stand,
) -> None:
    mine = stand.registry()
    announcer = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.discovery.announcer", stand.book.address, str(SHORT)), stdout=subprocess.PIPE
    )
    assert announcer.stdout is not None
    await announcer.stdout.readline()
    assert [one.id for one in await mine.entries()] == ["announcer"]
    announcer.kill()
    await announcer.wait()
    await eventually(lambda: gone(mine), "the end of the entry")

    await mine.announce(FIRST, ttl=SHORT)
    stand.book.pause()
    with pytest.raises(RegistryAwayError):
        await mine.entries()
    stand.book.go_on()
    await eventually(lambda: announced(mine), "announced after the pause")
    assert await mine.entries() == [FIRST]


async def gone(registry: Registry) -> bool:
    return await registry.entries() == []


async def test_rubbish_is_left_out_and_counted(stand: Stand) -> None:
    mine = stand.registry()
    await mine.announce(FIRST, ttl=15)
    newer = msgspec.structs.replace(SECOND, protocol=99)
    large = write_entry(SECOND) + b" " * ENTRY_MAX
    for name, raw in (
        ("a", b"\x01"),
        ("b", b'{"kind": "moon"}'),
        ("c", b"[]"),
        ("d", large),
        ("e", write_entry(newer)),
    ):
        await stand.book.put(name, raw)

    assert await mine.entries() == [FIRST]
    assert mine.unreadable == 5


async def test_an_entry_keeps_its_labels_unless_they_make_it_too_large(stand: Stand) -> None:
    mine = stand.registry()
    labels = {f"label-{at}": "\u00e9" * 100 for at in range(5)}
    press = Entry(kind=EntryKind.EXECUTOR, id="press", name="press", labels=labels)
    heavy = msgspec.structs.replace(press, id="heavy", labels={f"label-{at}": "x" * 400 for at in range(20)})
    await mine.announce(press, ttl=15)
    await mine.announce(heavy, ttl=15)

    found = {one.id: one for one in await mine.entries()}
    assert found == {"press": press, "heavy": msgspec.structs.replace(heavy, labels={})}


async def test_what_etcd_has_compacted_away_is_read_anew(tmp_path: Path) -> None:
    book = EtcdBook(tmp_path)
    stand = Stand(book)
    await stand.start()
    try:
        mine = stand.registry()
        await mine.entries()
        for number in range(3):
            await book.put(str(number), write_entry(SECOND))
        revision = (await book.call("kv/range", {"key": "AA=="}))["header"]["revision"]
        await book.call("kv/compaction", {"revision": revision})

        async with asyncio.timeout(HANG):
            await mine.changed()
        assert len(await mine.entries()) == 3
    finally:
        await stand.close()


async def test_kubernetes_names_the_ready_endpoints_of_a_service() -> None:
    stub = KubernetesStub()
    await stub.open()
    ready, ending = {"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.2"], "conditions": {"ready": False}}
    stub.endpoints = [ready, ending]
    address = parse_address(stub.address)
    book = Kubernetes(address, SystemClock(), http=HttpBook([("127.0.0.1", stub.port)], port=1))
    try:
        assert [one.url for one in await book.entries()] == ["http://10.0.0.1:8484"]
        assert "/namespaces/fleet/endpointslices?" in stub.asked[0]

        waiting = asyncio.create_task(book.changed())
        await stub.watched.wait()
        stub.change([ready, {"addresses": ["10.0.0.2"]}])
        async with asyncio.timeout(HANG):
            await waiting
        assert [one.url for one in await book.entries()] == ["http://10.0.0.1:8484", "http://10.0.0.2:8484"]

        stub.has_forgotten = True
        async with asyncio.timeout(HANG):
            await book.changed()
    finally:
        await stub.shut()
    with pytest.raises(RegistryAwayError):
        await book.entries()


async def test_dns_names_every_address_of_a_host() -> None:
    book = open_registry(parse_address("dns://localhost:8484"), SystemClock())

    assert "http://127.0.0.1:8484" in [one.url for one in await book.entries()]
    with pytest.raises(ConfigError, match="nothing can be announced"):
        await book.announce(FIRST, ttl=15)


async def test_srv_records_name_servers_by_their_priority(tmp_path: Path) -> None:
    server = DnsServer(tmp_path)
    book = open_registry(parse_address(f"{server.address}?tls=true"), SystemClock())
    assert isinstance(book, DnsServices)
    book.ask("127.0.0.1", server.port)
    server.start()
    try:
        await eventually(lambda: answers(book), server.address)
        assert [one.url for one in await book.entries()] == ["https://s1.fleet.test:8484", "https://s2.fleet.test:8485"]
    finally:
        server.kill()
    with pytest.raises(RegistryAwayError):
        await book.entries()


async def test_a_name_that_is_none_is_trouble_and_not_an_empty_list() -> None:
    book = open_registry(parse_address("dns://no.such.name.invalid:8484"), SystemClock())

    with pytest.raises(RegistryAwayError):
        await book.entries()
