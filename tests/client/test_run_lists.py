"""The clients' side of attributes and lists."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from mainspring.client.transport.requests import Enqueue, list_runs, new_enqueue
from mainspring.clock import SystemClock
from mainspring.errors import InvalidInputError
from tests.client.conftest import Shop
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_run_has_what_it_was_enqueued_with(shop: Shop) -> None:
    labels, tags, deadline = {"customer": "7"}, ["sdk", "eu"], SystemClock().now() + timedelta(hours=1)
    handle = await shop.app.client.enqueue("greet", {"name": "Anna"}, labels=labels, tags=tags, deadline=deadline)
    run = await shop.app.client.get(handle.id)

    assert (run.labels, run.tags, run.deadline) == (labels, ("sdk", "eu"), deadline)
    assert run.created_by
    assert await handle.result(timeout=HANG) == "hello Anna"


async def test_options_of_a_job_carry_attributes(shop: Shop) -> None:
    handle = await shop.never.options(tags=["by-options"], deadline=timedelta(minutes=5)).enqueue()
    run = await handle.get()

    assert run.tags == ("by-options",)
    assert run.deadline is not None
    assert timedelta(minutes=4) < run.deadline - run.created_at <= timedelta(minutes=5)


async def test_all_that_matches_is_iterated_over_pages(shop: Shop) -> None:
    calls = [shop.never.options(queue="iterated", tags=["iterated"]).call()] * 7
    ids = [handle.id for handle in await shop.app.enqueue_many(calls)]

    newest = [run.id async for run in shop.app.client.iterate(page=3, tags=["iterated"])]
    oldest = await asyncio.to_thread(
        lambda: [run.id for run in shop.app.sync_client.iterate(page=2, queue="iterated", oldest_first=True)]
    )
    assert newest == ids[::-1]
    assert oldest == ids
    assert [run async for run in shop.app.client.iterate(tags=["iterated"], states=["failed"])] == []


async def test_a_list_has_bodies_if_asked_for(shop: Shop) -> None:
    handle = await shop.app.client.enqueue("greet", {"name": "Bodo"}, tags=["bodies"])
    await handle.result(timeout=HANG)

    [bare] = (await shop.app.client.list(tags=["bodies"])).runs
    [full] = (await shop.app.client.list(tags=["bodies"], bodies=True)).runs
    assert (bare.input, bare.result) == ({}, None)
    assert (full.input, full.result) == ({"name": "Bodo"}, "hello Bodo")


async def test_a_refused_filter_is_the_servers_words(shop: Shop) -> None:
    with pytest.raises(InvalidInputError, match="not one of waiting") as refusal:
        await shop.app.client.list(states=["asleep"])
    assert (refusal.value.code, refusal.value.field) == ("bad_state", "state")


async def test_filters_become_parameters() -> None:
    since = datetime(2030, 1, 1, tzinfo=UTC)
    request = list_runs(
        labels={"a": "b=c"}, tags=["x", "y"], states=["failed"], since=since, oldest_first=True, key="k"
    )

    assert datetime.fromisoformat(str(request.params["since"])) == since
    assert {name: value for name, value in request.params.items() if name != "since"} == {
        "label": ["a=b=c"],
        "tag": ["x", "y"],
        "state": ["failed"],
        "sort": "oldest",
        "key": "k",
    }
    assert list_runs().params == {}


async def test_what_a_plain_run_does_not_have_is_not_sent() -> None:
    assert new_enqueue("greet", deadline=timedelta(minutes=1)) == Enqueue(job="greet", deadline_in=60.0)
    assert new_enqueue("greet", tags=["a"], labels={"k": "v"}) == Enqueue(job="greet", tags=("a",), labels={"k": "v"})
