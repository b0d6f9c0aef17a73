"""Plain transactions of each kind: the same few steps, as people write them with each library."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
from django.db import connection, transaction
from psycopg.rows import dict_row
from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session, scoped_session, sessionmaker

from tests.contrib import django_project

assert django_project.IS_READY

ORDER = "INSERT INTO orders (number) VALUES ({})"


class Transaction:
    """What a test does inside: the connection to pass on, a statement of one's own, and a savepoint."""

    def __init__(
        self, connection: Any, execute: Callable[[str], Any], savepoint: Callable[[], AbstractContextManager[Any]]
    ) -> None:
        self.connection = connection
        self._execute = execute
        self.savepoint = savepoint

    def order(self, number: int) -> None:
        self._execute(ORDER.format(number))


@contextmanager
def psycopg_connection(url: str) -> Iterator[Transaction]:
    with psycopg.connect(url) as connection:
        yield Transaction(connection, lambda sql: connection.execute(sql.encode()), connection.transaction)


@contextmanager
def psycopg_cursor(url: str) -> Iterator[Transaction]:
    with psycopg.connect(url, row_factory=dict_row) as connection, connection.cursor() as cursor:
        yield Transaction(cursor, lambda sql: cursor.execute(sql.encode()), connection.transaction)


@contextmanager
def psycopg_autocommit(url: str) -> Iterator[Transaction]:
    with psycopg.connect(url, autocommit=True) as connection, connection.transaction():
        yield Transaction(connection, lambda sql: connection.execute(sql.encode()), connection.transaction)


@contextmanager
def sqlalchemy_connection(url: str) -> Iterator[Transaction]:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    with engine.begin() as connection:
        yield Transaction(connection, lambda sql: connection.execute(text(sql)), connection.begin_nested)


@contextmanager
def sqlalchemy_session(url: str) -> Iterator[Transaction]:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    with Session(engine) as session, session.begin():
        yield Transaction(session, lambda sql: session.execute(text(sql)), session.begin_nested)


@contextmanager
def sqlalchemy_scoped(url: str) -> Iterator[Transaction]:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    scoped = scoped_session(sessionmaker(engine))
    try:
        with scoped.begin():
            yield Transaction(scoped, lambda sql: scoped.execute(text(sql)), scoped.begin_nested)
    finally:
        scoped.remove()


@contextmanager
def django_connection(url: str) -> Iterator[Transaction]:
    point_django_at(url)
    try:
        with transaction.atomic():
            yield Transaction(connection, lambda sql: connection.cursor().execute(sql), transaction.atomic)
    finally:
        connection.close()


def point_django_at(url: str) -> None:
    parts = make_url(url)
    connection.close()
    connection.settings_dict.update({"NAME": parts.database, "USER": parts.username, "HOST": parts.query["host"]})


WAYS = (
    psycopg_connection,
    psycopg_cursor,
    psycopg_autocommit,
    sqlalchemy_connection,
    sqlalchemy_session,
    sqlalchemy_scoped,
    django_connection,
)
