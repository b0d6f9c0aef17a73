"""Withdraws runs that were prepared for triggers, on SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.triggers.trigger import Trigger, by_trigger, has_prepared, turned_back
from mainspring.store.sql import Queries
from mainspring.store.sqlite.rows import array, batch, cut_ids, instant, instant_or_none, micros

_pairs = msgspec.json.Decoder(list[tuple[int, int | None]]).decode


def withdraw(
    c: sqlite3.Connection, sql: Queries, triggers: Sequence[Trigger], now: datetime, *, since: datetime | None = None
) -> dict[int, Trigger]:
    """Delete runs of these triggers that have not begun and whose instants lie after now, or after `since` if they were
    made ahead; the triggers that had some, by id, without them."""
    begin = now if since is None else since
    ahead = {trigger.id: trigger for trigger in triggers if has_prepared(trigger, begin)}
    if not ahead:
        return {}
    instants, runs = take_back(c, sql, list(ahead), begin, now)
    left = dict(_pairs(c.execute(sql.last_fires, {"rows": array(list(instants))}).fetchone()[0]))
    return {
        trigger: turned_back(ahead[trigger], several, runs=runs, last=instant_or_none(left[trigger]), now=now)
        for trigger, several in instants.items()
    }


def take_back(
    c: sqlite3.Connection, sql: Queries, triggers: Sequence[int], begin: datetime, now: datetime
) -> tuple[dict[int, list[datetime]], set[RunId]]:
    """Delete prepared runs that no executor has begun; return their fire times by trigger, and their ids."""
    wanted = {"rows": array(list(triggers)), "since": micros(begin), "now": micros(now)}
    found, digits = c.execute(sql.prepared, wanted).fetchone()
    runs = cut_ids(digits)
    c.execute(sql.withdraw_marks, batch(runs))
    c.execute(sql.withdraw_runs, batch(runs))
    c.execute(sql.withdraw_fires, {"rows": found})
    return by_trigger((trigger, instant(at)) for trigger, at in _pairs(found) if at is not None), set(runs)
