"""Executors over HTTP: who is there, how busy, what they have; cordon, uncordon, drain."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest
import pytest_asyncio

from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import Abilities, Blocked, PoolSize
from mainspring.domain.ids import Ids, id_text
from mainspring.domain.jobs.job import JobSpec, Pool
from mainspring.store.interface import AuditFilter
from mainspring.wire.messages import (
    PROTOCOL,
    Beat,
    Drain,
    Hello,
    Leased,
    Load,
    Start,
    Welcome,
)
from mainspring.wire.pools import Resize
from tests.api.conftest import Server
from tests.scheduler.scene import MemoryLink

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Executor:
    """An executor in memory, attached to the server."""

    def __init__(self, server: Server, name: str) -> None:
        self.name = name
        self.session = Ids().session()
        self.link = MemoryLink()
        self._server = server

    async def connect(self) -> None:
        abilities = Abilities(
            queues=["default", "work"],
            handlers={"work": Pool.LOOP, "other": Pool.THREADS},
            pools=[PoolSize(Pool.LOOP, 0, 4, 6), PoolSize(Pool.THREADS, 1, 2, 0)],
            labels={"zone": "a"},
            code_version="2030.1",
            host="press",
        )
        jobs = [JobSpec(name="work", handler="work", queue="work")]
        self.serving = asyncio.create_task(self._server.scheduler.attach(self.link))
        self.link.say(Hello(PROTOCOL, self.session, bytes(32), self.name, "default", abilities, jobs, []))
        await self.link.expect(Welcome)

    async def beat(self, load: Load) -> None:
        self.link.say(Beat(1, load))
        await self.link.expect(Leased)

    async def leave(self) -> None:
        self.link.cut()
        await self.serving


@pytest_asyncio.fixture(loop_scope="module")
async def executor(server: Server, request: pytest.FixtureRequest) -> AsyncIterator[Executor]:
    connected = Executor(server, f"e-{request.node.name[:40]}")
    await connected.connect()
    yield connected
    await connected.leave()
    await server.store.cluster.close_session(connected.session, now=SystemClock().now())


async def steer(server: Server, executor: Executor, verb: str, **body: Any) -> dict[str, Any]:
    answer = await server.http.post(f"/api/v1/executors/{executor.name}/{verb}", json=body)
    assert answer.status_code == 200, answer.text
    detail: dict[str, Any] = answer.json()
    return detail


async def state(server: Server, executor: Executor) -> str:
    detail = (await server.http.get(f"/api/v1/executors/{executor.name}")).json()
    [session] = detail["sessions"]
    found: str = session["state"]
    return found


async def test_an_executor_is_shown_with_all_that_it_says_of_itself(server: Server, executor: Executor) -> None:
    stuck = Blocked("work", "0190b5c0", 1.5, SystemClock().now(), "jobs.py:7")
    await executor.beat(Load(running=2, waiting=1, cpu=0.75, memory=123_456, strays=3, blocked=[stuck]))
    found = (await server.http.get("/api/v1/executors")).json()
    [shown] = found["executors"]

    assert found["next"] is None
    assert {name: shown[name] for name in ("name", "namespace", "session", "state", "host", "code_version")} == {
        "name": executor.name,
        "namespace": "default",
        "session": id_text(executor.session),
        "state": "live",
        "host": "press",
        "code_version": "2030.1",
    }
    assert (shown["labels"], shown["queues"], shown["handlers"]) == ({"zone": "a"}, ["default", "work"], 2)
    assert shown["pools"] == [
        {"pool": "loop", "core": 0, "max": 4, "queue": 6, "room": 10, "taken": 0},
        {"pool": "threads", "core": 1, "max": 2, "queue": 0, "room": 2, "taken": 0},
    ]
    load = shown["load"]
    assert (load["running"], load["waiting"], load["cpu"], load["memory"]) == (2, 1, 0.75, 123_456)
    assert load["strays"] == 3
    [blocked] = shown["blocked"]
    assert (blocked["handler"], blocked["seconds"], blocked["place"]) == ("work", 1.5, "jobs.py:7")
    assert shown["server"]
    assert 0 <= shown["lease_age"] < 10
    assert shown["cordon"] is None


async def test_before_its_first_beat_nothing_is_said_about_its_load(server: Server, executor: Executor) -> None:
    [shown] = (await server.http.get("/api/v1/executors")).json()["executors"]

    assert shown["load"] is None
    assert [pool["taken"] for pool in shown["pools"]] == [None, None]


async def test_one_executor_is_shown_with_its_handlers_and_what_it_has(server: Server, executor: Executor) -> None:
    accepted = await server.http.post("/api/v1/jobs/work/runs")
    start = await executor.link.expect(Start)
    detail = (await server.http.get(f"/api/v1/executors/{executor.name}")).json()

    assert detail["handlers"] == {"work": "loop", "other": "threads"}
    assert (detail["more"], detail["cordon"]) == (False, None)
    [held] = detail["runs"]
    assert (held["id"], held["job"], held["attempt"]) == (accepted.json()["id"], "work", 1)
    assert held["session"] == id_text(executor.session)
    assert id_text(start.runs[0]) == held["id"]


async def test_a_cordoned_executor_takes_nothing_until_it_is_uncordoned(server: Server, executor: Executor) -> None:
    detail = await steer(server, executor, "cordon", reason="new disk")
    accepted = (await server.http.post("/api/v1/jobs/work/runs")).json()
    run = (await server.http.get(f"/api/v1/runs/{accepted['id']}")).json()

    assert (detail["cordon"]["reason"], detail["cordon"]["actor"]) == ("new disk", "MAINSPRING_API_TOKEN")
    assert (run["state"], run["reason"]) == ("waiting", "cordoned")
    assert await state(server, executor) == "cordoned"
    assert executor.link.count(Start) == 0

    detail = await steer(server, executor, "uncordon")
    assert detail["cordon"] is None
    # Runs that other tests of this server have left may come before it.
    while accepted["id"] not in map(id_text, (await executor.link.expect(Start)).runs):
        pass


async def test_a_drain_is_told_to_the_executor_and_seen_until_it_has_nothing_left(
    server: Server, executor: Executor
) -> None:
    detail = await steer(server, executor, "drain", grace=7, reason="away")
    assert (await executor.link.expect(Drain)).grace == 7.0
    assert detail["cordon"]["drain_at"] is not None
    assert await state(server, executor) == "draining"

    await executor.beat(Load(0, 0, 0.0, 0))
    assert await state(server, executor) == "cordoned"
    await steer(server, executor, "uncordon")
    assert await state(server, executor) == "live"


async def test_pools_are_resized_and_the_wish_is_shown_until_it_is_taken_back(
    server: Server, executor: Executor
) -> None:
    path, size = f"/api/v1/executors/{executor.name}/pools", {"core": 1, "max": 3, "queue": 5}
    answer = await server.http.patch(path, json={"pools": {"loop": size}, "reason": "rush hour"})
    assert answer.status_code == 200, answer.text
    [wish] = answer.json()["wanted"]
    assert {**wish, "at": ""} == {"pool": "loop", **size, "at": "", "actor": wish["actor"], "reason": "rush hour"}
    assert (await executor.link.expect(Resize)).pools == [PoolSize(Pool.LOOP, 1, 3, 5)]

    other = await server.http.patch(path, json={"pools": {"threads": size}})
    assert [one["pool"] for one in other.json()["wanted"]] == ["loop", "threads"]
    back = await server.http.patch(path, json={"pools": {"loop": None, "threads": None}})
    assert back.json()["wanted"] == []


async def test_steering_needs_no_body(server: Server, executor: Executor) -> None:
    for verb in ("cordon", "drain", "uncordon"):
        answer = await server.http.post(f"/api/v1/executors/{executor.name}/{verb}")
        assert answer.status_code == 200

    entries = [one for _, one in await server.store.access.audit(AuditFilter(kind="executor", key=executor.name))]
    assert [entry.act for entry in entries[::-1]] == ["executor.cordon", "executor.drain", "executor.uncordon"]


async def test_executors_are_paged_and_named_whatever_they_are_called(server: Server) -> None:
    names = ["b/1", "a b", "c.d", "ä"]
    connected = [Executor(server, name) for name in names]
    for one in connected:
        await one.connect()
    seen: list[str] = []
    query: dict[str, str] = {"limit": "1"}
    while True:
        page = (await server.http.get("/api/v1/executors", params=query)).json()
        seen += [one["name"] for one in page["executors"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    found = [(await server.http.get(f"/api/v1/executors/{quote(name, safe='')}")).json()["name"] for name in names]
    for one in connected:
        await one.leave()

    assert seen == ["a b", "b/1", "c.d", "ä"]
    assert found == names


async def test_another_namespace_sees_none_and_steers_none(server: Server, executor: Executor) -> None:
    there = {"mainspring-namespace": "other"}
    path = f"/api/v1/executors/{executor.name}"

    assert (await server.http.get("/api/v1/executors", headers=there)).json()["executors"] == []
    assert (await server.http.get(path, headers=there)).status_code == 404
    assert (await server.http.post(f"{path}/cordon", headers=there)).status_code == 404
    assert await state(server, executor) == "live"
