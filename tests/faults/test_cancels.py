"""Cancels with real processes: what a pool promises, and what holds when servers and executors come and go meanwhile."""

import asyncio

import msgspec
import psutil
import pytest

from mainspring.contract.runs import RunInfo
from tests.acceptance.scene import PATIENT, QUICK, Scene, enqueue, settled
from tests.support.limits import HANG
from tests.support.processes import ServerProcess, eventually

pytestmark = [pytest.mark.slow]


async def cancel(server: ServerProcess, run: str, reason: str = "enough") -> RunInfo:
    async with server.client() as client:
        return await client.cancel(run, reason=reason)


async def over(server: ServerProcess, run: str) -> RunInfo:
    async with server.client() as client:
        return await client.wait(run, timeout=HANG)


async def test_a_child_process_is_gone_once_its_run_is_cancelled(scene: Scene) -> None:
    server = await scene.server(**PATIENT)
    gate = scene.gate()
    await scene.executors("a", server, pools=("processes=1:1:0",))
    [run] = await enqueue(server, "hold_in_child", gate=gate.path)
    child = psutil.Process(await scene.begun(run))
    asked = await cancel(server, run)
    ended = await over(server, run)
    child.wait(20)
    gate.open()
    [next_one] = await enqueue(server, "hold_in_child", gate=gate.path)

    assert (asked.state, asked.reason) == ("running", "cancelling")
    assert (ended.state, ended.reason, ended.failures, ended.losses) == ("cancelled", "enough", 0, 0)
    assert (await over(server, next_one)).state == "succeeded"
    assert run not in scene.ledger.ends()


async def test_a_thread_that_does_not_look_is_given_up_and_replaced(scene: Scene) -> None:
    server = await scene.server(**PATIENT)
    shut, opened = scene.gate(), scene.gate()
    opened.open()
    [executor] = await scene.executors("a", server, pools=("threads=0:1:0",), stop_grace=0.2)
    [run] = await enqueue(server, "hold", gate=shut.path)
    await scene.begun(run)
    await cancel(server, run)
    ended = await over(server, run)
    [next_one] = await enqueue(server, "hold", gate=opened.path)

    assert (ended.state, ended.attempt) == ("cancelled", 1)
    assert (await over(server, next_one)).result == executor.pid
    assert "given up" in executor.said
    shut.open()
    await eventually(lambda: run in scene.ledger.ends(), "the end of the handler that was given up")
    assert (await over(server, run)).state == "cancelled"


@pytest.mark.postgres
async def test_a_cancel_reaches_an_executor_of_another_server_without_any_hint(scene: Scene, database_url: str) -> None:
    one, other = await scene.servers(2, database_url, listen_url="off", **PATIENT)
    gate = scene.gate()
    await scene.executors("a", other, pools=("processes=1:1:0",))
    [run] = await enqueue(other, "hold_in_child", gate=gate.path)
    await scene.begun(run)
    assert (await cancel(one, run)).state == "running"

    assert (await over(one, run)).state == "cancelled"


@pytest.mark.postgres
async def test_a_cancelled_run_of_a_frozen_executor_ends_with_its_lease(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **QUICK)
    gate = scene.gate()
    [zombie] = await scene.executors("z", server)
    [run] = await enqueue(server, "hold", gate=gate.path)
    await scene.begun(run)
    zombie.pause()
    assert (await cancel(server, run)).state == "running"
    ended = await over(server, run)
    [heir] = await scene.executors("h", server)
    gate.open()
    zombie.resume()
    await eventually(lambda: zombie.said.count("connected to ") == 2, "the zombie's new session")
    await settled(server, 1)

    assert (ended.state, ended.losses, ended.attempt) == ("cancelled", 1, 1)
    assert await over(server, run) == ended
    assert heir.pid not in {entry.pid for entry in scene.ledger.starts()[run]}


@pytest.mark.postgres
async def test_a_log_is_followed_on_another_server_when_the_first_one_drains(scene: Scene, database_url: str) -> None:
    one, other = await scene.servers(2, database_url, **PATIENT)
    gate = scene.gate()
    await scene.executors("a", other)
    [run] = await enqueue(other, "narrate", gate=gate.path)
    follower = Follower(run)
    first = asyncio.create_task(follower.read(one))
    await eventually(lambda: follower.messages == ["begun"], "the first line")
    assert await one.terminate() == 0
    await first
    gate.open()
    await follower.read(other)

    assert follower.messages == ["begun", "done"]
    assert follower.ends == ["succeeded"]


class Follower:
    """Reads a log as a plain HTTP client would, and remembers how far it came."""

    def __init__(self, run: str) -> None:
        self.messages: list[str] = []
        self.ends: list[str] = []
        self._run = run
        self._last = "0"

    async def read(self, server: ServerProcess) -> None:
        """Until the server ends the stream, which it does in an orderly way or this raises."""
        path, params = f"/api/v1/runs/{self._run}/logs", {"follow": "true"}
        headers = {"last-event-id": self._last}
        async with server.http() as http, http.stream("GET", path, params=params, headers=headers) as answer:
            async for line in answer.aiter_lines():
                self._take(line)

    def _take(self, line: str) -> None:
        name, _, value = line.partition(": ")
        if name == "id":
            self._last = value
        elif name == "data":
            content = msgspec.json.decode(value)
            self.messages += [content["message"]] if "message" in content else []
            self.ends += [content["state"]] if "state" in content else []
