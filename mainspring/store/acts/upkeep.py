"""Prepares and prunes history, and checks the invariants."""

from collections.abc import Awaitable, Callable
from datetime import date, datetime, timedelta
from typing import Protocol

import msgspec

from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.domain.cluster.durability import durability_of
from mainspring.domain.cluster.invariants import GRACE, LOOK, Violation
from mainspring.domain.cluster.usage import ClusterUsage, HeldDuty, HistoryDay
from mainspring.domain.cluster.watch import DatabaseWatch, Holder, ReplicationSlot
from mainspring.domain.ids import first_at
from mainspring.store.facts import facts_row
from mainspring.store.tx import Acts, Row, Transactions, Tx, writes

DURABILITY = ("fsync", "full_page_writes", "commit", "named", "standbys")
FORGET = (
    "forget",
    "forget_tokens",
    "forget_sign_ins",
    "forget_invitations",
    "forget_tries",
    "forget_events",
    "forget_failure_notes",
)
"""Statements that delete rows by their age."""


class History(Protocol):
    """The partitions of one database."""

    async def prepare(self, *, now: datetime, days: int) -> None: ...

    async def prune(self, *, before: datetime) -> list[str]: ...


Violations = Callable[[datetime, timedelta, int], Awaitable[list[Violation]]]


class UpkeepActs(Acts):
    """The contracts are in `store/interface/cluster.py`."""

    def __init__(self, transactions: Transactions, history: History, violations: Violations) -> None:
        super().__init__(transactions)
        self._history = history
        self._violations = violations

    async def prepare_history(self, *, now: datetime, days: int) -> None:
        await self._history.prepare(now=now, days=days)

    async def prune(self, *, before: datetime) -> list[str]:
        dropped = await self._history.prune(before=before)
        await self._prune_rows(before)
        return dropped

    @writes
    async def _prune_rows(self, tx: Tx, before: datetime) -> None:
        # History that names a session is gone by now.
        for statement in FORGET:
            await tx.run(statement, before=before)
        for statement in ("prune_sweeps", "prune_backfills"):
            await tx.run(statement, before=first_at(before))

    @writes
    async def forget_payloads(self, tx: Tx) -> bool:
        return await tx.run("forget_payloads") > 0

    async def watch(self, *, now: datetime) -> DatabaseWatch:
        return await self.transactions.read(lambda tx: watch(tx, now=now))

    async def facts(self, *, now: datetime) -> StoreFacts:
        return await self.transactions.read(lambda tx: facts(tx, now=now))

    async def usage(self) -> ClusterUsage:
        return await self.transactions.read(usage)

    async def violations(self, *, now: datetime, grace: timedelta = GRACE, look: int = LOOK) -> list[Violation]:
        return await self._violations(now, grace, look)


async def watch(tx: Tx, *, now: datetime) -> DatabaseWatch:
    found = await tx.one("watch_database")
    assert found is not None
    holder, days = await tx.one("watch_holder", now=now), await tx.one("watch_days")
    assert days is not None
    return DatabaseWatch(
        size=found["size"],
        dead_rows={row["name"]: row["dead"] for row in await tx.all("watch_dead_rows")},
        holder=None if holder is None else holder_row(holder),
        notify_queue=found["notify_queue"],
        replication_lag=found["replication_lag"],
        durability=durability_of(**{name: found[name] for name in DURABILITY}),
        slots=tuple(
            ReplicationSlot(name=row["name"], kept=row["kept"], lost=bool(row["lost"]))
            for row in await tx.all("watch_slots")
        ),
        oldest_day=day_of(days["oldest"]),
        newest_day=day_of(days["newest"]),
    )


async def facts(tx: Tx, *, now: datetime) -> StoreFacts:
    found = await tx.one("facts")
    assert found is not None
    seals = tuple(row["seal"] for row in await tx.all("list_seals"))
    return msgspec.structs.replace(facts_row(found), seals=seals, watch=await watch(tx, now=now))


async def usage(tx: Tx) -> ClusterUsage:
    days = [HistoryDay(date.fromisoformat(row["day"]), row["size"], row["runs"]) for row in await tx.all("usage_days")]
    duties = await tx.all("usage_duties")
    leases = await tx.all("usage_leases")
    return ClusterUsage(
        days=tuple(days),
        duties=tuple(tx.aside.read("duty_leases", duties, duty_row, "duty", whole=True)),
        leases=tuple(row["lease_until"] for row in leases),
    )


def duty_row(row: Row) -> HeldDuty:
    return HeldDuty(row["duty"], row["name"] or "", row["until"])


def day_of(written: str | None) -> date | None:
    """As the name of a table of history ends."""
    return None if written is None else date.fromisoformat(written)


def holder_row(row: Row) -> Holder:
    return Holder(
        kind=row["kind"],
        name=row["name"] or "",
        pid=row["pid"],
        user=row["owner"] or "",
        state=row["state"] or "",
        seconds=max(0.0, row["seconds"]),
    )
