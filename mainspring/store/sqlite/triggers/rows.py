"""Triggers as rows of SQLite, and back."""

import sqlite3
from collections.abc import Sequence
from typing import cast

import msgspec

from mainspring.domain.triggers.spec import TriggerSpec, read_spec, write_spec
from mainspring.domain.triggers.trigger import RecordedPause, Trigger, TriggerState
from mainspring.store.interface.triggers import CALLED_KINDS, TriggerFilter
from mainspring.store.sql import Queries
from mainspring.store.sqlite.rows import (
    array,
    cut_ids,
    instant,
    instant_or_none,
    micros,
    micros_or_none,
    printable,
    starts,
)

SAME = ""
"""Stands for a spec that was applied and is the one in force."""
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


class TriggerRow(msgspec.Struct, array_like=True):
    """A trigger as it travels: all rows of a statement come as one value."""

    id: int
    namespace: str
    spec: str
    revision: int
    next_due: int | None
    act_at: int | None
    pending: str
    held: list[int] | None
    fired: int
    failures: int
    last_fire_at: int | None
    paused_at: int | None
    paused_by: str | None
    paused_reason: str | None
    owner: str
    applied: str | None
    created_at: int
    updated_at: int
    touched: int
    asked: list[int] | None
    ruled_at: int | None


class Key(msgspec.Struct, array_like=True):
    """As much of a row as is always there."""

    id: int
    raw: msgspec.Raw


Found = TriggerRow | Key

_decode = msgspec.json.Decoder(list[TriggerRow]).decode
_decode_one = msgspec.json.Decoder(TriggerRow).decode
_decode_raw = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_start = msgspec.json.Decoder(list[object]).decode


def fetch(c: sqlite3.Connection, sql: Queries, query: str, parameters: dict[str, object]) -> Sequence[Found]:
    """The triggers that a statement names; of those that are no such rows, the key."""
    text = c.execute(query.replace("{row}", sql.trigger_row), parameters).fetchone()[0]
    try:
        return _decode(text)
    except msgspec.DecodeError:
        return [row_or_key(bytes(raw)) for raw in _decode_raw(text)]


def row_or_key(raw: bytes) -> Found:
    try:
        return _decode_one(raw)
    except msgspec.DecodeError:
        [number, *_] = _decode_start(raw)
        return Key(cast("int", number), msgspec.Raw(raw))


def read_triggers(sql: Queries, rows: Sequence[Found]) -> list[Trigger]:
    """Those that can be read."""
    return sql.aside.read("triggers", rows, trigger_row, "id")


def trigger_row(found: Found) -> Trigger:
    row = found if isinstance(found, TriggerRow) else _decode_one(found.raw)
    spec = read_spec(row.spec.encode())
    return Trigger(
        id=row.id,
        namespace=row.namespace,
        spec=spec,
        revision=row.revision,
        next_due=instant_or_none(row.next_due),
        act_at=instant_or_none(row.act_at),
        pending=tuple(cut_ids(row.pending)),
        held=tuple(map(instant, row.held or ())),
        asked=tuple(map(instant, row.asked or ())),
        fired=row.fired,
        failures=row.failures,
        last_fire_at=instant_or_none(row.last_fire_at),
        paused=pause_row(row),
        owner=row.owner,
        applied=applied_row(row.applied, spec),
        created_at=instant(row.created_at),
        updated_at=instant(row.updated_at),
        ruled_at=instant_or_none(row.ruled_at),
    )


def pause_row(row: TriggerRow) -> RecordedPause | None:
    if row.paused_at is None:
        return None
    return RecordedPause(row.paused_reason or "", row.paused_by or "", instant(row.paused_at))


def applied_row(raw: str | None, spec: TriggerSpec) -> TriggerSpec | None:
    if raw is None:
        return None
    return spec if raw == SAME else read_spec(raw.encode())


def write_rows(triggers: Sequence[Trigger]) -> dict[str, object]:
    """Parameters of a statement that writes all of these."""
    pending = [b"".join(trigger.pending) for trigger in triggers]
    rows = [
        (*definition(trigger), start, len(runs), *progress(trigger))
        for trigger, start, runs in zip(triggers, starts(pending), pending, strict=False)
    ]
    return {"rows": array(rows), "pending": b"".join(pending)}


def definition(trigger: Trigger) -> tuple[object, ...]:
    spec = trigger.spec
    return (
        trigger.id,
        spec.name,
        spec.job,
        spec.when.__struct_config__.tag,
        spec.calendar,
        spec.group,
        trigger.owner,
        write_spec(spec).decode(),
        applied_column(trigger),
        trigger.revision,
        micros_or_none(trigger.next_due),
        micros_or_none(trigger.act_at),
    )


def progress(trigger: Trigger) -> tuple[object, ...]:
    pause = trigger.paused
    return (
        array(list(map(micros, trigger.held))) if trigger.held else None,
        trigger.fired,
        trigger.failures,
        micros_or_none(trigger.last_fire_at),
        pause and micros(pause.at),
        pause and printable(pause.by),
        pause and printable(pause.reason),
        micros(trigger.created_at),
        micros(trigger.updated_at),
        array(list(map(micros, trigger.asked))) if trigger.asked else None,
        micros_or_none(trigger.ruled_at),
    )


def applied_column(trigger: Trigger) -> str | None:
    if trigger.applied is None:
        return None
    return write_spec(trigger.applied).decode() if trigger.drifted else SAME


def list_statement(statement: str, query: TriggerFilter) -> tuple[str, dict[str, object]]:
    """Only the conditions asked for are in the statement: then the planner sees which index brings the triggers in order."""
    wanted = {name: getattr(query, "group" if name == "cohort" else name) for name in EQUALS}
    values: dict[str, object] = {name: value for name, value in wanted.items() if value is not None}
    # One bound below: given two, SQLite begins at the first, however far the other one is.
    conditions = ["t.name > :after" if query.after >= query.prefix else "t.name >= :prefix"]
    conditions += [f"t.{name} = :{name}" for name in values]
    conditions += [f"t.{name} <> ''" for name in FEW if values.get(name)]
    if query.kind in CALLED_KINDS:
        conditions.append(CALLED)
    if query.prefix:
        values |= {"prefix": query.prefix, "prefix_last": query.prefix + NAME_LAST}
        conditions.append("t.name < :prefix_last")
    if query.until is not None:
        values["until"] = query.until
        conditions.append("t.name <= :until")
    if query.state is not None:
        conditions.append(STATES[query.state])
    values |= {"namespace": query.namespace, "after": query.after, "limit": query.limit}
    return statement.replace("{conditions}", " AND ".join(conditions)), values
