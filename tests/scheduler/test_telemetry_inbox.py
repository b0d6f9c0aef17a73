"""The inbox of log lines: bounded by lines and by bytes, the oldest dropped and counted."""

import pytest

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.log import LogEntry
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.sessions import store_telemetry
from mainspring.scheduler.sessions.store_telemetry import StoreTelemetry
from mainspring.wire.messages import Logs
from tests.scheduler.scene import Scene


async def test_long_lines_are_dropped_by_their_bytes_before_there_are_too_many(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store_telemetry, "INBOX_BYTES", 25_000)
    inbox = StoreTelemetry(scene.store, scene.clock, Facts())
    run, token = RunId(bytes(16)), Token(bytes(16))
    inbox.add(Logs([LogEntry(run, token, number, 0, 20, "x" * 8_000) for number in range(10)]))
    await inbox.tick()

    assert "7 log lines of handlers were dropped" in caplog.text
