"""Fixtures for every test: a clock that stands still, and a migrated store on each database."""

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.testing.clock import START, FakeClock
from tests.support.pgbouncer import PgBouncer
from tests.support.postgres import Postgres, start_postgres

# Properties are about values, not about how fast a busy machine finds them.
settings.register_profile("mainspring", deadline=None)
settings.load_profile("mainspring")

DATABASES = [
    "sqlite",
    pytest.param("postgres", marks=pytest.mark.postgres),
    pytest.param("pgbouncer", marks=pytest.mark.postgres),
]


def pytest_configure() -> None:
    """Let Ctrl-C reach the processes of tests: what a shell starts in the background ignores it, and so does all below."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL server for the whole session, started by the first test that needs it."""
    server, cluster = start_postgres()
    yield server
    if cluster is None:
        asyncio.run(server.drop_all())
    else:
        cluster.stop()


@pytest.fixture(scope="session")
def pgbouncer(postgres: Postgres) -> Iterator[PgBouncer]:
    """One PgBouncer in transaction mode before that server."""
    pooler = PgBouncer(postgres.url)
    pooler.start()
    yield pooler
    pooler.stop()


@pytest.fixture
async def postgres_url(postgres: Postgres) -> AsyncIterator[str]:
    """A fresh PostgreSQL database without a schema."""
    url = await postgres.create_database()
    yield url
    await postgres.drop_database(url)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'mainspring.db'}"


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str:
    """Which database: a test that asks for a store runs once on each."""
    name: str = request.param
    return name


@pytest.fixture
async def empty_url(database: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """A database without a schema."""
    if database == "sqlite":
        yield request.getfixturevalue("sqlite_url")
        return
    server: Postgres = request.getfixturevalue("postgres")
    url = await server.create_database()
    yield way_to(url, database, request)
    await server.drop_database(url)


@pytest.fixture
async def store_url(database: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """A database with the schema, and nothing in it; where a scene will play, the day of that is prepared."""
    if database == "sqlite":
        yield await migrated_copy(request.getfixturevalue("sqlite_url"), request.getfixturevalue("tmp_path_factory"))
        return
    server: Postgres = request.getfixturevalue("postgres")
    url = await server.create_migrated(prepared_for=START if "scene" in request.fixturenames else None)
    yield way_to(url, database, request)
    await server.drop_database(url)


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    opened = await open_store(store_url)
    yield opened
    await opened.close()


def way_to(url: str, database: str, request: pytest.FixtureRequest) -> str:
    """Straight to the database, or through the pooler."""
    if database != "pgbouncer":
        return url
    pooler: PgBouncer = request.getfixturevalue("pgbouncer")
    return pooler.url(url)


async def migrated_copy(url: str, factory: pytest.TempPathFactory) -> str:
    """A copy of a file that is migrated once for all tests of this process."""
    template = factory.getbasetemp() / "migrated.db"
    if not template.exists():
        await migrate(f"sqlite:///{template}")
    shutil.copy(template, url.removeprefix("sqlite:///"))
    return url


async def migrate(url: str) -> None:
    opened = await open_store(url)
    await opened.migrate()
    await opened.close()
