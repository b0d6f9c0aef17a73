"""Whether rows can be read, one by one: what duties would set aside is told with its key and its reason."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from mainspring.domain.cluster.session import SessionLoad
from mainspring.domain.metadata import check_metadata
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.fire_times.misfires import SkipReason
from mainspring.domain.triggers.spec import is_timed
from mainspring.domain.triggers.trigger import Trigger
from mainspring.store.acts import access, backfills, calendars, cluster, job_versions, sweeps, webhooks
from mainspring.store.aside import SetAside, named, reason_of

Read = Callable[[Any], object]
"""Raises whatever it likes for a row that cannot be read."""


def faults(table: str, rows: Iterable[Any], read: Read, key: tuple[str, ...]) -> Iterator[str]:
    for row in rows:
        try:
            read(row)
        except Exception as error:  # noqa: BLE001 each row by itself is the point
            yield str(SetAside(table, named(row, key), reason_of(error)))


def read_run(row: Any) -> None:
    RunState(row["state"])
    check_metadata(row["extra"])


def read_attempt(row: Any) -> None:
    Outcome(row["outcome"])


def read_memory(row: Any) -> None:
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


PLAIN: dict[str, tuple[Read, tuple[str, ...]]] = {
    "runs": (read_run, ("id",)),
    "history": (read_run, ("id",)),
    "attempts": (read_attempt, ("run", "number")),
    "memories": (read_memory, ("run", "name")),
    "audit": (read_entry, ("position",)),
    "skips": (read_skip, ("trigger", "first_at")),
}
"""Tables that are read alike on every database."""

ACTS: dict[str, tuple[Read, tuple[str, ...]]] = {
    "calendar_versions": (calendars.version_row, calendars.KEY),
    "backfills": (backfills.backfill_row, ("id",)),
    "jobs": (job_versions.job_row, ("id",)),
    "job_versions": (job_versions.version_row, ("job", "version")),
    "hooks": (webhooks.hook_row, ("trigger",)),
    "sessions": (read_session, ("id",)),
    "sweeps": (sweeps.sweep_row, ("id",)),
    "tokens": (access.token_row, ("id",)),
}
"""Tables that are read by acts, with instants as `datetime`."""
