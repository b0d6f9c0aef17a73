"""Applies a sweep to a piece of its runs."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.bulk.operation import FLOW_REQUESTS, SteppedSweep, Sweep, SweepAct
from mainspring.domain.ids import RunId
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.dead_letter import Discarded
from mainspring.domain.workflows.flow import FlowRequest
from mainspring.domain.workflows.move import UNPAUSE
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.bulk.dead_letters import discard, lock_dead
from mainspring.store.acts.runs.cancel import cancel_runs
from mainspring.store.acts.runs.retry import retry_run
from mainspring.store.tx import Tx


async def apply(tx: Tx, sweep: Sweep, runs: Sequence[RunId], now: datetime) -> SteppedSweep:
    """Cancel, discard, retry, pause or unpause those of the runs that the sweep is still about."""
    if not runs:
        return SteppedSweep(sweep)
    by = Operator(namespace=sweep.namespace, actor=sweep.actor, reason=sweep.reason, now=now)
    if sweep.act is SweepAct.CANCEL:
        found, changed = await cancel_runs(tx, runs, by)
        return SteppedSweep(sweep, changed, (), [one.wish for run in changed if (one := found[run]).wish is not None])
    if sweep.act in FLOW_REQUESTS:
        return SteppedSweep(sweep, await request_flows(tx, sweep, runs, by))
    if sweep.act is SweepAct.DISCARD:
        said = Discarded(sweep.reason, sweep.actor, now)
        return SteppedSweep(sweep, await discard(tx, sweep.namespace, runs, said, before=sweep.created_at))
    again: dict[RunId, int] = {}
    steps = 0
    # A run's row in history is locked before its dead letter, the order in which a single retry takes them.
    await tx.past("lock_past", runs, namespace=by.namespace)
    for run in await lock_dead(tx, sweep.namespace, runs, before=sweep.created_at):
        retried = await retry_run(tx, run, by, force=False)
        if retried is not None and retried.line is not None:
            again[run] = retried.line
        steps += retried is not None and retried.step
    return SteppedSweep(sweep, list(again), sorted(set(again.values())), steps=steps)


async def request_flows(tx: Tx, sweep: Sweep, runs: Sequence[RunId], by: Operator) -> list[RunId]:
    """Note a pause, or its end, for those of the runs that are under way."""
    state = int(FlowRequest.PAUSE if sweep.act is SweepAct.PAUSE else UNPAUSE)
    noted: list[RunId] = []
    for run in runs:
        if await tx.run("note_request", workflow=run, state=state):
            await write_audit(tx, by.entry(f"workflow.{sweep.act}", run))
            noted.append(run)
    return noted
