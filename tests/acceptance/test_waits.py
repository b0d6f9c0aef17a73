"""A caller that waits for a run hears of its end when it comes, whichever server it ends on."""

import asyncio

import httpx2
import pytest

from tests.acceptance.scene import PATIENT, Scene, enqueue
from tests.support.limits import HANG
from tests.support.processes import ServerProcess

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

WAIT = 60
"""Seconds that the server is asked to hold on: longer than a test may take."""


async def waited(server: ServerProcess, run: str) -> httpx2.Response:
    async with server.http() as http:
        return await http.get(f"/api/v1/runs/{run}", params={"wait": WAIT}, timeout=HANG)


async def test_a_wait_ends_with_the_run_on_any_server(scene: Scene, database_url: str) -> None:
    one, other = await scene.servers(2, database_url, **PATIENT)
    gate = scene.gate()
    await scene.executors("a", one)
    [run] = await enqueue(one, "hold", gate=gate.path)
    pid = await scene.begun(run)
    waits = [asyncio.create_task(waited(server, run)) for server in (one, other)]
    gate.open()
    answers = [await wait for wait in waits]

    assert [(answer.json()["state"], answer.json()["result"]) for answer in answers] == [("succeeded", pid)] * 2


async def test_a_wait_that_is_too_short_returns_the_run_as_it_is(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **PATIENT)
    gate = scene.gate()
    await scene.executors("a", server)
    [run] = await enqueue(server, "hold", gate=gate.path)
    await scene.begun(run)
    async with server.http() as http:
        answer = await http.get(f"/api/v1/runs/{run}", params={"wait": 0.05})

    assert (answer.status_code, answer.json()["state"], answer.json()["executor"]) == (200, "running", "a")


async def test_two_waits_of_one_run_both_end_when_it_fails(scene: Scene, database_url: str) -> None:
    server = await scene.server(database_url, **PATIENT)
    await scene.executors("a", server)
    [run] = await enqueue(server, "fail")
    answers = await asyncio.gather(waited(server, run), waited(server, run))

    assert [answer.json()["state"] for answer in answers] == ["failed", "failed"]
    assert answers[0].json()["error"]["message"] == "never"
