"""The clients: finding a server, listing, logs, and servers that are not there."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from mainspring import AccessDeniedError, AsyncClient, Client, ConfigError, UnavailableError
from mainspring.client.transport.problems import error_of
from mainspring.client.transport.requests import CHUNK, Enqueue, enqueue_many
from mainspring.client.waiting import POLL_MAX, Deadline
from mainspring.errors import InvalidInputError, MainspringError, NotFoundError, StoreUnavailableError, TooLargeError
from mainspring.testing.clock import FakeClock
from tests.client.conftest import TOKEN, Shop
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_runs_are_listed_with_a_cursor(shop: Shop) -> None:
    await shop.app.enqueue_many([shop.never.options(queue="listed").call()] * 3)
    first = await shop.app.client.list(queue="listed", limit=2)
    rest = await asyncio.to_thread(shop.app.sync_client.list, queue="listed", limit=2, cursor=first.next)

    assert (len(first.runs), len(rest.runs), rest.next) == (2, 1, None)
    assert (await shop.app.client.list(queue="listed", states=["failed", "succeeded"])).runs == []


async def test_logs_arrive_in_order(shop: Shop) -> None:
    handle = await shop.fail.enqueue()
    await shop.app.client.wait(handle.id, timeout=HANG)
    lines: list[str] = []
    after = 0
    while len(lines) < 2:
        page = await shop.app.client.logs(handle.id, after=after)
        lines, after = lines + [line.message for line in page.logs], page.next

    assert lines == ["about to fail, attempt 1", "about to fail, attempt 2"]


async def test_a_client_finds_its_server_by_the_environment(
    shop: Shop, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    monkeypatch.setenv("MAINSPRING_URL", url)
    monkeypatch.setenv("MAINSPRING_TOKEN_FILE", str(tmp_path / "token"))
    await shop.greet.enqueue(name="Bert", times=2)
    async with AsyncClient() as client:
        page = await client.list(limit=1)

    assert page.runs


async def test_a_client_finds_its_token_in_the_home_directory(
    shop: Shop, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "api.token").write_text(TOKEN + "\n")
    monkeypatch.setenv("MAINSPRING_HOME", str(tmp_path))
    await shop.greet.enqueue(name="Bert", times=2)
    async with AsyncClient(url) as client:
        page = await client.list(limit=1)

    assert page.runs


async def test_without_a_token_the_client_says_where_it_looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAINSPRING_HOME", str(tmp_path))

    with pytest.raises(ConfigError, match="MAINSPRING_TOKEN"):
        Client("http://127.0.0.1:1").get("x")


async def test_a_wrong_token_is_access_denied(url: str) -> None:
    async with AsyncClient(url, token="wrong") as client:
        with pytest.raises(AccessDeniedError):
            await client.list()


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    async with AsyncClient("http://127.0.0.1:1", token="x") as client:
        with pytest.raises(UnavailableError, match="cannot be reached"):
            await client.enqueue("greet")
        with pytest.raises(UnavailableError):
            await client.wait("01900000-0000-7000-8000-000000000000", timeout=0)


async def test_many_runs_are_sent_in_chunks() -> None:
    bodies = [request.body for request in enqueue_many([Enqueue(job="x")] * (CHUNK + 1))]

    assert [body.count(b'"job"') for body in bodies if body] == [CHUNK, 1]


@pytest.mark.parametrize(
    ("status", "content", "kind"),
    [
        (404, b'{"code": "unknown_run", "detail": "unknown run", "kind": "run", "key": "7"}', NotFoundError),
        (404, b'{"code": "not_found", "detail": "there is no path /x"}', NotFoundError),
        (405, b'{"code": "method_not_allowed", "detail": "/x takes GET"}', InvalidInputError),
        (422, b'{"code": "invalid_input", "detail": "no"}', InvalidInputError),
        (413, b'{"code": "too_large", "detail": "is over"}', TooLargeError),
        (413, b'{"code": "too_large", "detail": "is over", "field": "body"}', TooLargeError),
        (500, b'{"code": "internal", "detail": "see the log"}', MainspringError),
        (503, b'{"code": "store_unavailable", "detail": "down"}', StoreUnavailableError),
        (502, b"<html>bad gateway</html>", UnavailableError),
    ],
)
async def test_problems_become_errors(status: int, content: bytes, kind: type[Exception]) -> None:
    assert type(error_of(status, content)) is kind


async def test_patience_asks_for_what_is_left_and_then_is_over() -> None:
    clock = FakeClock()
    patience = Deadline(40.0, clock)
    first = patience.next_wait()
    clock.advance(39)
    last, over = patience.next_wait(), patience.over
    clock.advance(1)

    assert (first, last, over, patience.over) == (POLL_MAX, 1.0, False, True)


async def test_importing_the_package_loads_neither_http_nor_server() -> None:
    code = "import sys, mainspring; print([m for m in ('httpx2', 'fastapi', 'asyncpg', 'click') if m in sys.modules])"
    done = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", code], capture_output=True, check=True)

    assert done.stdout.strip() == b"[]"
