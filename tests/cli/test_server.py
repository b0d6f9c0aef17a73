"""A server from its settings to its end."""

import asyncio
import socket
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

from mainspring import server as composition
from mainspring.api.engine_gate import EngineGate
from mainspring.clock import SystemClock
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import Run
from mainspring.errors import ConfigError, SchemaError, StoreUnavailableError
from mainspring.scheduler.engine import Scheduler
from mainspring.server import open_when_reachable, serve
from mainspring.settings import ServerSettings, ensure_home
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from tests.factories import job_spec
from tests.support.limits import HANG


@pytest.fixture
def settings(tmp_path: Path) -> ServerSettings:
    return ServerSettings(home=str(tmp_path / "home"), port=0)


async def test_a_server_answers_until_it_is_stopped(settings: ServerSettings) -> None:
    stop, listening = asyncio.Event(), asyncio.Queue[ServerSettings]()
    running = asyncio.create_task(serve(settings, stop, listening=listening.put_nowait))
    found = await listening.get()
    async with httpx2.AsyncClient(base_url=found.url) as http:
        while (await http.get("/readyz")).status_code != 200:
            pass
        denied = await http.get("/api/v1/runs")
        headers = {"authorization": f"Bearer {found.api_token}"}
        allowed = await http.get("/api/v1/runs", headers=headers)
    stop.set()
    await running

    assert (denied.status_code, allowed.status_code) == (401, 200)
    assert found.api_token == (Path(settings.home) / "api.token").read_text().strip()
    assert found.api_token != found.executor_token


async def test_a_server_whose_clock_is_wrong_follows_the_database_before_it_lets_anybody_in(
    settings: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, stop, apart = SystemClock(), asyncio.Event(), asyncio.Queue[timedelta]()
    wrong = SystemClock(lambda: right.now() + timedelta(hours=1))
    monkeypatch.setattr(composition, "SystemClock", lambda: wrong)
    running = asyncio.create_task(
        serve(settings, stop, listening=lambda _: apart.put_nowait(wrong.now() - right.now()))
    )
    found = await apart.get()
    stop.set()
    await running

    assert abs(found) < timedelta(minutes=30)


async def test_a_port_in_use_is_said_plainly(settings: ServerSettings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{port}: address already in use"):
            await serve(ServerSettings(home=settings.home, port=port), asyncio.Event())


async def test_a_database_that_is_away_is_waited_for(
    settings: ServerSettings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock, gate, tries = FakeClock(), EngineGate(), asyncio.Queue[int]()

    async def open_late(url: str, **options: object) -> Store:
        tries.put_nowait(1)
        if clock.monotonic() < 15:
            raise StoreUnavailableError("connection refused")
        return await open_store(url)

    monkeypatch.setattr(composition, "open_store", open_late)
    ensure_home(settings.home)
    opening = asyncio.create_task(open_when_reachable(settings, gate, clock, asyncio.Event()))
    await tries.get()
    reason = gate.readiness().reason
    while not opening.done():
        clock.jump()
        await asyncio.wait((opening,), timeout=0)
    store = opening.result()

    assert store is not None
    await store.close()
    assert reason == "the database cannot be reached: connection refused"
    assert sum("waiting for the database" in record.message for record in caplog.records) == 2


async def test_stopping_while_the_database_is_away_ends_the_server(
    settings: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = asyncio.Event()

    async def never(url: str, **options: object) -> Store:
        stop.set()
        raise StoreUnavailableError("connection refused")

    monkeypatch.setattr(composition, "open_store", never)
    await serve(settings, stop)


async def test_a_schema_that_does_not_fit_ends_the_server(
    settings: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def newer(url: str, **options: object) -> Store:
        raise SchemaError("the schema is newer: upgrade mainspring")

    monkeypatch.setattr(composition, "open_store", newer)
    with pytest.raises(SchemaError, match="upgrade"):
        await serve(settings, asyncio.Event())


async def test_whoever_waits_for_a_run_is_let_go_when_the_server_drains(
    settings: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, listening, arrived = asyncio.Event(), asyncio.Queue[ServerSettings](), asyncio.Event()
    real = Scheduler.wait

    async def noticed(self: Scheduler, namespace: str, run: RunId, *, seconds: float) -> Run:
        arrived.set()
        return await real(self, namespace, run, seconds=seconds)

    monkeypatch.setattr(Scheduler, "wait", noticed)
    await register(settings, "greet")
    running = asyncio.create_task(serve(settings, stop, listening=listening.put_nowait))
    found = await listening.get()
    headers = {"authorization": f"Bearer {found.api_token}"}
    async with httpx2.AsyncClient(base_url=found.url, headers=headers) as http:
        while (await http.get("/readyz")).status_code != 200:
            pass
        accepted = await http.post("/api/v1/runs", json={"job": "greet"})
        waiting = asyncio.create_task(http.get(f"/api/v1/runs/{accepted.json()['id']}?wait=60", timeout=HANG))
        await arrived.wait()
        stop.set()
        answer = await waiting
    await running

    assert (answer.status_code, answer.json()["finished_at"]) == (200, None)


async def register(settings: ServerSettings, job: str) -> None:
    ensure_home(settings.home)
    store = await open_store(settings.store_url)
    await store.migrate()
    await store.jobs.register("default", [job_spec(job)], now=FakeClock().now())
    await store.close()
