"""Logs over real HTTP: pages of them, and streams that follow a run to its end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mainspring.domain.ids import RunId, Token, parse_run_id
from mainspring.domain.runs.log import LogEntry
from mainspring.scheduler.insights import follow_logs
from mainspring.wire.messages import Logs
from tests.api.conftest import Server
from tests.api.test_events import Stream
from tests.api.test_steering import claim, queued
from tests.factories import log_entry, successes, token

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Talker:
    """A run that is going on, and says what the test wants it to."""

    def __init__(self, server: Server, run: str, claimed: Token) -> None:
        self.id = run
        self._server = server
        self._run = parse_run_id(run)
        self._token = claimed
        self._seq = 0

    async def say(self, *messages: str) -> None:
        """As if an executor attached here had sent them."""
        self._server.scheduler.sessions.telemetry.add(Logs(self._entries(messages)))

    async def say_elsewhere(self, *messages: str) -> None:
        """As if another server had stored them."""
        entries = self._entries(messages)
        await self._server.store.runs.append_logs(entries, now=self._server.scheduler._clock.now())

    async def end(self) -> None:
        now = self._server.scheduler._clock.now()
        await self._server.store.runs.succeed(successes([(self._run, self._token)]), now=now)

    def _entries(self, messages: tuple[str, ...]) -> list[LogEntry]:
        self._seq += len(messages)
        first = self._seq - len(messages)
        return [log_entry(self._run, self._token, first + n, message) for n, message in enumerate(messages)]


async def talker(server: Server) -> Talker:
    run = await queued(server, queue=f"talk-{token().hex()[:8]}")
    return Talker(server, run, (await claim(server, RunId(parse_run_id(run)))).token)


@asynccontextmanager
async def followed(server: Server, run: str, last: str | None = None, **query: Any) -> AsyncIterator[Stream]:
    headers = {} if last is None else {"last-event-id": last}
    params = {"follow": "true", **query}
    async with server.http.stream("GET", f"/api/v1/runs/{run}/logs", params=params, headers=headers) as answer:
        yield Stream(answer)


async def heard(stream: Stream, count: int) -> list[str]:
    return [(await stream.next())["data"]["message"] for _ in range(count)]


async def test_lines_arrive_while_the_run_goes_on_and_then_its_end(server: Server) -> None:
    run = await talker(server)
    await run.say("before")
    async with followed(server, run.id) as lines:
        assert lines.answer.headers["content-type"].startswith("text/event-stream")
        assert await heard(lines, 1) == ["before"]
        await run.say("one", "two")
        assert await heard(lines, 2) == ["one", "two"]
        await run.say_elsewhere("from another server")
        assert await heard(lines, 1) == ["from another server"]
        await run.end()
        assert await lines.next() == {"event": "end", "data": {"state": "succeeded", "reason": None}}
        assert await lines.next() == {"event": "end"}, "the stream is over"


async def test_lines_that_come_just_behind_the_end_are_told(server: Server) -> None:
    run = await talker(server)
    async with followed(server, run.id) as lines:
        await run.end()
        await run.say("last words")
        assert await heard(lines, 1) == ["last words"]
        assert (await lines.next())["data"]["state"] == "succeeded"


async def test_a_stream_goes_on_where_another_one_stopped(server: Server) -> None:
    run = await talker(server)
    await run.say_elsewhere("one", "two", "three")
    async with followed(server, run.id) as lines:
        places = [(await lines.next())["id"] for _ in range(2)]
    async with followed(server, run.id, after=places[0]) as lines:
        assert await heard(lines, 1) == ["two"]
    async with followed(server, run.id, last=places[1]) as lines:
        assert await heard(lines, 1) == ["three"]
    page = (await server.http.get(f"/api/v1/runs/{run.id}/logs", params={"after": places[1]})).json()
    assert [line["message"] for line in page["logs"]] == ["three"]


async def test_a_log_longer_than_a_page_is_told_whole(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow_logs, "PAGE", 3)
    run = await talker(server)
    await run.say_elsewhere(*map(str, range(10)))
    await run.end()
    async with followed(server, run.id) as lines:
        assert await heard(lines, 10) == [str(number) for number in range(10)]
        assert (await lines.next())["event"] == "end"


async def test_a_run_that_was_over_long_before_is_told_at_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow_logs, "LINGER", 0.0)
    run = await queued(server)
    await server.http.post(f"/api/v1/runs/{run}/cancel", json={"reason": "no need"})
    async with followed(server, run) as lines:
        assert (await lines.next())["data"] == {"state": "cancelled", "reason": "no need"}


async def test_a_run_that_is_run_again_meanwhile_has_not_ended(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow_logs, "LINGER", 2.0)
    run = await queued(server)
    await server.http.post(f"/api/v1/runs/{run}/cancel")
    async with followed(server, run) as lines:
        await server.http.post(f"/api/v1/runs/{run}/retry")
        assert await lines.next() == {"event": "end"}, "it ends without a word, so that the caller asks again"


async def test_streams_are_bounded_in_number_and_length(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    run = await talker(server)
    monkeypatch.setattr(follow_logs, "STREAMS_MAX", 1)
    async with followed(server, run.id) as lines:
        await run.say("hello")
        await heard(lines, 1)
        refused = await server.http.get(f"/api/v1/runs/{run.id}/logs", params={"follow": "true"})
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    assert refused.headers["retry-after"]

    await until_closed(server)
    monkeypatch.setattr(follow_logs, "STREAM_MAX", 0.0)
    async with followed(server, run.id) as lines:
        assert await lines.next() == {"event": "end"}


async def until_closed(server: Server) -> None:
    while server.scheduler.logbook._streams:  # noqa: ASYNC110 nobody says so
        await asyncio.sleep(0)


async def test_whoever_leaves_is_forgotten(server: Server) -> None:
    run = await talker(server)
    async with followed(server, run.id) as lines:
        await run.say("hello")
        await heard(lines, 1)
    await until_closed(server)

    assert server.scheduler.logbook._kept._waiting == {}


@pytest.mark.parametrize(
    ("query", "last", "code"),
    [
        ({"follow": "maybe"}, None, "bad_follow"),
        ({"follow": "true", "after": "-1"}, None, "bad_after"),
        ({"follow": "true", "after": str(2**63)}, None, "bad_after"),
        ({"follow": "true"}, "yesterday", "bad_last_event_id"),
        ({"limit": "0"}, None, "bad_limit"),
    ],
)
async def test_bad_questions_are_refused(server: Server, query: dict[str, str], last: str | None, code: str) -> None:
    run = await queued(server)
    headers = {} if last is None else {"last-event-id": last}
    answer = await server.http.get(f"/api/v1/runs/{run}/logs", params=query, headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (422, code)


async def test_the_log_of_an_unknown_run_is_not_found(server: Server) -> None:
    run = await queued(server)
    foreign = {"mainspring-namespace": "other"}
    answer = await server.http.get(f"/api/v1/runs/{run}/logs", params={"follow": "true"}, headers=foreign)

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_run")
