"""Changes and a run's states through the SDK, against a real server."""

import asyncio
from contextlib import aclosing, closing

import pytest

from mainspring import AccessDeniedError, AsyncClient, InvalidInputError, UnavailableError
from mainspring.client.feed import WatchingChanges, WatchingRun
from tests.client.conftest import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_run_is_streamed_to_its_end(shop: Shop) -> None:
    handle = await shop.greet.enqueue(name="Anna")
    states = [run async for run in handle.stream()]

    assert states[-1].state == "succeeded"
    assert states[-1].result == "hello Anna"
    assert len({(run.state, run.attempt) for run in states}) == len(states)


async def test_plain_code_streams_a_run_too(shop: Shop) -> None:
    def follow() -> list[str]:
        return [run.state for run in shop.greet.enqueue_sync(name="Bert").stream()]

    assert (await asyncio.to_thread(follow))[-1] == "succeeded"


async def test_changes_are_heard_as_they_happen(shop: Shop) -> None:
    client = shop.app.client
    await shop.never.enqueue()
    async with aclosing(client.events(queue="nobody", kinds=["queue.paused", "queue.resumed"])) as changes:
        first = asyncio.ensure_future(anext(changes))
        while not first.done():
            # Until the stream is open it misses what happens.
            await client.queues.pause("nobody", reason="why")
            await asyncio.wait((first,), timeout=0.1)
            await client.queues.resume("nobody")
        change = await first

    assert (change.queue, change.namespace, change.gap) == ("nobody", "default", False)
    assert change.kind in ("queue.paused", "queue.resumed")
    assert change.at is not None


async def test_settled_runs_are_counted_live(shop: Shop) -> None:
    async with aclosing(shop.app.client.events(["runs.settled"], job="greet")) as changes:
        first = asyncio.ensure_future(anext(changes))
        while not first.done():
            await (await shop.greet.enqueue(name="x")).result()
            await asyncio.wait((first,), timeout=0.1)
        change = await first

    assert change.queue == "default"
    assert change.content["jobs"]["greet"]["succeeded"] >= 1


async def test_plain_code_hears_changes_too(shop: Shop) -> None:
    await shop.never.enqueue()

    def first() -> str:
        with closing(shop.app.sync_client.events(queue="nobody")) as changes:
            return next(changes).kind

    hearing = asyncio.ensure_future(asyncio.to_thread(first))
    while not hearing.done():
        await shop.app.client.queues.pause("nobody")
        await asyncio.wait((hearing,), timeout=0.1)
        await shop.app.client.queues.resume("nobody")

    assert await hearing in ("queue.paused", "queue.resumed", "queue.depth")


async def test_what_the_first_server_refuses_with_is_raised(shop: Shop, url: str) -> None:
    with pytest.raises(InvalidInputError, match="did you mean"):
        await anext(shop.app.client.events(["queue.pausd"]))
    async with AsyncClient(url, token="nonsense") as stranger:
        with pytest.raises(AccessDeniedError):
            await anext(stranger.events())
    async with AsyncClient("http://127.0.0.1:1", token="x") as nowhere:
        with pytest.raises(UnavailableError):
            await anext(nowhere.events())


async def test_the_next_connection_goes_on_where_the_last_one_stopped() -> None:
    watching = WatchingChanges(["queue.paused"], queue="mail")
    first = watching.request()
    lines = [
        "retry: 1000",
        "id: s.1-7",
        "",
        "id: s.1-8",
        "event: queue.paused",
        'data: {"queue": "mail", "by": "x"}',
        "",
    ]
    found = [change for line in lines if (change := watching.take(line)) is not None]

    assert (first.headers, first.params) == ({}, {"kind": ["queue.paused"], "queue": "mail"})
    assert watching.request().headers == {"last-event-id": "s.1-8"}
    assert [(change.kind, change.queue, change.content) for change in found] == [("queue.paused", "mail", {"by": "x"})]


async def test_a_gap_says_so() -> None:
    watching = WatchingChanges()
    lines = ["id: s.1-9", "event: gap", 'data: {"reason": "slow"}', ""]
    [change] = [change for line in lines if (change := watching.take(line)) is not None]

    assert change.gap
    assert change.content == {"reason": "slow"}


@pytest.mark.parametrize("watching", [WatchingChanges(), WatchingRun("r")], ids=["changes", "run"])
async def test_an_answer_that_makes_no_sense_is_an_error_of_ours(watching: WatchingChanges | WatchingRun) -> None:
    watching.take("data: {nonsense")
    with pytest.raises(UnavailableError):
        watching.take("")
