"""Runs a finished or waiting run again."""

from datetime import datetime

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.metadata import is_step
from mainspring.domain.runs.cancel import Operator, Retried, may_retry, may_take_up, retry_details
from mainspring.domain.runs.checkpoints import starts_over
from mainspring.domain.runs.run import RunState
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.runs.locks import lock_live
from mainspring.store.tx import Acts, Tx, writes


class RetryActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes
    async def retry(
        self,
        tx: Tx,
        namespace: str,
        run: RunId,
        *,
        force: bool,
        reason: str,
        actor: Actor,
        now: datetime,
        input: bytes | None = None,  # noqa: A002 the word of the API
    ) -> Retried | None:
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        return await retry_run(tx, run, by, force=force, edited=input)


async def retry_run(
    tx: Tx, run: RunId, by: Operator, *, force: bool, edited: bytes | None = None, by_workflow: bool = False
) -> Retried | None:
    """Run it again; a step that has ended only if its workflow run asks for it, since its end is noted there."""
    for past in await tx.past("lock_past", [run], namespace=by.namespace):
        state = RunState(past["state"])
        if not may_retry(state, force=force):
            return Retried(state)
        if is_step(past["extra"]) and not by_workflow:
            return Retried(state, step=True)
        if past["forgotten"] and edited is None:
            return Retried(state, forgotten=True)
        return await start_again(tx, run, by, state, place=past["place"], force=force, edited=edited)
    for live in await lock_live(tx, by.namespace, [run]):
        state = RunState(live["state"])
        if not may_take_up(state, live["reason"]):
            return Retried(state)
        return await start_again(tx, run, by, state, place=None, force=False, edited=edited)
    return None


async def start_again(
    tx: Tx, run: RunId, by: Operator, state: RunState, *, place: object, force: bool, edited: bytes | None
) -> Retried:
    """Put a run back into its line: from its place in history, or one that waits (`place` is None)."""
    if edited is not None:
        # The old payload may still be noted for deletion, and the new one has the same name.
        await tx.run("take_off_note", run=run)
        await tx.run("forget_payload", run=run)
    statement = "take_up" if place is None else "retry"
    row = await tx.one(statement, id=run, place=place, now=by.now, input=edited, day=place)
    if state is RunState.FAILED:
        await tx.run("revive", ids=[run])
    if starts_over(state, edited=edited is not None):
        await tx.run("forget_work", run=run)
    details = retry_details(state, force=force, edited=edited is not None)
    await write_audit(tx, by.entry("run.retry", run, **details))
    return Retried(state, None if row is None else row["line"])
