"""Addresses and secrets of webhooks, subscriptions to events, and counts of events."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.triggers.spec import Event, HookAuth
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.webhook import Hook
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.webhooks import EventCount, Rotate
from mainspring.store.tx import Acts, Row, Tx, reads, writes, writes_once


class WebhookActs(Acts):
    """See `store/interface/` for what each method promises."""

    @reads
    async def hook(self, tx: Tx, hook: str) -> tuple[Hook, Trigger] | None:
        row = await tx.one("find_hook", hook=hook)
        if row is None:
            return None
        for trigger in await tx.triggers("called_trigger", trigger=row["trigger"]):
            return tx.aside.one("hooks", row, hook_row, "trigger"), tx.aside.one(
                "triggers", trigger, tx.read_trigger, "id"
            )
        return None

    @reads
    async def hook_of(self, tx: Tx, trigger: int) -> Hook | None:
        row = await tx.one("hook_of", trigger=trigger)
        return None if row is None else tx.aside.one("hooks", row, hook_row, "trigger")

    @writes
    async def rotate_hook(self, tx: Tx, trigger: int, rotate: Rotate, *, entry: AuditEntry) -> Hook | None:
        if await tx.one("lock_trigger", trigger=trigger) is None:
            return None
        row = await tx.one("hook_of", trigger=trigger)
        made = rotate(None if row is None else hook_row(row))
        await tx.run("put_hook", trigger=trigger, **msgspec.structs.asdict(made) | {"auth": made.auth.value})
        await write_audit(tx, entry)
        return made

    @reads
    async def subscribers(self, tx: Tx, namespace: str, types: Sequence[str], *, limit: int) -> list[Trigger]:
        rows = await tx.triggers("subscribers", namespace=namespace, types=list(types), limit=limit)
        return sorted(tx.aside.read("triggers", rows, tx.read_trigger, "id"), key=lambda trigger: trigger.id)

    @writes_once
    async def count_events(self, tx: Tx, counts: Sequence[EventCount]) -> None:
        await tx.run("count_events", rows=list(map(msgspec.structs.asdict, counts)))

    @reads
    async def event_counts(self, tx: Tx, namespace: str, *, after: str, limit: int) -> list[EventCount]:
        rows = await tx.all("event_counts", namespace=namespace, after=after, limit=limit)
        return [EventCount(**dict(row)) for row in rows]

    @writes_once
    async def forget_events(self, tx: Tx, *, before: datetime) -> int:
        return await tx.run("forget_events", before=before)


async def keep_subscriptions(tx: Tx, triggers: Sequence[Trigger], olds: Mapping[int, Trigger]) -> None:
    """Store which events these triggers wait for now, in the transaction that changes them."""
    old = [before.id for one in triggers if (before := olds.get(one.id)) and isinstance(before.spec.when, Event)]
    new = [
        {"trigger": one.id, "namespace": one.namespace, "type": one.spec.when.type}
        for one in triggers
        if isinstance(one.spec.when, Event)
    ]
    if old or new:
        await tx.run("unsubscribe", triggers=[*old, *(one["trigger"] for one in new)])
    if new:
        await tx.run("subscribe", rows=new)


def hook_row(row: Row) -> Hook:
    return Hook(
        id=row["hook_id"],
        auth=HookAuth(row["auth"]),
        secret=row["secret"],
        old_secret=row["old_secret"],
        old_until=row["old_until"],
        made_at=row["made_at"],
    )
