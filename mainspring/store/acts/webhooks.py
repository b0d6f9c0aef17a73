"""Addresses and secrets of webhooks, subscriptions to events, and counts of events."""

from collections.abc import Mapping, Sequence

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.triggers.spec import Event, HookAuth
from mainspring.domain.triggers.trigger import Trigger
from mainspring.domain.webhooks.taken_call import KEPT, TakenCall
from mainspring.domain.webhooks.webhook import Hook
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.webhooks import EventCount, Rotate
from mainspring.store.tx import Acts, Row, Tx, reads, writes, writes_once


class WebhookActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads
    async def hook(
        self, tx: Tx, *, address: str | None = None, trigger: int | None = None
    ) -> tuple[Hook, Trigger] | None:
        row = await (tx.one("find_hook", hook=address) if trigger is None else tx.one("hook_of", trigger=trigger))
        if row is None:
            return None
        hook = tx.aside.one("hooks", row, hook_row, "trigger")
        for called in await tx.triggers("called_trigger", trigger=row["trigger"]):
            return hook, tx.aside.one("triggers", called, tx.read_trigger, "id")
        return None

    @writes
    async def rotate_hook(self, tx: Tx, trigger: int, rotate: Rotate, *, entry: AuditEntry) -> Hook | None:
        if await tx.one("lock_trigger", trigger=trigger) is None:
            return None
        row = await tx.one("hook_of", trigger=trigger)
        made = rotate(None if row is None else hook_row(row))
        await tx.run("put_hook", trigger=trigger, **msgspec.structs.asdict(made) | {"auth": made.auth.value})
        await write_audit(tx, entry)
        return made

    @writes_once
    async def note_calls(self, tx: Tx, calls: Sequence[TakenCall]) -> None:
        await tx.run("note_calls", rows=list(map(msgspec.structs.asdict, calls)))
        for trigger in sorted({call.trigger for call in calls}):
            await tx.run("forget_calls", trigger=trigger, kept=KEPT)

    @reads
    async def calls(self, tx: Tx, trigger: int, *, limit: int) -> list[TakenCall]:
        rows = await tx.all("calls_of", trigger=trigger, limit=limit)
        return [TakenCall(**{**row, "existing": bool(row["existing"])}) for row in map(dict, rows)]

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
