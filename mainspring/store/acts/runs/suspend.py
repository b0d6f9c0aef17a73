"""Suspends runs, and resumes them by hand or when their instant comes."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.run import RunState, Suspension, WaitReason
from mainspring.domain.runs.suspension import SUSPENDING, Resumed, Suspended, may_suspend
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.runs.cancel import request_of
from mainspring.store.acts.runs.locks import LOOKS, lock_live
from mainspring.store.tx import Acts, Row, Tx, reads, writes


class SuspendActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes
    async def suspend(
        self, tx: Tx, namespace: str, run: RunId, suspension: Suspension, *, actor: Actor, now: datetime
    ) -> Suspended | None:
        by = Operator(namespace=namespace, actor=actor, reason=suspension.reason, now=now)
        row = await lock_or_ended(tx, namespace, run)
        if isinstance(row, Suspended) or row is None:
            return row
        state, found = RunState(row["state"]), row["reason"]
        if not may_suspend(state, found):
            return Suspended(state, found)
        running = state is RunState.RUNNING
        await tx.run("mark_suspending" if running else "suspend_idle", id=run)
        await note_suspensions(tx, {run: suspension})
        await write_audit(tx, by.entry("run.suspend", run, resume_at=suspension.resume_at))
        return Suspended(state, found, changed=True, wish=request_of(row) if running else None)

    @writes
    async def resume(
        self, tx: Tx, namespace: str, run: RunId, *, reason: str, actor: Actor, now: datetime
    ) -> Suspended | None:
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        row = await lock_or_ended(tx, namespace, run)
        if isinstance(row, Suspended) or row is None:
            return row
        state, found = RunState(row["state"]), row["reason"]
        if found not in (WaitReason.SUSPENDED, SUSPENDING):
            return Suspended(state, found)
        resumed = await resume_runs(tx, [run])
        await write_audit(tx, by.entry("run.resume", run))
        return Suspended(state, found, changed=True, line=resumed[run].line)

    @writes
    async def resume_due(self, tx: Tx, *, until: datetime, limit: int) -> dict[RunId, Resumed]:
        due = [row["id"] for row in await tx.all("lock_resuming", now=until, limit=limit)]
        await tx.run("forget_past_suspensions", now=until)
        return await resume_runs(tx, due, until) if due else {}

    @reads
    async def next_resume(self, tx: Tx) -> datetime | None:
        row = await tx.one("next_resume")
        return None if row is None else row["resume_at"]

    @reads
    async def suspensions(self, tx: Tx, runs: Sequence[RunId]) -> dict[RunId, Suspension]:
        rows = await tx.all("suspensions_of", ids=runs)
        return {row["run"]: Suspension(row["reason"], row["resume_at"]) for row in rows}


async def lock_or_ended(tx: Tx, namespace: str, run: RunId) -> Row | Suspended | None:
    """The row of a live run, locked, or the final state of one that has ended."""
    # It may move from one to the other between two statements.
    for _ in range(LOOKS):
        for row in await lock_live(tx, namespace, [run]):
            return row
        for row in await tx.past("past_of", [run], namespace=namespace):
            return Suspended(RunState(row["state"]))
    return None


async def resume_runs(tx: Tx, runs: Sequence[RunId], until: datetime | None = None) -> dict[RunId, Resumed]:
    """Put locked runs back into their lines, due at the instants of their suspensions as far as these come by then."""
    rows = await tx.all("resume", ids=runs, until=until)
    return {row["id"]: Resumed(row["line"], row["due_at"]) for row in rows}


async def note_suspensions(tx: Tx, suspensions: Mapping[RunId, Suspension]) -> None:
    if suspensions:
        rows = [{"run": run, "reason": one.reason, "resume_at": one.resume_at} for run, one in suspensions.items()]
        await tx.run("note_suspensions", rows=rows)
