"""A backfill: runs for instants of a trigger that lie behind, some at a time, done in the background.

A backfill is a row. Whichever server has time does its next piece, and in the same transaction makes the runs of that piece,
enters their instants into the ledger, and writes how far the backfill has come. So a server's death costs nothing, two
servers never do one piece twice, and no instant gets a second run: neither of this backfill nor, unless that is wanted,
beside the one that it had.

It keeps the trigger's definition as it was when it was asked for: what is changed meanwhile changes neither which instants
there are nor what their runs do.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NewType

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.fire_times.timers import Timer
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import ConflictError

BackfillId = NewType("BackfillId", bytes)
"""Made as run ids are: their order is that of creation."""

PIECE = 200
"""Instants that one step looks at."""
PRIORITY = 1
"""Under whatever else there is to do, unless said otherwise."""


class BackfillState(StrEnum):
    RUNNING = "running"
    DONE = "done"
    """Every instant has a run, and those that it made have ended."""
    STOPPED = "stopped"
    """What it needs is gone; the rest is as it was."""
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self is not BackfillState.RUNNING


class Backfill(msgspec.Struct, frozen=True, kw_only=True):
    """As it is stored."""

    id: BackfillId
    namespace: str
    trigger: int
    """The id of the trigger,"""
    spec: TriggerSpec
    """its definition,"""
    anchor: datetime
    """and when it was made."""
    since: datetime
    until: datetime
    """Instants not before `since`, and before `until`."""
    concurrency: int = 1
    """How many of its runs may be live at once."""
    priority: int = PRIORITY
    rerun: bool = False
    """Whether instants that have had a run get another one."""
    reason: str = ""
    actor: Actor
    state: BackfillState = BackfillState.RUNNING
    note: str = ""
    """Why it stands where it stands."""
    place: datetime | None
    """The first instant that is not accounted for; None: all are."""
    live: tuple[RunId, ...] = ()
    """Its runs that have not ended, as far as is known."""
    expected: int
    """How many instants there are."""
    made: int = 0
    passed: int = 0
    """Instants that had a run already."""
    succeeded: int = 0
    failed: int = 0
    """Runs that ended in any other way."""
    created_at: datetime
    moved_at: datetime
    version: int = 1
    """Grows with every step: a step from an older one changes nothing."""


class BackfillPiece(msgspec.Struct, frozen=True):
    """The next step's work."""

    instants: Sequence[datetime] = ()
    """Those that get a run,"""
    passed: int = 0
    """how many before or between them had one,"""
    next: datetime | None = None
    """and where the piece behind begins; None: there is none."""


class BackfillFire(msgspec.Struct, frozen=True):
    """An instant, and the run that a backfill made for it."""

    fire_at: datetime
    run: RunId
    backfill: BackfillId


class SteppedBackfill(msgspec.Struct, frozen=True):
    """The result of a step."""

    backfill: Backfill
    made: Sequence[NewRun] = ()


def trigger_of(backfill: Backfill) -> Trigger:
    """The trigger as it was, as far as its instants and their runs depend on it. A backfilled run is never too late."""
    made_at = backfill.anchor
    return Trigger(
        id=backfill.trigger,
        namespace=backfill.namespace,
        spec=msgspec.structs.replace(backfill.spec, start_deadline=None),
        created_at=made_at,
        updated_at=made_at,
    )


def room_in(backfill: Backfill) -> int:
    """How many runs it may make now."""
    return 0 if backfill.place is None else max(0, backfill.concurrency - len(backfill.live))


def looked_at(backfill: Backfill, timer: Timer) -> list[datetime]:
    """The instants that the next step may reach."""
    found: list[datetime] = []
    at = backfill.place
    while at is not None and len(found) < PIECE:
        found.append(at)
        at = next_in(backfill, timer, at)
    return found


def next_in(backfill: Backfill, timer: Timer, at: datetime) -> datetime | None:
    following = timer.next(at)
    return None if following is None or following >= backfill.until else following


def choose(
    backfill: Backfill, timer: Timer, instants: Sequence[datetime], fired: Collection[datetime]
) -> BackfillPiece:
    """The instants that get a run: the first ones that have none, as many as there is room for."""
    room, passed = room_in(backfill), 0
    chosen: list[datetime] = []
    for at in instants:
        if at in fired and not backfill.rerun:
            passed += 1
        elif len(chosen) < room:
            chosen.append(at)
        else:
            return BackfillPiece(chosen, passed, at)
    return BackfillPiece(chosen, passed, next_in(backfill, timer, instants[-1]))


def after_ends(backfill: Backfill, states: Mapping[RunId, RunState]) -> Backfill:
    """The backfill without those of its runs that have ended, or of which nothing is known any more."""
    over = [run for run in backfill.live if run not in states or states[run].final]
    succeeded = sum(states.get(run) is RunState.SUCCEEDED for run in over)
    return msgspec.structs.replace(
        backfill,
        live=tuple(run for run in backfill.live if run not in over),
        succeeded=backfill.succeeded + succeeded,
        failed=backfill.failed + len(over) - succeeded,
    )


def after_step(backfill: Backfill, piece: BackfillPiece, made: Sequence[RunId], now: datetime) -> Backfill:
    """The backfill once a piece of it is done; an instant left out had got a run meanwhile."""
    live = (*backfill.live, *made)
    done = piece.next is None and not live
    return msgspec.structs.replace(
        backfill,
        state=BackfillState.DONE if done else BackfillState.RUNNING,
        place=piece.next,
        live=live,
        made=backfill.made + len(made),
        passed=backfill.passed + piece.passed + len(piece.instants) - len(made),
        moved_at=now,
        version=backfill.version + 1,
    )


def over(backfill: Backfill, state: BackfillState, note: str, now: datetime) -> Backfill:
    return msgspec.structs.replace(backfill, state=state, note=note, moved_at=now, version=backfill.version + 1)


def is_neglected(backfill: Backfill, before: datetime) -> bool:
    """Whether no server has worked on it for a while though it may make runs."""
    return backfill.state is BackfillState.RUNNING and room_in(backfill) > 0 and backfill.moved_at < before


def refuse_backfill(backfill: Backfill) -> ConflictError:
    reason = f"is {backfill.state}: there is nothing to cancel"
    return ConflictError("backfill", id_text(backfill.id), reason, code="backfill_over")


def backfill_entry(act: str, backfill: Backfill, *, actor: Actor, now: datetime, reason: str) -> AuditEntry:
    """The audit log's entry for it; each of its runs names it besides."""
    details = {
        "reason": reason,
        "trigger": backfill.spec.name,
        "since": backfill.since,
        "until": backfill.until,
        "concurrency": backfill.concurrency,
        "priority": backfill.priority,
        "rerun": backfill.rerun,
    }
    return audit_entry(
        act, "backfill", id_text(backfill.id), details, namespace=backfill.namespace, actor=actor, at=now
    )
