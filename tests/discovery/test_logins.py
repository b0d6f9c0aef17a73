"""Address books that ask for credentials and speak TLS: real ones, with files as an operator writes them."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from mainspring.clock import SystemClock
from mainspring.discovery.address import open_registry, parse_address
from mainspring.discovery.interface import Entry, EntryKind, Registry, RegistryAwayError
from tests.cli.certificates import Certificate, make_certificate
from tests.support.pgbouncer import free_port
from tests.support.processes import eventually
from tests.support.registries import JARS, ConsulBook, EtcdBook, ProcessBook, ZooKeeperBook

MINE = Entry(kind=EntryKind.SERVER, id="one", name="s1", url="https://s1:8484")
Open = Callable[[str], Registry]


@asynccontextmanager
async def opened(book: ProcessBook) -> AsyncIterator[Open]:
    """The book, started; gives adapters with the given options."""
    made: list[Registry] = []

    def adapter(options: str) -> Registry:
        made.append(open_registry(parse_address(f"{book.address}?{options}"), SystemClock()))
        return made[-1]

    book.start()
    try:
        yield adapter
    finally:
        for one in made:
            await one.close()
        book.kill()


async def taken(registry: Registry) -> bool:
    try:
        await registry.announce(MINE, ttl=15)
    except RegistryAwayError:
        return False
    return True


async def test_etcd_is_given_the_login_of_a_file_and_another_one_when_it_changes(tmp_path: Path) -> None:
    book, login = EtcdBook(tmp_path), tmp_path / "login"
    login.write_text("root:first\n")
    async with opened(book) as adapter:
        stranger, mine = adapter(""), adapter(f"credentials_file={login}")
        await eventually(lambda: taken(stranger), book.address)
        await book.call("auth/user/add", {"name": "root", "password": "first"})
        await book.call("auth/user/grant", {"user": "root", "role": "root"})
        await book.call("auth/enable", {})

        assert await taken(mine)
        assert await mine.entries() == [MINE]
        assert not await taken(adapter(""))
        with pytest.raises(RegistryAwayError):
            await stranger.entries()

        token = (await book.call("auth/authenticate", {"name": "root", "password": "first"}))["token"]
        await book.call("auth/user/changepw", {"name": "root", "password": "second"}, token)
        with pytest.raises(RegistryAwayError):
            await mine.entries()
        login.write_text("root:second\n")
        assert await mine.entries() == [MINE]


class GuardedConsul(ConsulBook):
    """Without a token nothing can be read or written."""

    def arguments(self) -> Sequence[str]:
        given = super().arguments()
        path = self.folder / "consul.json"
        guard = {"enabled": True, "default_policy": "deny", "tokens": {"master": "secret-of-consul"}}
        path.write_text(json.dumps(json.loads(path.read_text()) | {"acl": guard}))
        return given


async def test_consul_is_given_the_token_of_a_file(tmp_path: Path) -> None:
    book, token = GuardedConsul(tmp_path), tmp_path / "token"
    token.write_text("secret-of-consul\n")
    async with opened(book) as adapter:
        mine, stranger = adapter(f"credentials_file={token}"), adapter("")
        await eventually(lambda: taken(mine), book.address)

        assert await mine.entries() == [MINE]
        assert await stranger.entries() == []
        assert not await taken(stranger)

        token.unlink()
        with pytest.raises(RegistryAwayError, match="credentials_file"):
            await mine.entries()


async def test_zookeeper_lets_only_the_login_change_its_nodes(tmp_path: Path) -> None:
    book, login = ZooKeeperBook(tmp_path), tmp_path / "login"
    login.write_text("fleet:secret\n")
    async with opened(book) as adapter:
        mine, stranger = adapter(f"credentials_file={login}"), adapter("")
        await eventually(lambda: taken(mine), book.address)

        assert await stranger.entries() == [MINE]
        with pytest.raises(RegistryAwayError):
            await stranger.withdraw(MINE)
        assert await mine.entries() == [MINE]


class SealedEtcd(EtcdBook):
    """Speaks TLS only."""

    def __init__(self, folder: Path, sealed: Certificate) -> None:
        super().__init__(folder)
        self._sealed = sealed

    def arguments(self) -> Sequence[str]:
        given = [
            one.replace(f"http://127.0.0.1:{self.port}", f"https://127.0.0.1:{self.port}")
            for one in super().arguments()
        ]
        return [*given, "--cert-file", self._sealed.certificate, "--key-file", self._sealed.key]


class SealedZooKeeper(ZooKeeperBook):
    """Speaks TLS on the port of its address."""

    def __init__(self, folder: Path, sealed: Certificate) -> None:
        super().__init__(folder)
        self._store = folder / "store.pem"
        self._store.write_text(Path(sealed.key).read_text() + Path(sealed.certificate).read_text())

    def arguments(self) -> Sequence[str]:
        java, memory, path, jars, *rest = super().arguments()
        plain, sealed = f"clientPort={self.port}", f"clientPort={free_port()}\nsecureClientPort={self.port}"
        settings = (self.folder / "zoo.cfg").read_text().replace(plain, sealed)
        more = {"serverCnxnFactory": "org.apache.zookeeper.server.NettyServerCnxnFactory", "ssl.clientAuth": "none"}
        more |= {"ssl.keyStore.location": str(self._store), "ssl.keyStore.type": "PEM"}
        (self.folder / "zoo.cfg").write_text(settings + "".join(f"{name}={value}\n" for name, value in more.items()))
        return [java, memory, path, f"{jars}:{JARS}/*", *rest]


# The library of ZooKeeper does not close a socket whose other side it does not trust.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", [SealedEtcd, SealedZooKeeper])
async def test_a_book_is_spoken_to_by_tls_and_only_if_its_certificate_is_good(
    kind: type[SealedEtcd] | type[SealedZooKeeper], tmp_path: Path
) -> None:
    sealed = make_certificate(tmp_path)
    book = kind(tmp_path, sealed)
    async with opened(book) as adapter:
        mine = adapter(f"ca_file={sealed.certificate}")
        await eventually(lambda: taken(mine), book.address)

        assert await mine.entries() == [MINE]
        assert not await taken(adapter("tls=true"))
