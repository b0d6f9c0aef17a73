"""Circuit breakers: their states, what was counted, and their changes."""

from collections.abc import Callable, Sequence
from datetime import datetime

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.breakers.breaker import Breaker, Change, new_breaker, respecified
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import NOTHING, Calls, Tally
from mainspring.domain.limits.gates import Scope, breaker_gate, gate, number_of
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.breakers.rows import KEY, breaker_row, call_fields, calls_row, change_row, fields_of
from mainspring.store.acts.limits import put_gates
from mainspring.store.tx import Acts, Tx, reads, writes

HISTORY_MAX = 1000
"""Changes that are kept of a breaker."""


class BreakerActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads
    async def all(self, tx: Tx) -> list[Breaker]:
        return tx.aside.read("breakers", await tx.all("all_breakers"), breaker_row, *KEY, whole=True)

    @writes
    async def ensure(self, tx: Tx, namespace: str, name: str, *, now: datetime) -> None:
        await make(tx, new_breaker(id_of(namespace, name), namespace, name, BreakerSpec(), now))

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
        return made

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
    async def turn(self, tx: Tx, breaker: Breaker, *, before: int, counted: Tally) -> bool:
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
        await tx.run("delete_breaker", id=present.id)
        await tx.run("delete_breaker_history", id=present.id, epoch=present.epoch)
        await tx.run("drop_breaker_calls", id=present.id, epoch=0, since=entry.at)
        open_to_all = gate(namespace, Scope.BREAKER, name, None, None, present.revision + 1)
        await put_gates(tx, [open_to_all], new=False)
        await write_audit(tx, entry)
        return True

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
    async def changes(self, tx: Tx, breaker: int, *, limit: int) -> list[Change]:
        rows = await tx.all("breaker_changes", id=breaker, limit=limit)
        return tx.aside.read("breaker_history", rows, change_row, "breaker", "epoch")


def id_of(namespace: str, name: str) -> int:
    """A breaker has the id of its gate."""
    return number_of(namespace, Scope.BREAKER, name)


async def make(tx: Tx, breaker: Breaker) -> None:
    if await tx.run("add_breaker", **fields_of(breaker)):
        await put_gates(tx, [breaker_gate(breaker)], new=True)


async def lock(tx: Tx, namespace: str, name: str) -> Breaker | None:
    """Raises ConflictError if its row cannot be read."""
    row = await tx.one("lock_breaker", id=id_of(namespace, name))
    return None if row is None else tx.aside.one("breakers", row, breaker_row, *KEY)


async def write(tx: Tx, breaker: Breaker, before: Breaker, counted: Tally) -> None:
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
