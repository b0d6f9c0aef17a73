"""A trigger as the store keeps it, and one move of it.

A trigger's row says which instant comes next. Everything that happens to a trigger is a *move*: with its row locked, a pure
rule says what the row is to be and which instants are fired or skipped, and all of that becomes true together or not at
all. An instant behind the row's `next_due` is therefore accounted for in exactly one place, whichever server moved the trigger.

Fires may be *prepared*: runs that are due at an instant to come are made ahead of it, so that the instant itself costs only
the claim. Until it comes, a prepared fire may be withdrawn as if it had never been.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.ids import RunId
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.fire_times.misfires import Span
from mainspring.domain.triggers.spec import TriggerSpec, is_prepared, is_timed

CLOCKS_APART = timedelta(hours=1)
"""More than the clocks of two servers ever differ."""


class TriggerState(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"
    ENDED = "ended"
    """There is no instant to come: all that it may fire at lie behind it."""


class RecordedPause(msgspec.Struct, frozen=True):
    """Why a trigger stands still, by whose word, and since when."""

    reason: str
    by: str
    at: datetime


class Trigger(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """As it is stored. One that has no id yet is new."""

    id: int = 0
    namespace: str
    spec: TriggerSpec
    revision: int = 1
    """Grows with every change of the definition; what people compare against."""
    next_due: datetime | None = None
    """The first instant that is not accounted for; None: there is none, or it depends on a run that is under way."""
    act_at: datetime | None = None
    """When a server is to move it: ahead of `next_due` if fires are prepared, and never while it is paused. If nothing is
    to come, when the last instant does that its calendar leaves out."""
    pending: tuple[RunId, ...] = ()
    """Runs whose end matters to it and is not known yet, oldest first."""
    held: tuple[datetime, ...] = ()
    """Instants that wait for those runs to end, oldest first."""
    asked: tuple[datetime, ...] = ()
    """Instants that were skipped before they came, because an operator wanted that, oldest first: whatever becomes of the rule
    or the calendar, they are not fired. Those that lie long behind are forgotten."""
    fired: int = 0
    failures: int = 0
    """Runs in a row that failed, as far as that matters to it."""
    last_fire_at: datetime | None = None
    paused: RecordedPause | None = None
    owner: str = ""
    """What it was applied from; empty: it was made through the API."""
    applied: TriggerSpec | None = None
    """As it was applied last; another definition has drifted from that."""
    created_at: datetime
    updated_at: datetime
    ruled_at: datetime | None = None
    """When its rule was changed last; None: it is not known, or it never was."""

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def state(self) -> TriggerState:
        if self.paused is not None:
            return TriggerState.PAUSED
        # One that is called waits as long as it is there.
        alive = self.next_due or self.pending or self.held or not is_timed(self.spec)
        return TriggerState.ACTIVE if alive else TriggerState.ENDED

    @property
    def ruled_since(self) -> datetime:
        """From when on its present rule is known to have held."""
        if self.ruled_at is not None:
            return self.ruled_at
        return self.created_at if self.revision == 1 else self.updated_at

    @property
    def drifted(self) -> bool:
        return self.applied is not None and self.applied != self.spec


def request_of(
    spec: TriggerSpec,
    arguments: bytes,
    *,
    fire_at: datetime | None = None,
    due_at: datetime | None = None,
    priority: int | None = None,
    key: str | None = None,
    digest: bytes | None = None,
    by: str = "",
    backfill: str = "",
    traceparent: str = "",
) -> RunRequest:
    """The request for a run of a trigger: of a fire time, a call, an operator or a backfill."""
    return RunRequest(
        job=spec.job,
        input=arguments,
        queue=spec.queue,
        priority=spec.priority if priority is None else priority,
        due_at=due_at,
        key=key,
        digest=digest,
        labels=spec.labels,
        tags=spec.tags,
        # A run that is created by hand or by a call has no fire time that it could be late for.
        start_deadline=None if fire_at is None else spec.start_deadline,
        by=by,
        trigger=spec.name,
        fire_at=fire_at,
        backfill=backfill,
        traceparent=traceparent,
    )


class Fire(msgspec.Struct, frozen=True):
    """An instant that has a run, or had one."""

    fire_at: datetime
    run: RunId


AGAIN = timedelta(minutes=1)
"""After that, a trigger that could not be moved is tried again."""


class TriggerMove(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A trigger's next row, and the fires and skips recorded with it."""

    trigger: Trigger
    fires: Sequence[tuple[datetime, NewRun]] = ()
    skips: Sequence[Span] = ()
    cancels: Sequence[RunId] = ()
    """Runs of its own that are to be cancelled."""
    gave_up: RecordedPause | None = None
    """Set if it paused by itself with this move."""


