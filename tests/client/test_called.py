"""Webhooks and events through the SDK."""

import asyncio

import pytest

from mainspring import ConflictError, InvalidInputError
from mainspring.client import Event
from tests.client.conftest import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_events_are_published(shop: Shop) -> None:
    client = shop.app.client
    await shop.never.enqueue()
    await client.triggers.create("heard", job="never-taken", when={"kind": "event", "type": "shop.opened"})
    published = await client.publish("shop.opened", id="o-1")
    many = await client.publish_many([Event("shop.opened", {}, "o-1"), Event("shop.closed")])

    assert (published.told, published.matched, published.runs[0].trigger) == (1, 1, "heard")
    assert (many.told, many.matched, many.runs[0].run, many.runs[0].existing) == (2, 0, published.runs[0].run, True)
    assert (await client.event_types(limit=500)).next is None
    with pytest.raises(InvalidInputError):
        await client.publish("shop.opened", object())


async def test_webhooks_get_secrets(shop: Shop) -> None:
    client = shop.app.client
    await client.triggers.create("hooked", job="never-taken", when={"kind": "webhook", "auth": "bearer"})
    with pytest.raises(ConflictError):
        await client.hooks.get("hooked")
    made = await client.hooks.rotate("hooked", grace=60)
    tried = await client.hooks.test("hooked", "{}", {"Authorization": f"Bearer {made.secret}"})

    assert await client.hooks.get("hooked") == made.hook
    assert (tried.would_run, tried.signed, tried.input) == (True, True, {})


async def test_plain_code_has_the_same(shop: Shop) -> None:
    await asyncio.to_thread(use_from_plain_code, shop)


def use_from_plain_code(shop: Shop) -> None:
    client = shop.app.sync_client
    client.triggers.create("plain", job="never-taken", when={"kind": "webhook"})
    made = client.hooks.rotate("plain", new_address=True)

    assert client.hooks.get("plain") == made.hook
    assert client.hooks.test("plain", "{}").signed is False
    assert client.publish("plain.told", {"a": 1}).told == 1
    assert client.publish_many([Event("plain.told")]).matched == 0
    assert client.event_types(cursor="zzz").types == []
