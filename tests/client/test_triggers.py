"""Triggers through the SDK, with and without await."""

import asyncio

import pytest

from mainspring import InvalidInputError, NotFoundError
from mainspring.client.nouns.triggers import load_triggers
from mainspring.clock import SystemClock
from mainspring.errors import StaleError
from tests.client.conftest import Shop
from tests.words import DAY

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOURLY = {"kind": "interval", "every": 3600}


async def test_a_trigger_lives_from_its_making_to_its_end(shop: Shop) -> None:
    triggers = shop.app.client.triggers
    made = await triggers.create("lives", job="never-taken", when=HOURLY, tags=["a"])
    with pytest.raises(StaleError):
        await triggers.create("lives", job="never-taken", when=HOURLY)
    changed = await triggers.put("lives", made.revision, job="never-taken", when=HOURLY, priority=9)
    paused = await triggers.pause("lives", reason="why")
    assert paused.paused is not None
    assert (await triggers.resume("lives")).paused is None
    skipped = await triggers.skip_next("lives")
    run = await shop.app.client.get((await triggers.fire("lives")).id)
    page = await triggers.instants("lives", until=SystemClock().now() + DAY, limit=1)
    assert (await triggers.preview_rule(HOURLY, name="lives", count=1)).words == "every hour"
    await triggers.delete("lives", revision=changed.revision)

    assert (made.words, made.spec["tags"], changed.spec["priority"]) == ("every hour", ["a"], 9)
    assert (paused.state, paused.paused.reason) == ("paused", "why")
    assert (run.trigger, run.priority, run.fire_at) == ("lives", 9, None)
    assert [(each.at, each.reason) for each in page.instants] == [(skipped.skipped, "asked")]
    assert page.next is not None
    with pytest.raises(NotFoundError):
        await triggers.get("lives")


async def test_instants_that_lie_behind_are_filled_in(shop: Shop) -> None:
    client = shop.app.client
    await client.triggers.create("filled", job="never-taken", when=HOURLY)
    since, until = SystemClock().now() - DAY, SystemClock().now() - DAY / 2
    plan = await client.backfills.preview("filled", since=since, until=until)
    made = await client.backfills.create("filled", since=since, until=until, concurrency=2, reason="late")
    await client.backfills.instants(made.id)
    ended = await client.backfills.cancel(made.id)
    [listed] = (await client.backfills.list(trigger="filled")).backfills

    assert (plan.instants, plan.fired, plan.runs) == (made.expected, 0, made.expected)
    assert (made.over, ended.over, ended.state, listed) == (False, True, "cancelled", ended)
    assert await client.backfills.get(made.id) == ended


async def test_plain_code_has_the_same(shop: Shop) -> None:
    await asyncio.to_thread(use_from_plain_code, shop)


def fill_from_plain_code(shop: Shop) -> None:
    backfills, since = shop.app.sync_client.backfills, SystemClock().now() - DAY
    assert backfills.preview("plain-0", since=since).instants > 0
    made = backfills.create("plain-0", since=since)
    assert backfills.instants(made.id).next is None
    assert backfills.cancel(made.id) == backfills.get(made.id) == backfills.list(trigger="plain-0").backfills[0]


def use_from_plain_code(shop: Shop) -> None:
    triggers = shop.app.sync_client.triggers
    assert triggers.load([{"name": f"plain-{one}", "job": "never-taken", "when": HOURLY} for one in range(3)]) == 3
    assert [one.name for one in triggers.list(prefix="plain-", kind="interval").triggers] == [
        "plain-0",
        "plain-1",
        "plain-2",
    ]
    made = triggers.create("plain", job="never-taken", when=HOURLY)
    assert triggers.put("plain", made.revision, job="never-taken", when=HOURLY, priority=1).revision == 2
    fill_from_plain_code(shop)
    assert triggers.pause("plain").state == "paused"
    assert triggers.resume("plain").state == "active"
    assert triggers.skip_next("plain").trigger.name == "plain"
    assert len(triggers.preview("plain", count=3).instants) == 3
    assert triggers.preview_rule(HOURLY, count=2).words == "every hour"
    assert triggers.instants("plain", limit=5).instants == []
    assert triggers.forecast(hours=2, step=60).complete
    assert shop.app.sync_client.get(triggers.fire("plain").id).trigger == "plain"
    triggers.delete("plain")
    with pytest.raises(NotFoundError):
        triggers.get("plain")


async def test_an_unfit_definition_is_a_typed_error(shop: Shop) -> None:
    triggers = shop.app.client.triggers
    with pytest.raises(InvalidInputError, match="hour: 25 is outside") as refused:
        await triggers.create("unfit", job="never-taken", when={"kind": "cron", "expressions": ["0 25 * * *"]})
    with pytest.raises(InvalidInputError, match="cannot be written as JSON"):
        await triggers.create("unfit", job="never-taken", when={"kind": object()})

    assert (refused.value.code, refused.value.field) == ("bad_cron", "when.expressions[0]")


async def test_many_are_sent_in_chunks() -> None:
    sent = list(load_triggers(({"name": str(one)} for one in range(10_001)), "why"))

    assert [request.body is not None and request.body.count(b"name") for request in sent] == [10_000, 1]
    assert {request.params["note"] for request in sent} == {"why"}
