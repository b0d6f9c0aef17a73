"""Channel A of triggers: their rows, and the ledger of their instants, as each transaction left them."""

import sqlite3
from collections.abc import Iterator

import msgspec

from mainspring.domain.ids import RunId, id_text
from proof.records import FireChange, SkipChange, TriggerChange

TRIGGER = """
INSERT INTO changes (kind, name, body) VALUES ('{kind}', {row}.name, json_array(
  {row}.id, {row}.spec, {row}.revision, {row}.next_due, hex({row}.pending), json({row}.held), {row}.fired, {row}.failures,
  {row}.paused_at, {row}.created_at, {row}.updated_at
));"""
FIRE = "INSERT INTO changes (kind, id, body) VALUES ('{kind}', {row}.run, json_array({row}.trigger, {row}.fire_at));"
SKIP = """
INSERT INTO changes (kind, name, body) VALUES (
  'skip', new.reason, json_array(new.trigger, new.first_at, new.last_at, new.at)
);"""
KINDS = frozenset({"trigger", "gone", "fire", "withdraw", "skip"})

FiringChange = TriggerChange | FireChange | SkipChange
_decode = msgspec.json.decode


def firing_watches() -> Iterator[tuple[str, str, str]]:
    """What to watch: event, table, and what is written down then."""
    for event in ("INSERT", "UPDATE"):
        yield event, "triggers", TRIGGER.format(kind="trigger", row="new")
    yield "DELETE", "triggers", TRIGGER.format(kind="gone", row="old")
    yield "INSERT", "fires", FIRE.format(kind="fire", row="new")
    yield "DELETE", "fires", FIRE.format(kind="withdraw", row="old")
    yield "INSERT", "skips", SKIP


def firing_change(row: sqlite3.Row, at: float, seq: int, commit: int) -> FiringChange:
    match row["kind"]:
        case "fire" | "withdraw" as kind:
            trigger, fire_at = _decode(row["body"], type=tuple[int, int])
            run = id_text(RunId(row["id"]))
            return FireChange(
                at=at, seq=seq, commit=commit, trigger=trigger, fire_at=fire_at, run=run, on=kind == "fire"
            )
        case "skip":
            trigger, first, last, now = _decode(row["body"], type=tuple[int, int, int, int])
            return SkipChange(
                at=at,
                seq=seq,
                commit=commit,
                trigger=trigger,
                first=first,
                last=last,
                reason=row["name"],
                now=now,
            )
        case kind:
            return trigger_change(row, at, seq, commit, gone=kind == "gone")


def trigger_change(row: sqlite3.Row, at: float, seq: int, commit: int, *, gone: bool) -> TriggerChange:
    number, spec, revision, next_due, pending, held, fired, failures, paused_at, created_at, updated_at = _decode(
        row["body"]
    )
    ids = bytes.fromhex(pending)
    return TriggerChange(
        at=at,
        seq=seq,
        commit=commit,
        trigger=number,
        name=row["name"],
        spec=spec,
        revision=revision,
        next_due=next_due,
        pending=[id_text(RunId(ids[place : place + 16])) for place in range(0, len(ids), 16)],
        held=held or [],
        fired=fired,
        failures=failures,
        paused=paused_at is not None,
        created_at=created_at,
        updated_at=updated_at,
        gone=gone,
    )
