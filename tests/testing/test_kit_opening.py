"""A kit opens in whatever order its server and its executor get to run."""

import asyncio
from collections.abc import Callable

import pytest

from mainspring import App
from mainspring.testing import Kit, cluster
from mainspring.testing.memory import ExecutorEnd

TURNS = 50


def test_an_executor_that_hears_its_welcome_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    receive = ExecutorEnd.receive

    async def receive_late(end: ExecutorEnd) -> bytes:
        frame = await receive(end)
        for _ in range(TURNS):
            await asyncio.sleep(0)
        return frame

    async def look_at_every_turn(quiet: Callable[[], bool], *_clock: object, seconds: float) -> None:
        for _ in range(int(seconds) * TURNS):
            if quiet():
                return
            await asyncio.sleep(0)

    monkeypatch.setattr(ExecutorEnd, "receive", receive_late)
    monkeypatch.setattr(cluster, "until", look_at_every_turn)

    with Kit(App("shop")) as kit:
        assert kit.enqueued() == []
