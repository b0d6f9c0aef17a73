"""The SQL functions, called as anybody may call them."""

import json
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

Connection = psycopg.Connection[tuple[object, ...]]


def enqueue(connection: Connection, job: str = "pack", input: object = None, **options: object) -> UUID:  # noqa: A002
    named = "".join(f", {name} => %({name})s" for name in options)
    given = {"job": job, "input": Jsonb({"order": 1} if input is None else input), **options}
    row = connection.execute(f"SELECT mainspring.enqueue(%(job)s, %(input)s{named})".encode(), given).fetchone()
    assert row is not None
    assert isinstance(row[0], UUID)
    return row[0]


def enqueue_many(connection: Connection, calls: object) -> list[dict[str, object]]:
    row = connection.execute("SELECT mainspring.enqueue_many(%s)", [json.dumps(calls)]).fetchone()
    assert row is not None
    answers: list[dict[str, object]] = row[0]  # type: ignore[assignment]
    return answers
