"""Several hosts in one URL: the one that takes writes is found, whatever is wrong with the others."""

import asyncio
import socket
from collections.abc import AsyncIterator
from urllib.parse import quote, urlsplit

import asyncpg
import pytest

from mainspring.errors import StoreUnavailableError
from mainspring.store.postgres import connect as dialling
from mainspring.store.postgres.connect import HostDialling, split_hosts
from mainspring.store.postgres.connection import Database
from tests.support.postgres import Postgres

pytestmark = pytest.mark.postgres

READ_ONLY = "ALTER DATABASE {} SET default_transaction_read_only = on"


def test_one_host_is_left_as_it_is() -> None:
    assert split_hosts("postgresql://me@db.example/shop?sslmode=require") == [
        "postgresql://me@db.example/shop?sslmode=require"
    ]


def test_each_of_several_hosts_gets_a_url_that_asks_for_one_that_takes_writes() -> None:
    assert split_hosts("postgresql://me:p%40ss@one.example:5433,two.example/shop") == [
        "postgresql://me:p%40ss@one.example:5433/shop?target_session_attrs=read-write",
        "postgresql://me:p%40ss@two.example/shop?target_session_attrs=read-write",
    ]


def test_what_the_url_asks_for_itself_counts() -> None:
    [first, _] = split_hosts("postgresql://one,two/shop?target_session_attrs=any")

    assert first == "postgresql://one/shop?target_session_attrs=any"


@pytest.fixture
async def silent() -> AsyncIterator[str]:
    """A host that takes connections and never says a word."""
    quiet = asyncio.Event()

    async def listen(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await quiet.wait()
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    yield "{}:{}".format(*server.sockets[0].getsockname())
    quiet.set()
    server.close()
    await server.wait_closed()


def refusing() -> str:
    """An address on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return "{}:{}".format(*probe.getsockname())


async def test_a_host_that_is_away_is_passed_over(postgres_url: str) -> None:
    connection = await HostDialling(several(postgres_url, refusing(), here(postgres_url))).connect()
    try:
        assert await connection.fetchval("SELECT 1") == 1
    finally:
        await connection.close()


async def test_many_that_connect_at_once_each_try_every_host(postgres_url: str) -> None:
    dial = HostDialling(several(postgres_url, refusing(), refusing(), here(postgres_url)))
    connections = await asyncio.gather(*(dial.connect() for _ in range(5)))
    try:
        assert [await each.fetchval("SELECT 1") for each in connections] == [1] * 5
    finally:
        for connection in connections:
            await connection.close()


async def test_a_host_that_keeps_silent_costs_only_its_share_of_the_time(
    postgres_url: str, silent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialling, "CONNECT_TIMEOUT", 4.0)
    dial = HostDialling(several(postgres_url, silent, here(postgres_url)))
    connections = [await dial.connect() for _ in range(2)]
    try:
        assert [await each.fetchval("SELECT 1") for each in connections] == [1, 1]
    finally:
        for connection in connections:
            await connection.close()


async def test_a_host_that_takes_no_writes_is_passed_over(postgres: Postgres, postgres_url: str) -> None:
    """As a standby would be; it is asked for by the same setting."""
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(READ_ONLY.format(f'"{database(postgres_url)}"'))
    await connection.close()

    with pytest.raises(asyncpg.InternalClientError, match="None of the hosts match"):
        await HostDialling(several(postgres_url, here(postgres_url), here(postgres_url))).connect()


async def test_a_pool_whose_hosts_are_all_away_says_so() -> None:
    pool = Database(f"postgresql://me@{refusing()},{refusing()}/shop", size=1, application="test")

    with pytest.raises(StoreUnavailableError):
        await pool.fetchval("SELECT 1")


async def test_a_connection_that_turned_read_only_is_not_lent_again(postgres_url: str) -> None:
    pool = Database(postgres_url, size=1, application="test")
    try:
        await pool.execute("CREATE TABLE kept (number integer)")
        await pool.execute("SET default_transaction_read_only = on")
        with pytest.raises(StoreUnavailableError, match="read-only"):
            await pool.execute("INSERT INTO kept VALUES (1)")
        await pool.execute("INSERT INTO kept VALUES (2)")

        assert await pool.fetchval("SELECT number FROM kept") == 2
    finally:
        await pool.close()


async def test_the_system_is_told_to_notice_a_silent_host(silent: str) -> None:
    with socket.create_connection(tuple(silent.split(":"))) as wire:  # type: ignore[arg-type]
        dialling.watch_for_silence(wire)

        assert wire.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == dialling.SILENCE_MAX * 1000


def several(url: str, *hosts: str) -> str:
    parts = urlsplit(url)
    return f"postgresql://{parts.username}@{','.join(hosts)}{parts.path}"


def here(url: str) -> str:
    """The test's server, by the folder of its Unix socket."""
    return quote(urlsplit(url).query.removeprefix("host="), safe="")


def database(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")
