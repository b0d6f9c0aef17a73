"""A server under more load than it can bear: lists give way first, enqueues last, and executors are always heard."""

import asyncio
from collections.abc import AsyncIterator
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from mainspring.api import traffic as bounds
from mainspring.api.app import Api, create_app
from mainspring.api.traffic import LISTS_AT_ONCE, Overload, work_of
from mainspring.clock import SystemClock
from mainspring.domain.ids import Ids
from mainspring.settings import ServerSettings
from mainspring.wire.messages import Settled, Start
from tests.api.conftest import API_TOKEN, Server
from tests.scheduler.scene import ScriptedExecutor

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Door:
    """The API of the server, in this process, and its bounds."""

    def __init__(self, app: Api, http: httpx2.AsyncClient) -> None:
        self.overload: Overload = app.state.overload
        self.http = http

    async def enqueue(self) -> int:
        answer = await self.http.post("/api/v1/runs", json={"job": "open"})
        return answer.status_code

    async def lists(self) -> httpx2.Response:
        return await self.http.get("/api/v1/runs")

    def lag(self, seconds: float) -> None:
        """As if the loop had just taken so long, and nothing had been measured since."""
        self.overload.lag, self.overload._looked_at, self.overload._looking = seconds, perf_counter(), True


@pytest_asyncio.fixture(loop_scope="module")
async def door(server: Server) -> AsyncIterator[Door]:
    app = create_app(server.scheduler, ServerSettings(api_token=API_TOKEN))
    transport, said = httpx2.ASGITransport(app=app), {"authorization": f"Bearer {API_TOKEN}"}
    async with httpx2.AsyncClient(transport=transport, base_url="http://server", headers=said) as http:
        yield Door(app, http)


async def test_lists_wait_for_each_other_while_enqueues_go_through(door: Door) -> None:
    turns = [await door.overload.list_turn() for _ in range(LISTS_AT_ONCE)]
    waiting = asyncio.create_task(door.lists())

    assert await door.enqueue() == 201
    assert not waiting.done()
    for turn in turns:
        turn.release()
    assert (await waiting).status_code == 200


async def test_a_list_too_many_is_refused_with_the_time_to_come_back(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "LISTS_WAITING", 0)
    refused = await door.lists()

    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (503, "busy", "1")


@pytest.mark.parametrize(
    ("lag", "listed", "looked", "enqueued"),
    [(0.1, 200, 200, 201), (1, 503, 200, 201), (3, 503, 503, 201), (9, 503, 503, 503)],
)
async def test_the_least_important_give_way_first(
    door: Door, lag: float, listed: int, looked: int, enqueued: int
) -> None:
    door.lag(lag)
    found = (await door.lists()).status_code, (await door.http.get("/api/v1/whoami")).status_code, await door.enqueue()

    assert found == (listed, looked, enqueued)
    assert (await door.http.get("/readyz")).status_code == 200


async def test_one_slow_turn_of_the_loop_is_no_overload_and_two_are() -> None:
    overload = Overload()
    overload._looked(perf_counter() - 3)
    assert overload.lag == 0

    overload._looked(perf_counter() - 2)
    assert 2 <= overload.lag < 3


async def test_more_enqueues_than_a_server_can_hold_are_refused(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "IN_FLIGHT_MAX", dict.fromkeys(bounds.IN_FLIGHT_MAX, 0))

    assert await door.enqueue() == 503


async def test_an_executor_is_heard_while_enqueues_and_lists_flood_the_server(server: Server, door: Door) -> None:
    place: Any = SimpleNamespace(ids=Ids(), clock=SystemClock(), scheduler=server.scheduler)
    executor = ScriptedExecutor(place, "e1", place.ids.session(), 5, ("open",))
    await executor.connect()
    flood = asyncio.gather(*(call() for _ in range(300) for call in (door.enqueue, door.lists)))
    ended = 0
    while ended < 20:
        start = await executor.link.expect(Start)
        executor.report(start)
        await executor.link.expect(Settled)
        ended += len(start.runs)
    answers = await flood
    await executor.disconnect()

    assert answers.count(201) == 300


async def test_every_operation_has_a_class(server: Server) -> None:
    app = create_app(server.scheduler, ServerSettings(api_token=API_TOKEN))
    classes = {
        route.operation.name: work_of(route.operation).name for route in app.routes if hasattr(route, "operation")
    }

    assert classes["create_runs"] == classes["start_run"] == "ENQUEUE"
    assert classes["list_runs"] == "LIST"
    assert classes["list_logs"] == classes["cancel_run"] == "STEER"
