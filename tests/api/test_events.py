"""The stream of changes over real HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import msgspec
import pytest

from mainspring.domain.feed import ChangeKind
from mainspring.domain.ids import parse_run_id
from mainspring.scheduler.insights.feed import RECORD
from tests.api.conftest import Server
from tests.factories import LEASE, session, successes, token
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Stream:
    """Reads server-sent events from an open answer."""

    def __init__(self, answer: httpx2.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()

    async def open(self) -> None:
        """Until the server says from where on it is listened to."""
        async for line in self._lines:
            if not line:
                return

    async def next(self) -> dict[str, Any]:
        """The next event that has data, with its id; comments are passed over."""
        fields: dict[str, Any] = {}
        async for line in self._lines:
            if not line and "data" in fields:
                return {**fields, "data": msgspec.json.decode(fields["data"])}
            name, _, value = line.partition(": ")
            if name:
                fields[name] = value
        return {"event": "end"}


@asynccontextmanager
async def stream(server: Server, last: str | None = None, **query: Any) -> AsyncIterator[Stream]:
    headers = {} if last is None else {"last-event-id": last}
    async with server.http.stream("GET", "/api/v1/events/stream", params=query, headers=headers) as answer:
        assert answer.status_code == 200
        made = Stream(answer)
        if "run" not in query:
            await made.open()
        yield made


def publish(server: Server, count: int = 1, *, queue: str = "q", namespace: str = "default") -> None:
    for number in range(count):
        server.scheduler.events.publish(ChangeKind.QUEUE_RESUMED, namespace, {"number": number}, queue=queue)


async def test_changes_arrive_as_they_happen(server: Server) -> None:
    await server.post({"job": "open", "queue": "streamed"})
    # Not every kind: how deep a queue is, is told whenever a reader looks.
    async with stream(server, queue="streamed", kind=["queue.paused", "queue.resumed"]) as changes:
        assert changes.answer.headers["content-type"].startswith("text/event-stream")
        assert changes.answer.headers["cache-control"] == "no-store"
        await server.http.post("/api/v1/queues/streamed/pause", json={"reason": "why"})
        paused = await changes.next()
        await server.http.post("/api/v1/queues/streamed/resume")
        resumed = await changes.next()

    assert (paused["event"], resumed["event"]) == ("queue.paused", "queue.resumed")
    assert {name: paused["data"][name] for name in ("namespace", "queue", "reason")} == {
        "namespace": "default",
        "queue": "streamed",
        "reason": "why",
    }


async def test_a_stream_is_of_one_namespace_and_of_what_was_asked_for(server: Server) -> None:
    async with stream(server, queue="mine", kind="queue.resumed") as changes:
        publish(server, queue="mine", namespace="other")
        publish(server, queue="others")
        server.scheduler.events.publish(ChangeKind.QUEUE_BUDGET, "default", {"max_queued": 1}, queue="mine")
        publish(server, queue="mine")
        found = await changes.next()

    assert (found["event"], found["data"]["queue"], found["data"]["number"]) == ("queue.resumed", "mine", 0)


async def test_counts_of_other_jobs_are_left_out(server: Server) -> None:
    async with stream(server, job="a") as changes:
        counts = {"a": {"succeeded": 1}, "b": {"failed": 2}}
        server.scheduler.events.publish(
            ChangeKind.RUNS_SETTLED, "default", {"jobs": counts}, queue="q", jobs=tuple(counts)
        )
        found = await changes.next()

    assert found["data"]["jobs"] == {"a": {"succeeded": 1}}


async def test_a_reader_that_comes_back_goes_on_where_it_stopped(server: Server) -> None:
    async with stream(server, queue="resumed") as changes:
        publish(server, 3, queue="resumed")
        first = await changes.next()
    async with stream(server, last=first["id"], queue="resumed") as changes:
        numbers = [(await changes.next())["data"]["number"] for _ in range(2)]

    assert numbers == [1, 2]


async def test_a_reader_that_cannot_go_on_is_told_so(server: Server) -> None:
    async with stream(server, last="another-server-7", queue="gap") as changes:
        gap = await changes.next()
        publish(server, queue="gap")
        after = await changes.next()

    assert (gap["event"], gap["data"]) == ("gap", {"reason": "unknown"})
    assert gap["id"]
    assert after["event"] == "queue.resumed"


async def test_a_reader_that_falls_behind_is_told_so(server: Server) -> None:
    async with stream(server, queue="slow") as changes:
        publish(server, RECORD + 50, queue="slow")
        kinds = [(await changes.next())["event"] for _ in range(3)]

    assert kinds == ["gap", "queue.resumed", "queue.resumed"]


async def test_who_leaves_is_forgotten(server: Server) -> None:
    async with stream(server) as one:
        assert server.scheduler.events._followers
    await one.answer.aclose()
    async with asyncio.timeout(HANG):
        while server.scheduler.events._followers:
            publish(server)
            await (await server.http.get("/livez")).aread()

    assert server.scheduler.events.watched


async def test_one_run_is_followed_to_its_end(server: Server) -> None:
    accepted = (await server.post({"job": "open", "queue": "followed"})).json()
    async with stream(server, run=accepted["id"]) as changes:
        first = await changes.next()
        await finish(server, accepted["id"])
        last = await changes.next()
        while last["data"]["state"] == "running":
            last = await changes.next()
        end = await changes.next()

    assert (first["event"], first["data"]["state"]) == ("run.changed", "waiting")
    assert (last["data"]["state"], end["event"]) == ("succeeded", "end")


async def finish(server: Server, run: str) -> None:
    """Claim and settle a run past the server, as another one would."""
    [line] = [number for number, line in server.scheduler.catalog.lines.items() if line.queue == "followed"]
    now = server.scheduler._clock.now()
    live = session(lease_until=now + LEASE)
    await server.store.cluster.open_session(live, now=now)
    await server.store.runs.claim([line], [live.id], token=(mine := token()), now=now)
    await server.store.runs.succeed(successes([(parse_run_id(run), mine)]), now=now)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"kind": "queue.pausd"}, 422, "bad_kind"),
        ({"run": "nonsense"}, 422, "bad_run_id"),
        ({"run": "01900000-0000-7000-8000-000000000000"}, 404, "unknown_run"),
        ({"run": "01900000-0000-7000-8000-000000000000", "queue": "q"}, 422, "bad_run"),
    ],
)
async def test_bad_requests_are_refused_before_a_stream_begins(
    server: Server, query: dict[str, str], status: int, code: str
) -> None:
    answer = await server.http.get("/api/v1/events/stream", params=query)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert code != "bad_kind" or "did you mean queue.paused?" in answer.json()["detail"]


async def test_without_a_token_there_is_no_stream(server: Server) -> None:
    answer = await server.http.get("/api/v1/events/stream", headers={"authorization": "Bearer nonsense"})

    assert answer.status_code == 401
