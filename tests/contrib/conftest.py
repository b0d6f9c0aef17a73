"""A shop's database, looked at from outside."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.contrib.shop import Onlooker, Shop, shop_database
from tests.contrib.sql import Connection
from tests.support.postgres import Postgres


@pytest.fixture(scope="module")
def shop_url(postgres: Postgres) -> Iterator[str]:
    with shop_database(postgres) as url:
        yield url


@pytest.fixture
def onlooker(shop_url: str) -> Iterator[Onlooker]:
    """Also leaves the database empty for the next test."""
    looking = Onlooker(shop_url)
    yield looking
    looking.wipe()
    looking.close()


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def connection(shop_url: str, onlooker: Onlooker) -> Iterator[Connection]:
    with psycopg.connect(shop_url) as opened:
        yield opened
        opened.rollback()
