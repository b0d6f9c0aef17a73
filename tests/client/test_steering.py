"""Cancelling, retrying and following runs from the SDK, against a whole server and executor."""

import asyncio
from datetime import timedelta

import pytest

from mainspring import AsyncClient, ConflictError, NotFoundError, RunCancelledError, RunFailedError, UnavailableError
from mainspring.client import CancelledRun, LogLine, RunHandle
from mainspring.client.follow_logs import EventReader, Following
from tests.client.conftest import Shop
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")

UNKNOWN = "01900000-0000-7000-8000-000000000000"


async def begun(handle: RunHandle[str]) -> str:
    """Until the handler has said its first word."""
    async for line in handle.logs():
        return line.message
    raise AssertionError("it said nothing")


async def test_a_running_run_is_cancelled_and_its_result_says_so(shop: Shop) -> None:
    handle = await shop.linger.enqueue()
    assert await begun(handle) == "lingering, attempt 1"
    asked = await handle.cancel("changed my mind")
    with pytest.raises(RunCancelledError, match="changed my mind") as cancelled:
        await handle.result(timeout=HANG)

    assert (asked.state, asked.reason) == ("running", "cancelling")
    assert isinstance(cancelled.value, RunFailedError)
    assert (cancelled.value.run, cancelled.value.state, cancelled.value.code) == (
        handle.id,
        "cancelled",
        "run_cancelled",
    )
    [attempt] = await shop.app.client.attempts(handle.id)
    assert (attempt.number, attempt.outcome) == (1, "cancelled")


async def test_a_cancelled_run_is_run_again(shop: Shop) -> None:
    handle = await shop.linger.enqueue()
    await begun(handle)
    await handle.cancel()
    await handle.wait(timeout=HANG)
    again = await handle.retry(reason="after all")

    assert again.state in ("queued", "running")
    assert await handle.result(timeout=HANG) == "at last"
    assert (await handle.get()).attempt == 2


async def test_a_queued_run_is_cancelled_at_once(shop: Shop) -> None:
    handle = await shop.never.enqueue()

    assert (await handle.cancel("no need")).state == "cancelled"
    assert (await handle.cancel()).state == "cancelled"
    with pytest.raises(RunCancelledError, match="no need"):
        await handle.result()


async def test_what_has_ended_cannot_be_cancelled_and_what_has_succeeded_needs_force(shop: Shop) -> None:
    handle = await shop.greet.enqueue(name="Anna")
    await handle.result(timeout=HANG)
    with pytest.raises(ConflictError) as final:
        await handle.cancel()
    with pytest.raises(ConflictError) as succeeded:
        await handle.retry()
    await handle.retry(force=True)

    assert (final.value.code, succeeded.value.code) == ("run_final", "run_succeeded")
    assert await handle.result(timeout=HANG) == "hello Anna"


async def test_many_are_cancelled_in_one_call(shop: Shop) -> None:
    handles = await shop.app.enqueue_many([shop.never.call()] * 3)
    found = await shop.app.client.cancel_many([*(handle.id for handle in handles), UNKNOWN], reason="all")
    again = await asyncio.to_thread(shop.app.sync_client.cancel_many, [handles[0].id])

    assert found == (
        *(CancelledRun(handle.id, "cancelled") for handle in handles),
        CancelledRun(UNKNOWN, None, "unknown_run"),
    )
    assert again == (CancelledRun(handles[0].id, "cancelled"),)


async def test_a_run_is_stopped_at_its_deadline_and_fails(shop: Shop) -> None:
    handle = await shop.linger.options(deadline=timedelta(seconds=3)).enqueue()
    with pytest.raises(RunFailedError, match="deadline_passed") as failed:
        await handle.result(timeout=HANG)
    run = await handle.get()
    [attempt] = await shop.app.client.attempts(handle.id)

    assert failed.value.state == "failed"
    assert (run.reason, attempt.outcome) == ("deadline_passed", "timed_out")


async def test_a_run_that_nobody_takes_fails_at_its_deadline(shop: Shop) -> None:
    handle = await shop.never.options(deadline=timedelta(seconds=0.2)).enqueue()
    run = await handle.wait(timeout=HANG)

    assert (run.state, run.reason, run.attempt) == ("failed", "deadline_passed", 0)


async def test_plain_code_has_the_same_calls(shop: Shop) -> None:
    def plain() -> list[str]:
        handle = shop.linger.enqueue_sync()
        messages: list[str] = []
        for line in handle.logs():
            messages.append(line.message)
            handle.cancel("enough")
        with pytest.raises(RunCancelledError):
            handle.result(timeout=HANG)
        handle.retry()
        return messages + [line.message for line in handle.logs()]

    assert await asyncio.to_thread(plain) == [
        "lingering, attempt 1",
        "lingering, attempt 1",
        "lingering, attempt 2",
    ]


async def test_a_log_is_followed_to_its_end(shop: Shop) -> None:
    handle = await shop.fail.enqueue()
    lines = [line async for line in shop.app.client.follow_logs(handle.id)]
    rest = [line async for line in handle.logs(after=10**18)]

    assert [line.message for line in lines] == ["about to fail, attempt 1", "about to fail, attempt 2"]
    assert all(isinstance(line, LogLine) for line in lines)
    assert rest == []


async def test_following_something_unknown_or_nobody_is_an_error_at_once(shop: Shop) -> None:
    with pytest.raises(NotFoundError):
        await anext(shop.app.client.follow_logs(UNKNOWN))
    with pytest.raises(NotFoundError):
        await asyncio.to_thread(next, shop.app.sync_client.follow_logs(UNKNOWN))
    async with AsyncClient("http://127.0.0.1:1", token="x") as nobody:
        with pytest.raises(UnavailableError):
            await anext(nobody.follow_logs(UNKNOWN))


async def test_events_are_put_together_line_by_line() -> None:
    reader = EventReader()
    texts = [": beat", "", "retry: 1000", "", "id: 7", "event: log", 'data: {"a":1}', "", "event:end", "data:{}", ""]
    events = [found for text in texts if (found := reader.take(text)) is not None]

    assert [(event.kind, event.place, event.data) for event in events] == [("log", "7", '{"a":1}'), ("end", "", "{}")]


async def test_a_stream_that_breaks_is_asked_for_again_behind_the_last_line() -> None:
    following = Following("run", after=3)
    assert following.request().params == {"follow": "true", "after": "3"}
    line = '{"at":"2030-01-01T00:00:00Z","level":20,"message":"hello","seq":0}'
    told = [following.take(text) for text in ("id: 9", "event: log", f"data: {line}", "", "id: 11", "event: log")]

    assert [found.message for found in told if found is not None] == ["hello"]
    assert (following.over, following.request().params["after"]) == (False, "9")
    assert [following.take(text) for text in ("event: end", 'data: {"state":"failed"}', "")] == [None] * 3
    assert following.over
