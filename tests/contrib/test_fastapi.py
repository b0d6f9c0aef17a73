"""The lifespan for FastAPI and Starlette: a client while it lasts, and a place for one's own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection

from mainspring import App, ConfigError, Pool
from mainspring.contrib.embedded import executor_settings
from mainspring.contrib.fastapi import client_of, lifespan
from tests.contrib.shop import Shop


def connection(state: Any) -> HTTPConnection:
    return HTTPConnection({"type": "http", "headers": [], "state": dict(state or {})})


async def test_requests_find_the_client_of_the_app() -> None:
    shop = Shop()
    web = Starlette(lifespan=lifespan(shop.app))
    async with web.router.lifespan_context(web) as state:
        found = client_of(connection(state))

    assert found is shop.app.client


async def test_a_lifespan_of_one_s_own_goes_inside_and_keeps_its_state() -> None:
    seen: list[object] = []

    @asynccontextmanager
    async def own(web: Any) -> AsyncIterator[dict[str, int]]:
        seen.append(web)
        yield {"answer": 42}
        seen.append("closed")

    shop = Shop()
    web = Starlette(lifespan=lifespan(shop.app, inner=own))
    async with web.router.lifespan_context(web) as state:
        found = connection(state)

    assert (found.state.answer, client_of(found)) == (42, shop.app.client)
    assert seen == [web, "closed"]


async def test_without_the_lifespan_the_dependency_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"lifespan=mainspring\.contrib\.fastapi\.lifespan"):
        client_of(connection(None))


async def test_an_executor_inside_needs_a_token_and_jobs_that_need_no_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("MAINSPRING_HOME", str(tmp_path))
    app = App("heavy")

    @app.job(pool=Pool.PROCESSES)
    def crunch() -> None: ...

    with pytest.raises(ConfigError, match="no token for the executor: set MAINSPRING_EXECUTOR_TOKEN"):
        executor_settings()
    monkeypatch.setenv("MAINSPRING_EXECUTOR_TOKEN", "any")
    web = Starlette(lifespan=lifespan(app, executor=True))
    with pytest.raises(ConfigError, match="runs in child processes, which need the app as module:name"):
        await web.router.lifespan_context(web).__aenter__()
