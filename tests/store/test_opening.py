"""Which URL leads to which database, and what is said of one that leads nowhere."""

import asyncio
import sys
from pathlib import Path

import pytest

from mainspring.errors import ConfigError
from mainspring.store import open_store, sqlite_path
from mainspring.store.interface import Store

WITHOUT_DRIVER = (
    "import asyncio, sys; from mainspring.store import open_store; asyncio.run(open_store(sys.argv[1]));"
    " sys.exit('asyncpg' in sys.modules)"
)


def test_a_sqlite_url_names_a_relative_or_an_absolute_file() -> None:
    assert sqlite_path("sqlite:///data/mainspring.db") == Path("data/mainspring.db")
    assert sqlite_path("sqlite:////var/lib/mainspring.db") == Path("/var/lib/mainspring.db")
    assert sqlite_path("sqlite:///with%20space.db") == Path("with space.db")


@pytest.mark.parametrize("url", ["mysql://localhost/x", "mainspring.db", ""])
async def test_an_unknown_scheme_is_refused_with_those_that_are_known(url: str) -> None:
    with pytest.raises(ConfigError, match="sqlite:/// or postgresql://"):
        await open_store(url)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite://mainspring.db", "sqlite:///:memory:"])
async def test_a_sqlite_url_without_a_file_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(ConfigError, match=r"sqlite:///relative\.db"):
        await open_store(url)


async def test_who_uses_sqlite_never_loads_the_driver_of_postgresql(sqlite_url: str) -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", WITHOUT_DRIVER, sqlite_url)

    assert await process.wait() == 0


async def test_a_store_knows_the_time_and_may_be_woken(store: Store) -> None:
    assert (await store.clock()).utcoffset() is not None
    await store.wake("runs")
