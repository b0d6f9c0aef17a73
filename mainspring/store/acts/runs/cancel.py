"""Cancels runs, and fails those whose deadline has come."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.metadata import STEP
from mainspring.domain.runs.attempt import CANCELLING
from mainspring.domain.runs.cancel import Cancelled, CancelRequest, Operator
from mainspring.domain.runs.dead_letter import Cause, cause_of
from mainspring.domain.runs.retry import by_deadline
from mainspring.domain.runs.run import RunState, WaitReason
from mainspring.domain.workflows.flow import FlowRequest
from mainspring.store.acts.audit import write_audits
from mainspring.store.acts.runs.locks import lock_live
from mainspring.store.tx import Acts, Row, Tx, reads, writes_history

UNDER_WAY = (WaitReason.STEPS, WaitReason.STOPPING)
"""Why a workflow run that has begun waits."""
LOOKS = 3
"""A run may move between the live ones and history while it is looked for."""


class CancelActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes_history
    async def cancel(
        self, tx: Tx, namespace: str, runs: Sequence[RunId], *, reason: str, actor: Actor, now: datetime
    ) -> dict[RunId, Cancelled]:
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        found, _ = await cancel_runs(tx, runs, by)
        return found

    @reads
    async def stop_requests(self, tx: Tx, sessions: Sequence[SessionId], *, reason: str) -> list[CancelRequest]:
        statement = "cancel_requests" if reason == CANCELLING else "suspend_requests"
        return [request_of(row) for row in await tx.all(statement, ids=sessions)]

    @writes_history
    async def expire(self, tx: Tx, *, now: datetime, limit: int) -> list[RunId]:
        late = await tx.all("late", now=now, limit=limit)
        workflows = [row["id"] for row in late if row["reason"] == WaitReason.STEPS]
        if workflows:
            await tx.batch("stop_workflow", [{"run": run} for run in workflows])
            await note_requests(tx, workflows, FlowRequest.DEADLINE)
        alone = [row for row in late if row["reason"] != WaitReason.STEPS]
        for reason, runs in by_deadline((row["id"], row["deadline_at"], row["extra"]) for row in alone).items():
            await finish_idle(tx, runs, RunState.FAILED, reason, now)
            await record_dead_letters(tx, dict.fromkeys(runs, cause_of(reason, None)), now)
        return [row["id"] for row in late]

    @reads
    async def next_deadline(self, tx: Tx) -> datetime | None:
        row = await tx.one("next_deadline")
        return None if row is None else row["deadline_at"]


async def cancel_runs(tx: Tx, runs: Sequence[RunId], by: Operator) -> tuple[dict[RunId, Cancelled], list[RunId]]:
    """The fate of each run that exists, and those that were changed."""
    rows, ended = await find_runs(tx, by.namespace, runs)
    idle = [row["id"] for row in rows if row["state"] < RunState.RUNNING and row["reason"] not in UNDER_WAY]
    workflows = [row["id"] for row in rows if row["reason"] in UNDER_WAY]
    running = [row["id"] for row in rows if row["state"] == RunState.RUNNING and row["reason"] != CANCELLING]
    if idle:
        await finish_idle(tx, idle, RunState.CANCELLED, by.reason or None, by.now)
    if running:
        await tx.run("mark_cancelling", ids=running, reason=by.reason)
    if workflows:
        # It ends once its steps have: they are stopped by the server that takes the note up.
        await note_requests(tx, workflows, FlowRequest.CANCEL)
    changed = [*idle, *running, *workflows]
    await write_audits(tx, [by.entry("run.cancel", run) for run in changed])
    return ended | {row["id"]: cancelled(row) for row in rows}, changed


async def find_runs(tx: Tx, namespace: str, runs: Sequence[RunId]) -> tuple[list[Row], dict[RunId, Cancelled]]:
    """The live ones, locked, and the final states of the others."""
    live: list[Row] = []
    ended: dict[RunId, Cancelled] = {}
    missing = sorted(set(runs))
    for _ in range(LOOKS):
        if not missing:
            break
        live += await lock_live(tx, namespace, missing)
        past = await tx.past("past_of", missing, namespace=namespace)
        ended |= {row["id"]: Cancelled(RunState(row["state"])) for row in past}
        found = {row["id"] for row in live} | ended.keys()
        missing = [run for run in missing if run not in found]
    locked = {row["id"] for row in live}
    return live, {run: one for run, one in ended.items() if run not in locked}


async def finish_idle(tx: Tx, runs: Sequence[RunId], state: RunState, reason: str | None, now: datetime) -> None:
    await tx.run("finish_idle", ids=runs, state=int(state), reason=reason, now=now, day=now, of_step=STEP)


async def record_dead_letters(tx: Tx, causes: Mapping[RunId, Cause], now: datetime) -> None:
    """Add runs that have just failed to the dead letters, in the transaction that has moved them to history."""
    if not causes:
        return
    rows = [
        {"run": row["id"], "fingerprint": cause.fingerprint(row["job"]), "error": cause.error, "message": cause.message}
        for row in await tx.all("died", ids=list(causes), now=now, day=now)
        if (cause := causes[row["id"]])
    ]
    if rows:
        await tx.run("add_dead", rows=rows, now=now, day=now)


async def note_requests(tx: Tx, workflows: Sequence[RunId], request: int) -> None:
    """Note a request to workflow runs that are under way; nothing of theirs is locked for it."""
    await tx.batch("note_request", [{"workflow": run, "state": int(request)} for run in workflows])


def cancelled(row: Row) -> Cancelled:
    if row["reason"] in UNDER_WAY:
        return Cancelled(RunState.RUNNING)
    if row["state"] < RunState.RUNNING:
        return Cancelled(RunState.CANCELLED)
    return Cancelled(RunState.RUNNING, request_of(row))


def request_of(row: Row) -> CancelRequest:
    return CancelRequest(row["id"], row["token"], row["session"])
