"""Triggers as rows of PostgreSQL, and back."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.triggers.spec import TriggerSpec, read_spec, write_spec
from mainspring.domain.triggers.trigger import RecordedPause, Trigger, TriggerState
from mainspring.store.interface.triggers import CALLED_KINDS, TriggerFilter
from mainspring.store.postgres.codecs import read_instant
from mainspring.store.postgres.connection import storable
from mainspring.store.postgres.cooperative import in_slices
from mainspring.store.sql import Queries

SAME = b""
"""Stands for a spec that was applied and is the one in force."""


def trigger_row(row: asyncpg.Record) -> Trigger:
    spec = read_spec(row["spec"])
    return Trigger(
        id=row["id"],
        namespace=row["namespace"],
        spec=spec,
        revision=row["revision"],
        next_due=row["next_due"],
        act_at=row["act_at"],
        pending=tuple(map(RunId, row["pending"] or ())),
        held=tuple(map(moment, row["held"] or ())),
        asked=tuple(map(moment, row["asked"] or ())),
        fired=row["fired"],
        failures=row["failures"],
        last_fire_at=row["last_fire_at"],
        paused=pause_row(row),
        owner=row["owner"],
        applied=applied_row(row["applied"], spec),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        ruled_at=row["ruled_at"],
    )


async def read_triggers(sql: Queries, rows: Sequence[asyncpg.Record]) -> list[Trigger]:
    """Those that can be read."""
    # In slices also where one cannot: it then costs a second look at its own slice, and nobody waits for all the others.
    return await in_slices(rows, lambda some: sql.aside.read("triggers", some, trigger_row, "id"))


def moment(raw: bytes) -> datetime:
    instant = read_instant(raw)
    assert instant is not None, "no element of that array is null"
    return instant


def pause_row(row: asyncpg.Record) -> RecordedPause | None:
    if row["paused_at"] is None:
        return None
    return RecordedPause(row["paused_reason"], row["paused_by"], row["paused_at"])


def applied_row(raw: bytes | None, spec: TriggerSpec) -> TriggerSpec | None:
    if raw is None:
        return None
    return spec if raw == SAME else read_spec(raw)


def definition_columns(triggers: Sequence[Trigger]) -> tuple[list[object], ...]:
    """The definitions, column by column."""
    return (
        [trigger.spec.job for trigger in triggers],
        [trigger.spec.when.__struct_config__.tag for trigger in triggers],
        [trigger.spec.calendar for trigger in triggers],
        [trigger.spec.group for trigger in triggers],
        [trigger.owner for trigger in triggers],
        [write_spec(trigger.spec) for trigger in triggers],
        [applied_column(trigger) for trigger in triggers],
        [trigger.revision for trigger in triggers],
    )


def applied_column(trigger: Trigger) -> bytes | None:
    if trigger.applied is None:
        return None
    return write_spec(trigger.applied) if trigger.drifted else SAME


def progress_columns(triggers: Sequence[Trigger]) -> tuple[list[object], ...]:
    """How far they are, column by column. Arrays of arrays need equal lengths, so an array travels as text."""
    pauses = [trigger.paused for trigger in triggers]
    return (
        [trigger.next_due for trigger in triggers],
        [trigger.act_at for trigger in triggers],
        [array_text(map(id_text, trigger.pending)) if trigger.pending else None for trigger in triggers],
        [array_text(map(datetime.isoformat, trigger.held)) if trigger.held else None for trigger in triggers],
        [trigger.fired for trigger in triggers],
        [trigger.failures for trigger in triggers],
        [trigger.last_fire_at for trigger in triggers],
        [pause and pause.at for pause in pauses],
        [pause and storable(pause.by) for pause in pauses],
        [pause and storable(pause.reason) for pause in pauses],
        [array_text(map(datetime.isoformat, trigger.asked)) if trigger.asked else None for trigger in triggers],
    )


def array_text(elements: "map[str]") -> str:
    return "{" + ",".join(elements) + "}"


def only_advanced(new: Trigger, old: Trigger) -> bool:
    """Whether nothing has changed but how far it is: then the shorter statement does."""
    return (
        new.spec is old.spec
        and new.revision == old.revision
        and new.failures == old.failures
        and new.paused == old.paused
        and new.pending == old.pending
        and new.held == old.held
        and new.asked == old.asked
        and new.owner == old.owner
        and new.applied is old.applied
        and new.updated_at == old.updated_at
    )


def list_statement(statement: str, query: TriggerFilter) -> tuple[str, list[object]]:
    """Only the conditions asked for are in the statement: then the planner sees which index brings the triggers in order."""
    values: list[object] = [query.namespace, query.after]
    conditions = ["true"]

    def add(condition: str, value: object) -> None:
        values.append(value)
        conditions.append(condition.format(f"${len(values) + 1}"))

    if query.until is not None:
        add("t.name <= {}", query.until)
    if query.prefix:
        add("t.name >= {}", query.prefix)
        add("t.name < {}", query.prefix + NAME_LAST)
    for column in EQUALS:
        wanted = getattr(query, "group" if column == "cohort" else column)
        if wanted is not None:
            add(f"t.{column} = {{}}", wanted)
        if wanted and column in FEW:
            conditions.append(f"t.{column} <> ''")
    if query.kind in CALLED_KINDS:
        conditions.append(CALLED)
    if query.state is not None:
        conditions.append(STATES[query.state])
    return statement.format(conditions=" AND ".join(conditions)), values


NAME_LAST = "\U0010ffff"
EQUALS = ("job", "kind", "owner", "calendar", "cohort")
FEW = ("owner", "calendar", "cohort")
"""What only those are indexed by that have it: the planner has to be told that it is not empty."""
CALLED = "t.kind IN ('webhook', 'event')"
ALIVE = f"(t.next_due IS NOT NULL OR t.pending IS NOT NULL OR t.held IS NOT NULL OR {CALLED})"
STATES = {
    TriggerState.ACTIVE: f"t.paused_at IS NULL AND {ALIVE}",
    TriggerState.PAUSED: "t.paused_at IS NOT NULL",
    TriggerState.ENDED: f"t.paused_at IS NULL AND NOT {ALIVE}",
}
