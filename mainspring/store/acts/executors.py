"""Executors as operators see and steer them."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.pools import PoolChange, PoolWish, pools_entry
from mainspring.domain.cluster.session import Cordon, Presence, RunOnExecutor, SessionLoad, cordon_entry, tightened
from mainspring.domain.ids import SessionId
from mainspring.domain.jobs.job import Pool
from mainspring.errors import NotFoundError
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.cluster import session_row
from mainspring.store.interface.executors import PresenceFilter
from mainspring.store.tx import Acts, Row, Tx, holds, reads, struct_of, writes, writes_once


class ExecutorActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads
    async def held(self, tx: Tx, sessions: Sequence[SessionId], *, limit: int) -> list[RunOnExecutor]:
        return await held_runs(tx, sessions, limit)

    @writes
    async def cordon(self, tx: Tx, cordon: Cordon, *, actor: Actor) -> Cordon:
        place = {"namespace": cordon.namespace, "executor": cordon.executor}
        if not await holds(tx, "known_executor", **place):
            raise NotFoundError("executor", cordon.executor)
        added = await tx.run("add_cordon", **msgspec.structs.asdict(cordon))
        [row] = await tx.all("lock_cordon", **place)
        held = cordon_row(row)
        wanted = cordon if added else tightened(held, cordon)
        # Also when nothing changes: a session may have been opened in the very moment of the first cordon.
        await tx.run("mark_cordoned", **place)
        if wanted is None:
            return held
        await tx.run("change_cordon", **msgspec.structs.asdict(wanted))
        await write_audit(tx, cordon_entry(wanted, actor))
        return wanted

    @writes
    async def uncordon(
        self, tx: Tx, namespace: str, executor: str, *, actor: Actor, reason: str, now: datetime
    ) -> bool:
        if not await holds(tx, "known_executor", namespace=namespace, executor=executor):
            raise NotFoundError("executor", executor)
        dropped = await tx.run("drop_cordon", namespace=namespace, executor=executor)
        await tx.run("mark_live", namespace=namespace, executor=executor)
        if dropped:
            ended = Cordon(namespace=namespace, executor=executor, at=now, actor=actor.name, reason=reason)
            await write_audit(tx, cordon_entry(ended, actor, act="executor.uncordon"))
        return bool(dropped)

    @reads
    async def cordons(self, tx: Tx) -> list[Cordon]:
        rows = await tx.all("all_cordons")
        return tx.aside.read("cordons", rows, cordon_row, "namespace", "executor", whole=True)

    @writes_once
    async def apply_cordons(self, tx: Tx) -> None:
        await tx.run("apply_cordons")

    @writes
    async def resize(self, tx: Tx, change: PoolChange, *, actor: Actor) -> None:
        place = {"namespace": change.namespace, "executor": change.executor}
        if not await holds(tx, "known_executor", **place):
            raise NotFoundError("executor", change.executor)
        for wish in change.wishes(actor):
            await tx.run("want_pool", **msgspec.structs.asdict(wish) | {"pool": wish.pool.value})
        for pool in sorted(pool for pool, size in change.sizes.items() if size is None):
            await tx.run("drop_pool_wish", **place, pool=pool.value)
        await write_audit(tx, pools_entry(change, actor))

    @reads
    async def pool_wishes(self, tx: Tx) -> Sequence[PoolWish]:
        rows = await tx.all("all_pool_wishes")
        return tx.aside.read("pool_wishes", rows, wish_row, "namespace", "executor", "pool", whole=True)

    @reads
    async def list(self, tx: Tx, query: PresenceFilter) -> list[Presence]:
        executor, session = query.after
        wanted: dict[str, object] = {"namespace": query.namespace, "executor": query.executor}
        wanted |= {"after_executor": executor, "after_session": session}
        return await tx.aside.first(
            "sessions",
            query.limit,
            lambda limit: tx.all("list_executors", **wanted, limit=limit),
            presence_row,
            "id",
        )


def cordon_row(row: Row) -> Cordon:
    return struct_of(Cordon, row)


def wish_row(row: Row) -> PoolWish:
    return struct_of(PoolWish, row, pool=Pool(row["pool"]))


def presence_row(row: Row) -> Presence:
    return Presence(
        session=session_row(row),
        server=row["server_name"] or "",
        since=row["opened_at"],
        load=None if row["load"] is None else msgspec.json.decode(row["load"], type=SessionLoad),
        cordon=None if row["at"] is None else cordon_row(row),
    )


async def held_runs(tx: Tx, sessions: Sequence[SessionId], limit: int) -> list[RunOnExecutor]:
    """Some of the runs that these sessions have."""
    return [RunOnExecutor(**dict(row)) for row in await tx.all("held_runs", ids=sessions, limit=limit)]
