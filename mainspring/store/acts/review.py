"""Reads rows one by one, and names those that duties would set aside, with key and reason."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from mainspring.domain.cluster.invariants import EXAMPLES
from mainspring.domain.cluster.session import SessionLoad
from mainspring.domain.metadata import check_metadata
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.fire_times.misfires import SkipReason
from mainspring.domain.triggers.spec import is_timed
from mainspring.domain.triggers.trigger import Trigger
from mainspring.store.acts import access, calendars, cluster, job_versions, rollups, webhooks
from mainspring.store.acts.alerts.rows import DEFINITION_KEY, alert_row, definition_row, notice_row
from mainspring.store.acts.breakers.rows import breaker_row, change_row
from mainspring.store.acts.bulk.operations import BACKFILL, SWEEP
from mainspring.store.acts.users.rows import sign_in_row, user_row
from mainspring.store.aside import AsideRow, named, reason_of
from mainspring.store.paging import ID_FIRST
from mainspring.store.tx import Tx

Read = Callable[[Any], object]
"""Raises whatever it likes for a row that cannot be read."""


def faults(table: str, rows: Iterable[Any], read: Read, key: tuple[str, ...]) -> Iterator[str]:
    for row in rows:
        try:
            read(row)
        except Exception as error:  # noqa: BLE001 each row by itself is the point
            yield str(AsideRow(table, named(row, key), reason_of(error)))


def read_run(row: Any) -> None:
    RunState(row["state"])
    check_metadata(row["extra"])


def read_attempt(row: Any) -> None:
    Outcome(row["outcome"])


def read_checkpoint(row: Any) -> None:
    MemoryKind(row["kind"])
    if row["value"] is not None:
        msgspec.json.decode(row["value"])


def read_entry(row: Any) -> None:
    msgspec.json.decode(row["details"])


def read_skip(row: Any) -> None:
    SkipReason(row["reason"])


def read_session(row: Any) -> None:
    cluster.session_row(row)
    if row["load"] is not None:
        msgspec.json.decode(row["load"], type=SessionLoad)
    msgspec.json.decode(row["specs"])


def read_rule(trigger: Trigger) -> None:
    """Whether the rule of a trigger names instants."""
    if is_timed(trigger.spec):
        timer_of(trigger.spec, created_at=trigger.created_at)


Readers = Mapping[str, tuple[Read, tuple[str, ...]]]
"""How each table is read, and the columns of its key."""

READERS: Readers = {
    "runs": (read_run, ("id",)),
    "history": (read_run, ("id",)),
    "attempts": (read_attempt, ("run", "number")),
    "memories": (read_checkpoint, ("run", "name")),
    "audit": (read_entry, ("position",)),
    "skips": (read_skip, ("trigger", "first_at")),
    "calendar_versions": (calendars.version_row, calendars.KEY),
    "backfills": (BACKFILL.read, ("id",)),
    "alert_definitions": (definition_row, DEFINITION_KEY),
    "alerts": (alert_row, ("id",)),
    "notices": (notice_row, ("id",)),
    "breakers": (breaker_row, ("id",)),
    "breaker_history": (change_row, ("breaker", "epoch")),
    "jobs": (job_versions.job_row, ("id",)),
    "job_versions": (job_versions.version_row, ("job", "version")),
    "hooks": (webhooks.hook_row, ("trigger",)),
    "rollups": (rollups.rollup_row, rollups.KEY),
    "sessions": (read_session, ("id",)),
    "sweeps": (SWEEP.read, ("id",)),
    "sign_ins": (sign_in_row, ("id",)),
    "tokens": (access.token_row, ("id",)),
    "users": (user_row, ("id",)),
    "triggers": (read_rule, ("id",)),
}
PAST = ("history", "attempts")


async def unreadable(tx: Tx, readers: Readers, look: int) -> list[str]:
    found: list[str] = []
    for table, (read, key) in readers.items():
        statement = f"review_{table}"
        if table == "triggers":
            found += faults(
                table, await tx.triggers(statement, look=look), lambda row: read_rule(tx.read_trigger(row)), key
            )
        elif table in PAST:
            found += faults(table, await tx.past(statement, [ID_FIRST], look=look), read, key)
        else:
            found += faults(table, await tx.all(statement, look=look), read, key)
    return found[:EXAMPLES]
