"""One suite for every address book: etcd, ZooKeeper, Consul and DNS are real here, Kubernetes is a stub that says so."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from mainspring.clock import SystemClock
from mainspring.discovery.address import open_registry, parse_address
from mainspring.discovery.dns import DnsServices
from mainspring.discovery.etcd import Etcd
from mainspring.discovery.http import HttpBook
from mainspring.discovery.interface import Entry, EntryKind, Registry, RegistryAwayError
from mainspring.discovery.kubernetes import Kubernetes
from mainspring.errors import ConfigError
from tests.support.processes import DEADLINE, eventually
from tests.support.registries import ConsulBook, DnsServer, EtcdBook, KubernetesStub, ProcessBook, ZooKeeperBook

FIRST = Entry(kind=EntryKind.SERVER, id="one", name="s1", url="https://s1:8484", zone="east", version="0.1")
SECOND = Entry(kind=EntryKind.SERVER, id="two", name="s2", url="https://s2:8484")
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
    async with asyncio.timeout(DEADLINE):
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


async def test_an_entry_goes_with_its_lease_and_rubbish_is_counted(tmp_path: Path) -> None:
    stand = Stand(EtcdBook(tmp_path))
    await stand.start()
    try:
        etcd = stand.registry()
        assert isinstance(etcd, Etcd)
        await etcd.announce(FIRST, ttl=1)
        for name, value in (("x", "AAAA"), ("y", "eyJraW5kIjogIm1vb24ifQ==")):
            await etcd._call("kv/put", {"key": etcd._key(msgspec.structs.replace(FIRST, id=name)), "value": value})

        assert await etcd.entries() == [FIRST]
        assert etcd.unreadable == 2
        await eventually(lambda: gone(etcd), "the lease ends")
        await etcd.announce(FIRST, ttl=15)
        assert await etcd.entries() == [FIRST]
    finally:
        await stand.close()


async def gone(registry: Registry) -> bool:
    return await registry.entries() == []


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
        async with asyncio.timeout(DEADLINE):
            await waiting
        assert [one.url for one in await book.entries()] == ["http://10.0.0.1:8484", "http://10.0.0.2:8484"]
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


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nacos://h:1/x", "the schemes are http, https, consul"),
        ("etcd://h:99999/x", "bad host or port"),
        ("etcd://user:pass@h:1/x", "user and password"),
        ("etcd://h:1/../x", "without '..'"),
        ("consul:///x", "needs a host"),
        ("dns://h:1?every=soon", "bad option every"),
        ("dns://h:1?often=1", "unknown option 'often'"),
        ("kubernetes://servers:1", "service.namespace"),
    ],
)
def test_a_bad_address_is_refused_with_the_name_of_its_setting(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=r"^discovery: ") as refused:
        open_registry(parse_address(text), SystemClock())

    assert reason in str(refused.value)
