"""A real server with an executor, and the calls that prepare what a page is to show."""

import asyncio
import json
import urllib.request
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from tests.support.processes import ServerProcess, clean_environment

ROOT = Path(__file__).parents[1]
TOKEN = "token-of-the-browser-tests-0123456789"


T = TypeVar("T")


def run_apart(act: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns: the browser's driver keeps a loop of its own in this thread."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, act).result()


class Site:
    """One server: its address, its first token, and its API for a test's own use."""

    def __init__(self, home: Path, store_url: str, **settings: str) -> None:
        env = clean_environment(
            MAINSPRING_API_TOKEN=TOKEN, MAINSPRING_DATABASE_URL=store_url, PYTHONPATH=str(ROOT), **settings
        )
        arguments = ["up", "e2e.jobs:app", "--home", str(home), "--log-level", "warning"]
        self._process = ServerProcess(arguments, log=home / "server.log", env=env, folder=ROOT)
        self.token = TOKEN
        self._store_url = store_url
        self.is_postgres = store_url.startswith("postgres")
        self._home = home

    @property
    def database(self) -> str:
        """The name of its database on PostgreSQL."""
        return urlsplit(self._store_url).path.lstrip("/")

    @property
    def url(self) -> str:
        return self._process.url

    def first_link(self) -> str:
        """The link for the first admin."""
        return (self._home / "first-admin.url").read_text().strip()

    def start(self) -> None:
        self._process.start()
        run_apart(self._process.ready(executors=1))

    def kill(self) -> None:
        run_apart(self._process.kill())

    def close(self) -> None:
        self._process.close()

    def call(self, method: str, path: str, body: object = None, *, match: str = "") -> Any:
        """What the API answers."""
        request = urllib.request.Request(
            f"{self.url}/api/v1/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "authorization": f"Bearer {self.token}",
                "content-type": "application/json",
                **({"if-match": match} if match else {}),
            },
        )
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or b"null")

    def run(self, job: str, **fields: Any) -> str:
        """Have a run accepted; its id."""
        accepted = self.call("POST", "runs", {"job": job, **fields})
        run: str = accepted["id"]
        return run

    def ended(self, run: str) -> dict[str, Any]:
        """The run, once it has ended."""
        found: dict[str, Any] = self.call("GET", f"runs/{run}?wait=30")
        assert found["finished_at"] is not None, f"still {found['state']}"
        return found

    def issue_token(self, name: str, role: str) -> str:
        text: str = self.call("POST", "tokens", {"name": name, "role": role})["text"]
        return text
