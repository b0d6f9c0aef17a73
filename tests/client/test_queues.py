"""Queues through the SDK, and what a client does when one is full."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from mainspring import AsyncClient, Client, NotFoundError, OverBudgetError
from mainspring.client.calls import Request
from mainspring.client.transport.requests import get_run
from mainspring.client.waiting import RetryBudget
from tests.client.conftest import TOKEN, Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")


def refusal(retry_after: float) -> OverBudgetError:
    return OverBudgetError("queue", "mail", depth=3, limit=3, retry_after=retry_after)


async def test_a_queue_is_paused_described_and_resumed(shop: Shop) -> None:
    queues = shop.app.client.queues
    await shop.never.enqueue()
    paused = await queues.pause("nobody", reason="why")
    assert paused.paused is not None
    assert (paused.paused.reason, (await queues.get("nobody")).paused) == ("why", paused.paused)

    assert (await queues.resume("nobody")).paused is None
    assert "nobody" in [queue.name for queue in (await queues.list()).queues]
    assert (await queues.scaling("nobody")).slots == 0
    assert (await queues.rates("nobody", steps=3)).step == "minute"
    assert (await queues.rates(step="hour", steps=3)).step == "hour"
    assert (await queues.figures()).jobs == []


async def test_plain_code_has_the_same(shop: Shop) -> None:
    await asyncio.to_thread(use_from_plain_code, shop)


def use_from_plain_code(shop: Shop) -> None:
    queues = shop.app.sync_client.queues
    shop.never.enqueue_sync()
    assert queues.pause("nobody").paused is not None
    assert queues.resume("nobody").paused is None
    assert queues.get("nobody").name == "nobody"
    assert queues.scaling("nobody").running == 0
    assert queues.rates("nobody", step="hour", steps=2).step == "hour"
    assert queues.rates(steps=2).step == "minute"
    assert queues.figures(step="minute", steps=5).jobs == []
    assert queues.set_namespace_budget("default", None) == queues.namespace_budget("default")
    assert "nobody" in [queue.name for queue in queues.list().queues]

    with pytest.raises(NotFoundError, match="did you mean nobody"):
        queues.pause("nobodi")


async def test_a_full_queue_is_a_typed_error_and_no_run_exists(shop: Shop, url: str) -> None:
    client = shop.app.client
    await client.queues.set_budget("full", 0, new=True)
    with pytest.raises(OverBudgetError) as refused:
        await shop.never.options(queue="full").enqueue()
    with pytest.raises(OverBudgetError):
        await client.enqueue_many([shop.never.options(queue="full").call() for _ in range(3)])
    with Client(url, token=TOKEN, patience=0.1) as hurried, pytest.raises(OverBudgetError):
        await asyncio.to_thread(hurried.enqueue, "never-taken", queue="full")

    assert (refused.value.kind, refused.value.key, refused.value.depth, refused.value.limit) == ("queue", "full", 0, 0)
    assert refused.value.retry_after >= 1
    assert "is over its budget" in str(refused.value)
    assert (await client.list(queue="full")).runs == []
    await client.queues.set_budget("full", None)
    await shop.never.options(queue="full").enqueue()


class Scripted:
    """A transport that refuses so often, and then answers."""

    def __init__(self, refusals: int) -> None:
        self.calls = 0
        self._refusals = refusals

    def call(self, _request: Request[Any]) -> Any:
        self.calls += 1
        if self.calls <= self._refusals:
            raise refusal(0.0)
        return "answer"


class AsyncScripted(Scripted):
    async def call(self, request: Request[Any]) -> Any:
        return super().call(request)


@pytest.mark.parametrize(("patience", "calls"), [(0, 1), (5, 3)])
async def test_patience_repeats_a_call_until_there_is_room(
    patience: float, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, other = Scripted(2), AsyncScripted(2)
    client = Client("http://127.0.0.1:1", token="x", patience=patience)
    async_client = AsyncClient("http://127.0.0.1:1", token="x", patience=patience)
    monkeypatch.setattr(client, "_transport", plain)
    monkeypatch.setattr(async_client, "_open", lambda: other)
    answers: list[object] = []
    with suppress(OverBudgetError):
        answers.append(client._call(get_run("r")))
    with suppress(OverBudgetError):
        found = await async_client._call(get_run("r"))
        answers.append(found)

    assert answers == (["answer", "answer"] if patience else [])
    assert (plain.calls, other.calls) == (calls, calls)


async def test_patience_is_counted_in_all() -> None:
    budget = RetryBudget(5)
    assert budget.pause_after(refusal(3)) == 3
    with pytest.raises(OverBudgetError):
        budget.pause_after(refusal(3))
    assert budget.pause_after(refusal(2)) == 2


async def test_a_namespace_is_seen_as_a_whole_and_queries_are_kept_under_names(shop: Shop) -> None:
    client = shop.app.client
    await shop.never.enqueue()
    found = await client.insights.overview()
    counted = await client.insights.histogram("queue:nobody state:queued,waiting", steps=5)
    saved = await client.views.save("mine", "job:never")
    await client.views.save("ours", "state:failed", shared=True)

    assert "nobody" in [queue.name for queue in found.queues]
    assert (counted.by, counted.count >= 1, len(counted.steps) <= 5) == ("created", True, True)
    assert (saved.name, saved.q, saved.shared) == ("mine", "job:never", False)
    assert [view.name for view in await client.views.list()] == ["mine", "ours"]
    await client.views.delete("mine")
    await client.views.delete("ours", shared=True)
    assert await client.views.list() == ()


async def test_a_caller_keeps_choices_for_the_console(shop: Shop) -> None:
    client = shop.app.client
    await client.preferences.set(theme="dark", keys=False)
    found = await client.preferences.get()

    assert (found.theme, found.keys, found.zone) == ("dark", False, None)


async def test_a_client_knows_how_full_the_place_of_its_last_runs_is(shop: Shop) -> None:
    client = shop.app.client
    await client.queues.set_budget("nobody", 1_000_000)
    await shop.never.enqueue()
    pressed = await asyncio.to_thread(press_from_plain_code, shop)
    await client.queues.set_budget("nobody", None)
    await shop.never.enqueue()

    assert 0.0 <= pressed < 0.5
    assert client.pressure == 0.0
    assert AsyncClient(token=TOKEN).pressure == 0.0


def press_from_plain_code(shop: Shop) -> float:
    """How full the queue is that was just given a budget of one run less than wait in it."""
    client = shop.app.sync_client
    shop.never.enqueue_sync()
    before = client.pressure
    client.queues.set_budget("nobody", 0)
    with suppress(OverBudgetError):
        shop.never.enqueue_sync()
    assert client.pressure == 1.0
    client.queues.set_budget("nobody", 1_000_000)
    return before
