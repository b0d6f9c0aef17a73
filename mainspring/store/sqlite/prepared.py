"""Taking back what was prepared for triggers, on SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.triggers.prepared import by_trigger, has_prepared, turned_back
from mainspring.domain.triggers.trigger import Trigger
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import array, batch, cut_ids
from mainspring.store.sqlite.rows import instant, instant_or_none, micros

_pairs = msgspec.json.Decoder(list[tuple[int, int | None]]).decode


def withdraw(
    c: sqlite3.Connection, sql: Queries, triggers: Sequence[Trigger], now: datetime, *, since: datetime | None = None
) -> dict[int, Trigger]:
    """Delete runs of these triggers that nobody has begun and whose instants lie ahead of now, or behind `since` if they were
    made ahead; the triggers that had some, by id, without them."""
    begin = now if since is None else since
    ahead = {trigger.id: trigger for trigger in triggers if has_prepared(trigger, begin)}
    if not ahead:
        return {}
    wanted = {"rows": array(list(ahead)), "since": micros(begin), "now": micros(now)}
    found, digits = c.execute(sql.prepared, wanted).fetchone()
    runs = cut_ids(digits)
    c.execute(sql.withdraw_marks, batch(runs))
    c.execute(sql.withdraw_runs, batch(runs))
    c.execute(sql.withdraw_fires, {"rows": found})
    instants = by_trigger((trigger, instant(at)) for trigger, at in _pairs(found) if at is not None)
    left = dict(_pairs(c.execute(sql.last_fires, {"rows": array(list(instants))}).fetchone()[0]))
    return {
        trigger: turned_back(ahead[trigger], several, runs=set(runs), last=instant_or_none(left[trigger]), now=now)
        for trigger, several in instants.items()
    }
