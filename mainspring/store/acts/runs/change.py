"""Changes the priority, due time or queue of runs that have not started."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.change import RunChange, may_change
from mainspring.domain.runs.run import RunState
from mainspring.store.acts.audit import write_audits
from mainspring.store.acts.limits.arrivals import micros
from mainspring.store.acts.runs.locks import lock_live
from mainspring.store.tx import Acts, Tx, reads, writes


class ChangeActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads
    async def lines_of(self, tx: Tx, runs: Sequence[RunId]) -> dict[RunId, int]:
        return {row["id"]: row["line"] for row in await tx.all("lines_of_runs", ids=sorted(set(runs)))}

    @writes
    async def change(
        self,
        tx: Tx,
        namespace: str,
        runs: Sequence[RunId],
        change: RunChange,
        lines: Mapping[int, int],
        *,
        reason: str,
        actor: Actor,
        now: datetime,
    ) -> dict[RunId, int]:
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        locked = await lock_live(tx, namespace, sorted(set(runs)))
        idle = [RunId(row["id"]) for row in locked if may_change(RunState(row["state"]), row["reason"])]
        places = {row["id"]: row["line"] for row in await tx.all("lines_of_runs", ids=idle)} if idle else {}
        to = {run: lines.get(line, line) for run, line in places.items() if change.queue is None or line in lines}
        # Priority alone is changed within a lane, which has a turn at that priority then; whatever else is changed takes a run
        # out of it, to be put into its lane anew.
        stays = change.due_at is None and change.queue is None
        fields = {"priority": change.priority, "due_at": change.due_at, "stays": stays}
        await tx.batch("change_run", [{"run": run, "line": line, **fields} for run, line in to.items()])
        if change.priority is not None and stays and to:
            turns = await tx.all("turns_of_runs", ids=sorted(to), turn=micros(now))
            await tx.run("add_turns", rows=[dict(row) for row in turns])
        details = {"priority": change.priority, "due_at": change.due_at, "queue": change.queue}
        await write_audits(tx, [by.entry("run.change", run, **details) for run in to])
        return to
