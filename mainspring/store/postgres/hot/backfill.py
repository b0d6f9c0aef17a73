"""Makes the runs of a backfill."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.bulk.backfill import Backfill
from mainspring.domain.runs.run import NewRun
from mainspring.store.postgres.tx import PostgresTx


async def make_runs(
    tx: PostgresTx, backfill: Backfill, instants: Sequence[datetime], runs: Sequence[NewRun], now: datetime
) -> list[NewRun]:
    """Make the runs of these instants, and enter them; return those that were made."""
    rows = await tx.all(
        "make_backfilled",
        backfill=backfill.id,
        trigger=backfill.trigger,
        rerun=backfill.rerun,
        instants=list(instants),
        ids=[run.id for run in runs],
        jobs=[run.job for run in runs],
        lines=[run.line for run in runs],
        priorities=[run.priority for run in runs],
        due=[run.due_at for run in runs],
        deadlines=[run.deadline_at for run in runs],
        extras=[run.extra for run in runs],
        inputs=[run.input for run in runs],
        now=now,
    )
    ids = {row["run"] for row in rows}
    made = [run for run in runs if run.id in ids]
    marked = [{"namespace": backfill.namespace, "mark": mark, "run": run.id} for run in made for mark in run.marks]
    if marked:
        await tx.run("mark_fires", rows=marked)
    return made