class EndedRun(msgspec.Struct, frozen=True):
    """A run that mattered to its trigger is over."""

    run: RunId
    state: RunState | None
    """None: nobody knows any more."""
    at: datetime


class TriggerChanges(msgspec.Struct, frozen=True, kw_only=True):
    """A set of trigger changes requested by an operator, all of it or nothing."""

    moves: Iterable[TriggerMove] = ()
    """Of triggers that exist, and of new ones, in the order of their names. They may be made as they are taken, so that many
    of them hold up nobody."""
    deletes: Sequence[TriggerMove] = ()
    """Last moves of triggers that are gone then: only what they skip is recorded."""
    entries: Sequence[AuditEntry] = ()


class MovedTriggers(msgspec.Struct, frozen=True, kw_only=True):
    """The result of moves."""

    triggers: int = 0
    runs: Sequence[NewRun] = ()
    """Made; some of them may be due later."""
    wishes: Sequence[CancelRequest] = ()
    """Attempts that are to be stopped."""
    cancelled: Sequence[RunId] = ()
    """Runs that were over at once."""


Decide = Callable[[Trigger], TriggerMove]
"""The rule for a trigger whose time to move has come."""
Follow = Callable[[Trigger, Sequence[EndedRun]], TriggerMove]
"""The rule for a trigger of whose runs some have ended."""
EntryOf = Callable[[int], AuditEntry]
"""The audit entry of a change, by the trigger's id."""
Revise = Callable[[Mapping[str, Trigger]], TriggerChanges]
"""The rule for what people want, given those triggers that exist, by name, with what was prepared for them withdrawn."""


def has_prepared(trigger: Trigger, now: datetime) -> bool:
    """Whether a fire time after `now` may have a prepared run."""
    # A clock that was set back makes past fires look prepared. Withdrawing one would turn the trigger back over fire times
    # that were skipped or queued after it.
    if trigger.last_fire_at is None or not is_prepared(trigger.spec):
        return False
    changed = trigger.updated_at if trigger.updated_at < now + CLOCKS_APART else now
    return trigger.last_fire_at > max(now, changed)


def turned_back(
    trigger: Trigger, instants: Collection[datetime], *, runs: Collection[RunId], last: datetime | None, now: datetime
) -> Trigger:
    """A trigger of which these instants, with these runs among others, count as not fired; `last` is the latest that does."""
    first = min(instants)
    return msgspec.structs.replace(
        trigger,
        next_due=first if trigger.next_due is None else min(first, trigger.next_due),
        # The server that moves it next finds it at once; a rule that moves it now says better.
        act_at=None if trigger.paused else now,
        fired=trigger.fired - len(instants),
        last_fire_at=last,
        pending=tuple(run for run in trigger.pending if run not in runs),
    )


def without(move: TriggerMove, lost: Collection[RunId]) -> Trigger:
    """The trigger of a move of whose fires some had been fired before, and got no run now."""
    fewer = sum(run.id in lost for _, run in move.fires)
    if not fewer:
        return move.trigger
    pending = tuple(run for run in move.trigger.pending if run not in lost)
    return msgspec.structs.replace(move.trigger, fired=move.trigger.fired - fewer, pending=pending)


def by_trigger(pairs: Iterable[tuple[int, datetime]]) -> dict[int, list[datetime]]:
    instants: dict[int, list[datetime]] = {}
    for trigger, at in pairs:
        instants.setdefault(trigger, []).append(at)
    return instants


def pausing(trigger: Trigger, move: TriggerMove) -> bool:
    """Whether it stands still from now on: then nothing that was prepared for it may begin."""
    return move.trigger.paused is not None and trigger.paused is None
