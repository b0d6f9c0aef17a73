"""Checks the invariants of the store."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from mainspring.domain.bulk.backfill import Backfill, is_neglected
from mainspring.domain.bulk.operation import Sweep, is_stuck
from mainspring.domain.cluster.invariants import EXAMPLES, HOLDS, INVARIANTS, LOOK_INSIDE, Violation
from mainspring.domain.ids import first_at, id_text
from mainspring.domain.routing.resources import needs_of, overbooked
from mainspring.store.acts.bulk.operations import BulkActs
from mainspring.store.acts.cluster import session_row
from mainspring.store.acts.executors import held_runs
from mainspring.store.acts.job_versions import job_row
from mainspring.store.acts.review import Readers, unreadable
from mainspring.store.paging import ID_FIRST
from mainspring.store.tx import Acts, Transactions, Tx, reads, reads_together

OPERATIONS_MAX = 100
SESSIONS_MAX = 200
PAST = ("past_state", "one_place")
"""Questions about history."""
ELSEWHERE = ("bookings", "sweeps", "backfills", "days", "readable", "years")
"""Invariants that no statement of their own asks about."""

OutsideYears = Callable[[Tx, int], Awaitable[list[str]]]
"""Finds rows with an instant outside the known years, of each table of its database."""


class InvariantActs(Acts):
    """The contracts are in `store/interface/cluster.py`."""

    def __init__(
        self, transactions: Transactions, bulk: BulkActs, readers: Readers, outside_years: OutsideYears
    ) -> None:
        super().__init__(transactions)
        self._bulk = bulk
        self._readers = readers
        self._outside_years = outside_years

    async def violations(self, now: datetime, grace: timedelta, look: int) -> list[Violation]:
        before = now - grace
        # Each is a read of its own, and most of their time goes by on the way.
        found, reviewed, booked = await asyncio.gather(
            self._ask(before, look), self._review(now, min(look, LOOK_INSIDE)), self._overbooked(look)
        )
        found["readable"], found["years"] = reviewed
        found["bookings"] = booked
        sweeps = await self._bulk.live(Sweep, limit=OPERATIONS_MAX)
        found["sweeps"] = [id_text(one.id) for one in sweeps if is_stuck(one, before)]
        backfills = await self._bulk.live(Backfill, limit=OPERATIONS_MAX)
        found["backfills"] = [id_text(one.id) for one in backfills if is_neglected(one, before)]
        found["days"] = await self._missing_days(now)
        return [Violation(name, tuple(found[name])) for name in INVARIANTS if found[name]]

    @reads_together
    async def _ask(self, tx: Tx, before: datetime, look: int) -> dict[str, list[str]]:
        await tx.run("pin_plans")
        asked = {
            "before": before,
            "day_before": before - timedelta(days=1),
            "first": first_at(before),
            "look": look,
            "examples": EXAMPLES,
            "holds": list(HOLDS),
        }
        found: dict[str, list[str]] = {}
        for name in INVARIANTS:
            if name not in ELSEWHERE:
                statement = f"violated_{name}"
                # No run is older than the first id: this asks about all of history.
                rows = await (tx.past(statement, [ID_FIRST], **asked) if name in PAST else tx.all(statement, **asked))
                found[name] = [shown(row["example"]) for row in rows][:EXAMPLES]
        return found

    @reads
    async def _overbooked(self, tx: Tx, look: int) -> list[str]:
        every = tx.aside.read("jobs", await tx.all("all_jobs"), job_row, "id")
        jobs = {(job.namespace, job.name): job for job in every if not job.deleted and needs_of(job) is not None}
        if not jobs:
            return []
        sessions = tx.aside.read("sessions", await tx.all("sessions"), session_row, "id", whole=True)
        found: list[str] = []
        for session in sessions[:SESSIONS_MAX]:
            held = await held_runs(tx, [session.id], look)
            if len(held) < look and (name := overbooked(session, held, jobs)) is not None:
                found.append(f"{session.executor}: {name.removeprefix('=')}")
        return found[:EXAMPLES]

    @reads
    async def _missing_days(self, tx: Tx, now: datetime) -> list[str]:
        present = {row["name"] for row in await tx.all("partitions", tables=["history"])}
        wanted = [f"history_{now + timedelta(days=ahead):%Y%m%d}" for ahead in (0, 1)]
        return [name for name in wanted if name not in present]

    @reads
    async def _review(self, tx: Tx, now: datetime, look: int) -> tuple[list[str], list[str]]:
        unread = [*await unreadable(tx, self._readers, look), *map(str, tx.aside.passed_over(now))]
        return unread[:EXAMPLES], await self._outside_years(tx, look)


def shown(example: str | bytes) -> str:
    return example if isinstance(example, str) else id_text(example)
