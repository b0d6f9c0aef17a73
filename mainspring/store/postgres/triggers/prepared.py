"""Withdraws runs that were prepared for triggers, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.triggers.trigger import Trigger, by_trigger, has_prepared, turned_back
from mainspring.store.sql import Queries


async def withdraw(
    connection: "asyncpg.Connection[Any]",
    sql: Queries,
    triggers: Sequence[Trigger],
    now: datetime,
    *,
    since: datetime | None = None,
) -> dict[int, Trigger]:
    """Delete runs of these locked triggers that have not begun and whose instants lie after now, or after `since` if
    they were made ahead; the triggers that had some, by id, without them.

    A claim that is under way is waited for, and wins: its instant stays fired.
    """
    begin = now if since is None else since
    ahead = {trigger.id: trigger for trigger in triggers if has_prepared(trigger, begin)}
    if not ahead:
        return {}
    lasts = [trigger.last_fire_at for trigger in ahead.values()]
    rows = await connection.fetch(sql["withdraw"], list(ahead), lasts, begin, now)
    instants = by_trigger((row["trigger"], row["fire_at"]) for row in rows)
    left = {row["trigger"]: row["last_at"] for row in rows}
    runs = {row["run"] for row in rows}
    return {
        trigger: turned_back(ahead[trigger], several, runs=runs, last=left[trigger], now=now)
        for trigger, several in instants.items()
    }
