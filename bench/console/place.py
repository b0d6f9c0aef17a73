"""A server with an executor on a database of its own, for the measurements of the console."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.postgres import Cluster, Postgres, find_binaries
from tests.support.processes import ServerProcess, clean_environment

ROOT = Path(__file__).parents[2]
TOKEN = "token-of-the-console-bench-0123456789"


class Place:
    """The process, its address, and calls over one connection that stays open."""

    def __init__(self, home: Path, store_url: str, postgres: int = 0) -> None:
        self.store_url = store_url
        self.postgres = postgres
        env = clean_environment(
            MAINSPRING_API_TOKEN=TOKEN,
            MAINSPRING_DATABASE_URL=store_url,
            PYTHONPATH=str(ROOT),
        )
        arguments = ["up", "e2e.jobs:app", "--home", str(home), "--log-level", "warning"]
        self._process = ServerProcess(arguments, log=home / "server.log", env=env, folder=ROOT)
        self._http: HTTPConnection | None = None

    @property
    def url(self) -> str:
        return self._process.url

    def start(self) -> None:
        self._process.start()
        asyncio.run(self._process.ready(executors=1))
        where = urlsplit(self.url)
        self._http = HTTPConnection(where.hostname or "", where.port, timeout=120)

    def stop(self) -> None:
        asyncio.run(self._process.kill())

    def close(self) -> None:
        self._process.close()

    def call(self, method: str, path: str, body: object = None) -> tuple[float, Any]:
        """Milliseconds, and what was answered."""
        assert self._http is not None
        headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
        content = None if body is None else json.dumps(body)
        begin = time.perf_counter()
        self._http.request(method, f"/api/v1/{path}", body=content, headers=headers)
        answer = self._http.getresponse()
        text = answer.read()
        took = (time.perf_counter() - begin) * 1000
        if answer.status >= 300:
            raise ValueError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return took, json.loads(text or b"null")

    def processor_seconds(self) -> float:
        """Of the process that serves, and of no other."""
        return spent(self._server)

    def processor_with_database(self) -> float:
        """Of the process that serves and of its PostgreSQL, if it has one of its own."""
        return spent(self._server) + sum(map(spent, descendants(self.postgres) if self.postgres else ()))

    def processor_of_all(self) -> float:
        """Of the server, its executor and its PostgreSQL."""
        places = [self._process.pid, *([self.postgres] if self.postgres else ())]
        return sum(spent(pid) for place in places for pid in descendants(place))

    @property
    def _server(self) -> int:
        return next(pid for pid in descendants(self._process.pid) if is_server(pid))


def spent(pid: int) -> float:
    """Seconds of processor time of all its threads; none of a process that has ended."""
    total = 0
    for thread in Path("/proc").glob(f"{pid}/task/*/schedstat"):
        with suppress(OSError):
            total += int(thread.read_text().split()[0])
    return total / 1e9


def descendants(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(found for child in children for found in descendants(int(child)))]


def is_server(pid: int) -> bool:
    """`up` starts its executor as a process of its own; itself, or a process of its own, is the server."""
    return "executor" not in Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")


@contextmanager
def opened(kind: str, home: Path) -> Iterator[Place]:
    """A place on SQLite or on a PostgreSQL of its own, on disk: millions of rows are too many for memory."""
    cluster = None
    if kind == "sqlite":
        place = Place(home, f"sqlite:///{home / 'mainspring.db'}")
    else:
        cluster = Cluster(find_binaries(), durable=True)
        cluster.start()
        place = Place(home, asyncio.run(Postgres(cluster.url).create_database()), cluster.pid)
    try:
        place.start()
        yield place
    finally:
        place.close()
        if cluster is not None:
            cluster.stop()
