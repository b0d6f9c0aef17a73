"""Rules of queues, and how full lines were when they were last counted."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.policy import RevisePolicy, read_queue_policy, write_policy
from mainspring.domain.queues.queue import Depth, QueueRule, Survey
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.rollups import RollUp, RollupActs
from mainspring.store.tx import Row, Transactions, Tx, reads, struct_of, writes, writes_once


class QueueActs(RollupActs):
    """The contracts are in `store/interface/`."""

    def __init__(
        self, transactions: Transactions, count_lines: Callable[[datetime], Awaitable[None]], roll_up: RollUp
    ) -> None:
        super().__init__(transactions, roll_up)
        self._count_lines = count_lines
        """Counts the live runs of each line and stores the numbers, unless newer ones are stored."""

    @reads
    async def rules(self, tx: Tx) -> list[QueueRule]:
        return tx.aside.read("queues", await tx.all("queue_rules"), rule_row, "namespace", "queue", whole=True)

    @writes
    async def pause(self, tx: Tx, namespace: str, queue: str, pause: Pause, *, entry: AuditEntry) -> QueueRule:
        said = {"since": pause.since, "by": pause.by, "reason": pause.reason, "until": pause.until}
        [row] = await audited(tx, entry, "pause_queue", namespace=namespace, queue=queue, **said)
        return rule_row(row)

    @writes
    async def resume(self, tx: Tx, namespace: str, queue: str, *, entry: AuditEntry) -> bool:
        return bool(await audited(tx, entry, "resume_queue", namespace=namespace, queue=queue))

    @writes
    async def end_pause(self, tx: Tx, namespace: str, queue: str, *, now: datetime, entry: AuditEntry) -> bool:
        return bool(await audited(tx, entry, "end_pause", namespace=namespace, queue=queue, now=now))

    @writes
    async def set_budget(
        self, tx: Tx, namespace: str, queue: str, max_queued: int | None, *, entry: AuditEntry
    ) -> QueueRule:
        [row] = await audited(tx, entry, "set_budget", namespace=namespace, queue=queue, max_queued=max_queued)
        return rule_row(row)

    @writes
    async def set_policy(
        self, tx: Tx, namespace: str, queue: str, revise: RevisePolicy, *, entry: AuditEntry
    ) -> QueueRule:
        place = {"namespace": namespace, "queue": queue}
        found = await tx.all("lock_queue_policy", **place)
        policy = revise(read_queue_policy(found[0]["policy"] if found else None))
        [row] = await audited(tx, entry, "set_queue_policy", **place, policy=write_policy(policy))
        return rule_row(row)

    async def survey(self, *, now: datetime, since: datetime) -> Survey | None:
        if not await self._begin_survey(now, since):
            return None
        await self._count_lines(now)
        return await self.depths()

    @writes_once
    async def _begin_survey(self, tx: Tx, now: datetime, since: datetime) -> int:
        return await tx.run("begin_survey", now=now, since=since)

    @reads
    async def depths(self, tx: Tx) -> Survey:
        rows = await tx.all("depths")
        depths = {row["line"]: depth_row(row) for row in rows if row["line"] is not None}
        return Survey(taken_at=rows[0]["taken_at"], depths=depths)


async def audited(tx: Tx, entry: AuditEntry, statement: str, **parameters: object) -> Sequence[Row]:
    """Run a statement that returns the rows it changed, and audit it if there are any."""
    rows = await tx.all(statement, **parameters)
    if rows:
        await write_audit(tx, entry)
    return rows


def rule_row(row: Row) -> QueueRule:
    pause = None
    if row["paused_at"] is not None:
        until = row["paused_until"]
        pause = Pause(reason=row["pause_reason"], by=row["paused_by"], since=row["paused_at"], until=until)
    return QueueRule(
        namespace=row["namespace"],
        queue=row["queue"],
        pause=pause,
        max_queued=row["max_queued"],
        policy=read_queue_policy(row["policy"]),
    )


def depth_row(row: Row) -> Depth:
    return struct_of(Depth, row)
