"""Makes the runs of a backfill."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.bulk.backfill import Backfill
from mainspring.domain.runs.run import NewRun
from mainspring.store.sqlite.hot.create import add_marks, insert
from mainspring.store.sqlite.rows import array, batch, micros
from mainspring.store.sqlite.tx import SqliteTx

_positions = msgspec.json.Decoder(set[int]).decode


async def make_runs(
    tx: SqliteTx, backfill: Backfill, instants: Sequence[datetime], runs: Sequence[NewRun], now: datetime
) -> list[NewRun]:
    """Make the runs of these instants, and enter them; return those that were made."""
    c, sql = tx.connection, tx.queries
    rows = [(backfill.trigger, micros(at)) for at in instants]
    known = _positions(c.execute(sql.entered, {"rows": array(rows)}).fetchone()[0])
    entries = list(zip(rows, runs, strict=True))
    new = [entry for position, entry in enumerate(entries) if position not in known]
    c.execute(sql.enter, batch([run.id for _, run in new], [row for row, _ in new]))
    made = entries if backfill.rerun else new
    wanted = [run for _, run in made]
    if wanted:
        ids = [run.id for run in wanted]
        c.execute(sql.enter_backfilled, batch(ids, [row for row, _ in made], backfill=backfill.id))
        insert(c, sql, wanted, micros(now))
        add_marks(c, sql, backfill.namespace, wanted)
    return wanted
