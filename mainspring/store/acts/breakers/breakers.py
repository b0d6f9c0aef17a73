"""Circuit breakers: their states, what was counted, and their changes."""

from collections.abc import Callable, Sequence
from datetime import datetime

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.breakers.breaker import Breaker, BreakerState, BreakerTransition, new_breaker, respecified
from mainspring.domain.breakers.spec import BreakerSpec, base_of
from mainspring.domain.breakers.window import NOTHING, Calls, WindowCounts
from mainspring.domain.limits.gates import Scope, breaker_gate, gate, number_of
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.breakers.permits import PermitActs
from mainspring.store.acts.breakers.rows import KEY, breaker_row, call_fields, calls_row, change_row, fields_of
from mainspring.store.acts.limits.limits import put_gates
from mainspring.store.tx import Tx, reads, writes

HISTORY_MAX = 1000
"""Changes that are kept of a breaker."""


class BreakerActs(PermitActs):
    """The contracts are in `store/interface/`."""

    @reads
    async def all(self, tx: Tx) -> list[Breaker]:
        return await all_breakers(tx)

    @writes
    async def ensure(
        self, tx: Tx, namespace: str, name: str, *, now: datetime, spec: BreakerSpec | None = None
    ) -> None:
        await make(tx, new_breaker(id_of(namespace, name), namespace, name, spec or BreakerSpec(), now))

    @writes
    async def set(self, tx: Tx, namespace: str, name: str, spec: BreakerSpec, *, entry: AuditEntry) -> Breaker:
        await make(tx, new_breaker(id_of(namespace, name), namespace, name, spec, entry.at))
        present = await lock(tx, namespace, name)
        assert present is not None
        await write_audit(tx, entry)
        if present.spec == spec:
            return present
        made = respecified(present, spec)
        await write(tx, made, present, NOTHING)
        for each in await self._of_keys(tx, namespace, name):
            await write(tx, respecified(each, spec), each, NOTHING)
        return made

    async def _of_keys(self, tx: Tx, namespace: str, name: str) -> list[Breaker]:
        """The breakers of single keys that go by this one's rule, locked."""
        found = [one for one in await all_breakers(tx) if one.namespace == namespace and base_of(one.name) == name]
        locked = [await lock(tx, namespace, one.name) for one in sorted(found, key=lambda one: one.id)]
        return [one for one in locked if one is not None]

    @writes
    async def steer(
        self, tx: Tx, namespace: str, name: str, steer: Callable[[Breaker], Breaker | None], *, entry: AuditEntry
    ) -> Breaker | None:
        present = await lock(tx, namespace, name)
        if present is None or (made := steer(present)) is None:
            return present
        await write(tx, made, present, NOTHING)
        await write_audit(tx, entry)
        return made

    @writes
    async def turn(self, tx: Tx, breaker: Breaker, *, before: int, counted: WindowCounts) -> bool:
        rows = await tx.all("lock_breaker", id=breaker.id)
        for present in tx.aside.read("breakers", rows, breaker_row, *KEY):
            if present.revision == before:
                await write(tx, breaker, present, counted)
                return True
        return False

    @writes
    async def delete(self, tx: Tx, namespace: str, name: str, *, entry: AuditEntry) -> bool:
        present = await lock(tx, namespace, name)
        if present is None:
            return False
        await remove(tx, present, entry.at)
        await write_audit(tx, entry)
        return True

    @writes
    async def prune_keys(self, tx: Tx, *, before: datetime, limit: int) -> int:
        idle = await tx.all("idle_keys", before=before, limit=limit)
        found = [await lock(tx, row["namespace"], row["name"]) for row in sorted(idle, key=lambda row: row["id"])]
        gone = [one for one in found if one is not None and one.state is BreakerState.CLOSED]
        for one in gone:
            await remove(tx, one, before)
        return len(gone)

    @writes
    async def add_calls(
        self, tx: Tx, breaker: int, epoch: int, reports: Sequence[Calls], *, since: datetime
    ) -> list[Calls]:
        ordered = sorted(reports, key=lambda one: (one.at, one.executor))
        await tx.batch("add_breaker_calls", [call_fields(breaker, epoch, one) for one in ordered])
        await tx.run("drop_breaker_calls", id=breaker, epoch=epoch, since=since)
        return [calls_row(row) for row in await tx.all("breaker_calls", id=breaker, epoch=epoch, since=since)]

    @reads
    async def calls(self, tx: Tx, breaker: int, epoch: int, *, since: datetime) -> list[Calls]:
        return [calls_row(row) for row in await tx.all("breaker_calls", id=breaker, epoch=epoch, since=since)]

    @reads
    async def changes(self, tx: Tx, breaker: int, *, limit: int) -> list[BreakerTransition]:
        rows = await tx.all("breaker_changes", id=breaker, limit=limit)
        return tx.aside.read("breaker_history", rows, change_row, "breaker", "epoch")


async def all_breakers(tx: Tx) -> list[Breaker]:
    return tx.aside.read("breakers", await tx.all("all_breakers"), breaker_row, *KEY, whole=True)


def id_of(namespace: str, name: str) -> int:
    """A breaker has the id of its gate."""
    return number_of(namespace, Scope.BREAKER, name)


async def make(tx: Tx, breaker: Breaker) -> None:
    if await tx.run("add_breaker", **fields_of(breaker)):
        await put_gates(tx, [breaker_gate(breaker)], new=True)


async def remove(tx: Tx, breaker: Breaker, now: datetime) -> None:
    """Take a locked breaker away; its gate lets everything pass from then on."""
    await tx.run("delete_breaker", id=breaker.id)
    await tx.run("delete_breaker_history", id=breaker.id, epoch=breaker.epoch)
    await tx.run("drop_breaker_calls", id=breaker.id, epoch=0, since=now)
    open_to_all = gate(breaker.namespace, Scope.BREAKER, breaker.name, None, None, breaker.revision + 1)
    await put_gates(tx, [open_to_all], new=False)


async def lock(tx: Tx, namespace: str, name: str) -> Breaker | None:
    """Raises ConflictError if its row cannot be read."""
    row = await tx.one("lock_breaker", id=id_of(namespace, name))
    return None if row is None else tx.aside.one("breakers", row, breaker_row, *KEY)


async def write(tx: Tx, breaker: Breaker, before: Breaker, counted: WindowCounts) -> None:
    """Write a locked breaker with its gate, and a change of state to its history."""
    await tx.run("turn_breaker", **fields_of(breaker), before=before.revision)
    await put_gates(tx, [breaker_gate(breaker)], new=True)
    if breaker.epoch == before.epoch:
        return
    await tx.run(
        "add_breaker_change",
        id=breaker.id,
        epoch=breaker.epoch,
        at=breaker.since,
        was=before.state.value,
        state=breaker.state.value,
        until=breaker.until,
        calls=counted.calls,
        failures=counted.failures,
        slow=counted.slow,
        reason=breaker.reason,
        author=breaker.by,
    )
    await tx.run("delete_breaker_history", id=breaker.id, epoch=breaker.epoch - HISTORY_MAX)
