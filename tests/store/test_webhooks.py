"""Addresses, secrets, subscriptions and counts of triggers that are called, on each database."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.access.permissions import SYSTEM, AuditEntry
from mainspring.domain.triggers.spec import AnyRule, Cron, Event, HookAuth, TriggerSpec, Webhook
from mainspring.domain.triggers.trigger import Trigger, TriggerChanges, TriggerMove
from mainspring.domain.webhooks.taken_call import KEPT, TakenCall
from mainspring.domain.webhooks.webhook import Hook
from mainspring.errors import NotFoundError
from mainspring.store.interface import AuditFilter, EventCount, Store
from mainspring.store.interface.webhooks import Rotate
from mainspring.testing.clock import START
from tests.factories import NAMESPACE

ENTRY = AuditEntry(at=START, actor=SYSTEM, namespace=NAMESPACE, act="trigger.secret", kind="trigger", key="files")
HOOK = Hook(id="a" * 32, auth=HookAuth.HMAC, secret=b"s1", made_at=START)


async def define(store: Store, name: str, when: AnyRule, *, namespace: str = NAMESPACE) -> Trigger:
    """Give a trigger that definition, whether or not it is there."""
    spec = TriggerSpec(name=name, job="report", when=when)

    def revise(present: Mapping[str, Trigger]) -> TriggerChanges:
        new = Trigger(namespace=namespace, spec=spec, created_at=START, updated_at=START)
        old = present.get(name)
        return TriggerChanges(
            moves=[TriggerMove(trigger=new if old is None else msgspec.structs.replace(old, spec=spec))]
        )

    [trigger] = await store.triggers.change(namespace, [name], revise, now=START)
    return trigger


async def delete(store: Store, name: str) -> None:
    await store.triggers.change(
        NAMESPACE, [name], lambda present: TriggerChanges(deletes=[TriggerMove(trigger=present[name])]), now=START
    )


async def waiting(store: Store, *types: str) -> list[str]:
    return [trigger.name for trigger in await store.webhooks.subscribers(NAMESPACE, types, limit=100)]


async def test_an_address_leads_to_its_trigger_until_that_is_deleted(store: Store) -> None:
    trigger = await define(store, "files", Webhook(key="$.id"))
    made = await store.webhooks.rotate_hook(trigger.id, lambda old: HOOK if old is None else old, entry=ENTRY)

    assert made == HOOK
    assert await store.webhooks.hook(address=HOOK.id) == (HOOK, trigger)
    assert await store.webhooks.hook(trigger=trigger.id) == (HOOK, trigger)
    assert await store.webhooks.hook(address="b" * 32) is None
    assert [entry.act for _, entry in await store.access.audit(AuditFilter(kind="trigger"))] == ["trigger.secret"]

    await delete(store, "files")
    assert await store.webhooks.hook(address=HOOK.id) is None
    assert await store.webhooks.rotate_hook(trigger.id, lambda _: HOOK, entry=ENTRY) is None


async def test_a_rotation_is_decided_from_what_there_is_and_undone_with_its_error(store: Store) -> None:
    trigger = await define(store, "files", Webhook())
    await store.webhooks.rotate_hook(trigger.id, lambda _: HOOK, entry=ENTRY)
    renewed = msgspec.structs.replace(
        HOOK, id="c" * 32, secret=b"s2", old_secret=b"s1", old_until=START + timedelta(hours=1)
    )

    assert (
        await store.webhooks.rotate_hook(trigger.id, lambda old: renewed if old == HOOK else HOOK, entry=ENTRY)
        == renewed
    )
    assert await store.webhooks.hook(address=HOOK.id) is None
    assert await store.webhooks.hook(trigger=trigger.id) == (renewed, trigger)

    def refuse(_old: Hook | None) -> Hook:
        raise NotFoundError("trigger", "files")

    with pytest.raises(NotFoundError):
        await store.webhooks.rotate_hook(trigger.id, refuse, entry=ENTRY)
    assert await store.webhooks.hook(trigger=trigger.id) == (renewed, trigger)


async def test_rotations_at_the_same_time_come_one_after_the_other(store: Store) -> None:
    trigger = await define(store, "files", Webhook())

    def chain(secret: bytes) -> Rotate:
        return lambda old: msgspec.structs.replace(HOOK, secret=secret, old_secret=old.secret if old else None)

    rotating = (store.webhooks.rotate_hook(trigger.id, chain(name), entry=ENTRY) for name in (b"one", b"two"))
    await asyncio.gather(*rotating)
    found = await store.webhooks.hook(trigger=trigger.id)

    assert found is not None
    last, _ = found
    assert {last.secret, last.old_secret} == {b"one", b"two"}


async def test_subscriptions_follow_the_definition(store: Store) -> None:
    first = await define(store, "first", Event(type="order.paid"))
    await define(store, "second", Event(type="order.paid", filter={"$.a": msgspec.Raw(b"1")}))
    await define(store, "other", Event(type="order.lost"))
    await define(store, "timed", Cron(expressions=("0 0 * * *",)))

    assert (await store.webhooks.subscribers(NAMESPACE, ["order.paid"], limit=1)) == [first]
    assert await waiting(store, "order.paid", "order.lost", "nothing") == ["first", "second", "other"]
    assert await store.webhooks.subscribers("elsewhere", ["order.paid"], limit=9) == []

    await define(store, "first", Event(type="order.lost"))
    await define(store, "second", Webhook())
    await define(store, "timed", Event(type="order.paid"))
    assert await waiting(store, "order.paid") == ["timed"]
    assert await waiting(store, "order.lost") == ["first", "other"]

    await delete(store, "first")
    assert await waiting(store, "order.lost") == ["other"]


async def test_counts_of_events_add_up_and_are_forgotten(store: Store) -> None:
    count = EventCount(namespace=NAMESPACE, type="b", told=2, matched=1, unmatched=1, first_at=START, last_at=START)
    later = msgspec.structs.replace(
        count, told=3, matched=0, first_at=START + timedelta(hours=1), last_at=START + timedelta(hours=1)
    )
    other = msgspec.structs.replace(count, type="a")
    await store.webhooks.count_events([count, other])
    await store.webhooks.count_events([later, msgspec.structs.replace(count, namespace="elsewhere")])
    summed = msgspec.structs.replace(count, told=5, unmatched=2, last_at=later.last_at)

    assert await store.webhooks.event_counts(NAMESPACE, after="", limit=9) == [other, summed]
    assert await store.webhooks.event_counts(NAMESPACE, after="a", limit=9) == [summed]
    assert await store.webhooks.event_counts(NAMESPACE, after="", limit=1) == [other]

    await store.cluster.prune(before=START + timedelta(minutes=1))
    assert await store.webhooks.event_counts(NAMESPACE, after="", limit=9) == [summed]


async def test_the_newest_calls_of_a_webhook_are_remembered_and_go_with_their_trigger(store: Store) -> None:
    trigger, other = await define(store, "files", Webhook()), await define(store, "others", Webhook())
    calls = [
        TakenCall(trigger=trigger.id, at=START + timedelta(seconds=n), code="no", detail="\u00e9") for n in range(3)
    ]
    taken = TakenCall(trigger=other.id, at=START, run="01", existing=True)
    await store.webhooks.note_calls([*calls, taken, TakenCall(trigger=999, at=START, run="02")])

    assert await store.webhooks.calls(trigger.id, limit=2) == calls[:0:-1]
    assert await store.webhooks.calls(other.id, limit=2) == [taken]

    many = [TakenCall(trigger=trigger.id, at=START + timedelta(minutes=n), run=str(n)) for n in range(KEPT)]
    await store.webhooks.note_calls(many)
    assert await store.webhooks.calls(trigger.id, limit=KEPT + 9) == many[::-1]
    assert await store.webhooks.calls(other.id, limit=9) == [taken]
    await delete(store, "files")
    assert await store.webhooks.calls(trigger.id, limit=9) == []
