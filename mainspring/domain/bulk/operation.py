"""A sweep: one act on every run that matches a filter, done in the background, a piece at a time.

A sweep is a row. Whichever server has time does its next piece, and writes in the same transaction what it did to the runs
and how far the sweep has come. So a server's death costs nothing, two servers never do one piece twice, and no run that
dies again while its sweep is under way is taken a second time: only what was there when it began is.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, NewType

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError

SweepId = NewType("SweepId", bytes)
"""Made as run ids are: their order is that of creation."""

CANARIES_MAX = 100
HOLD_MAX = 300.0
"""Seconds for which a sweep may be held before it begins."""
SAMPLE = 5
PIECE = 200
"""Runs that one step takes."""


class SweepAct(StrEnum):
    """The act on each run."""

    RETRY = "retry"
    DISCARD = "discard"
    CANCEL = "cancel"
    RESUME = "resume"
    RETRY_STEP = "retry_step"
    SKIP = "skip"
    MARK = "mark"
    MOVE = "move"
    PAUSE = "pause"
    UNPAUSE = "unpause"

    @property
    def of_flows(self) -> bool:
        """Whether it acts on the runs of a workflow."""
        return self in FLOW_ACTS

    @property
    def names_step(self) -> bool:
        return self in (SweepAct.RETRY_STEP, SweepAct.SKIP, SweepAct.MARK)


FLOW_REQUESTS = frozenset({SweepAct.PAUSE, SweepAct.UNPAUSE})
"""Requests, which workflow runs take up by themselves."""
FLOW_CHANGES = frozenset({SweepAct.RESUME, SweepAct.RETRY_STEP, SweepAct.SKIP, SweepAct.MARK, SweepAct.MOVE})
"""Changes, made under the lock of each workflow run."""
FLOW_ACTS = FLOW_REQUESTS | FLOW_CHANGES


class SweepState(StrEnum):
    RUNNING = "running"
    CANARIES = "canaries"
    """The first few have been put back, and the rest waits for what becomes of them."""
    DONE = "done"
    STOPPED = "stopped"
    """A canary did not succeed; the rest is as it was."""
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self not in (SweepState.RUNNING, SweepState.CANARIES)


class SweepFilter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which runs: those that match all of it. Dead letters for a retry or a discard, live runs for a cancel."""

    fingerprint: str | None = None
    job: str | None = None
    queue: str | None = None
    states: tuple[str, ...] = ()
    """Of a cancel: any of these; empty: whatever is live."""
    tags: tuple[str, ...] = ()
    labels: dict[str, str] = {}
    since: datetime | None = None
    until: datetime | None = None
    """When they failed, or for a cancel, were created: not before `since`, and before `until`."""
    below: tuple[str, ...] = ()
    """Of a cancel: the descendants of these runs, instead of all else."""
    failed_step: str | None = None
    """Of an act on workflow runs: only those of which this step failed or was cancelled."""


class FlowTerms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The terms of an act on workflow runs."""

    step: str = ""
    result: Any = None
    """Of a mark: the value that the step counts as having returned."""
    version: int | None = None
    """Of a resume or a move: the version to go by, 0 for the newest."""
    redo: bool = False
    """Of a resume: run steps again that were undone, too."""


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """As it is stored, and as people see it."""

    id: SweepId
    namespace: str
    act: SweepAct
    filter: SweepFilter
    terms: FlowTerms = FlowTerms()
    reason: str = ""
    actor: Actor
    state: SweepState = SweepState.RUNNING
    note: str = ""
    """Why it stands where it stands."""
    canaries: int = 0
    tried: tuple[RunId, ...] = ()
    """The canaries that were put back."""
    place: bytes | None = None
    """Where the next piece begins; None: at the start."""
    changed: int = 0
    passed: int = 0
    """Runs that had changed meanwhile, so that nothing was done to them."""
    steps: int = 0
    """Steps of workflow runs, which a retry leaves to these: they are resumed."""
    expected: int | None = None
    """How many matched when it began, as far as that was counted."""
    created_at: datetime
    moved_at: datetime
    held_until: datetime | None = None
    """It begins then; cancelled before that, it has changed nothing."""
    version: int = 1
    """Grows with every step: a step from an older one changes nothing."""


class SweepPiece(msgspec.Struct, frozen=True):
    """The runs of the next step, and where the step after it begins; None: it is the last one."""

    runs: Sequence[RunId]
    next: bytes | None


class SweepPreviewed(msgspec.Struct, frozen=True):
    """The runs that a sweep would act on."""

    count: int
    is_complete: bool
    """Whether all were counted."""
    sample: Sequence[RunId]
    flows: "Sequence[FlowPreview]" = ()


class FlowPreview(msgspec.Struct, frozen=True):
    """The effect of a sweep on one workflow run."""

    run: RunId
    steps: Sequence[str] = ()
    """The steps that would run."""
    refused: str = ""
    """Why nothing would be done to it."""


class SweepStep(msgspec.Struct, frozen=True):
    """A sweep before and after an act on one run; both are written in one transaction, or neither is."""

    before: Sweep
    after: Sweep


class SteppedSweep(msgspec.Struct, frozen=True):
    """The result of a step."""

    sweep: Sweep
    changed: Sequence[RunId] = ()
    lines: Sequence[int] = ()
    """Where runs stand again."""
    wishes: Sequence[CancelRequest] = ()
    """Attempts that are to be stopped."""
    steps: int = 0
    """How many were left to their workflow runs."""


ENDED_BADLY = (RunState.FAILED, RunState.CANCELLED)
LIVE = tuple(state for state in RunState if not state.final)


def candidates(act: SweepAct) -> tuple[RunState, ...]:
    """The states of the workflow runs that an act may be about."""
    if act is SweepAct.RESUME:
        return ENDED_BADLY
    return (*LIVE, *ENDED_BADLY) if act.names_step else LIVE


def is_held(sweep: Sweep, now: datetime) -> bool:
    """Whether it may still be taken back whole."""
    return sweep.held_until is not None and now < sweep.held_until


def is_trial(sweep: Sweep) -> bool:
    """Whether the next piece are canaries."""
    return sweep.canaries > 0 and not sweep.tried


def is_stuck(sweep: Sweep, before: datetime) -> bool:
    """Whether no server has worked on it for a while though there is something to do."""
    return sweep.state is SweepState.RUNNING and max(sweep.moved_at, sweep.held_until or sweep.moved_at) < before


def piece_size(sweep: Sweep) -> int:
    return sweep.canaries if is_trial(sweep) else PIECE


def after_step(piece: SweepPiece, done: SteppedSweep, now: datetime) -> Sweep:
    """The sweep once a piece of it is done."""
    sweep, changed = done.sweep, done.changed
    moved = msgspec.structs.replace(
        sweep,
        place=piece.next,
        changed=sweep.changed + len(changed),
        passed=sweep.passed + len(piece.runs) - len(changed) - done.steps,
        steps=sweep.steps + done.steps,
        moved_at=now,
        version=sweep.version + 1,
    )
    if is_trial(sweep) and changed:
        note = f"waits for {len(changed)} canaries to end"
        return msgspec.structs.replace(moved, state=SweepState.CANARIES, tried=tuple(changed), note=note)
    note = f"left out {moved.steps} steps: resume their workflow runs" if moved.steps else ""
    return moved if piece.next is not None else msgspec.structs.replace(moved, state=SweepState.DONE, note=note)


def after_one(sweep: Sweep, run: RunId, now: datetime, *, changed: bool) -> Sweep:
    """The sweep once it is through with one workflow run."""
    return msgspec.structs.replace(
        sweep,
        place=run,
        changed=sweep.changed + changed,
        passed=sweep.passed + (not changed),
        moved_at=now,
        version=sweep.version + 1,
    )


def after_canaries(sweep: Sweep, states: dict[RunId, RunState], now: datetime) -> Sweep | None:
    """The sweep once its canaries have ended; None as long as one is under way and none has come to grief."""
    for run in sweep.tried:
        state = states.get(run)
        if state is None or (state.final and state is not RunState.SUCCEEDED):
            became = "is gone" if state is None else f"has ended {state.label}"
            return over(sweep, SweepState.STOPPED, f"canary {id_text(run)} {became}", now)
    if any(not state.final for state in states.values()):
        return None
    if sweep.place is None:
        return over(sweep, SweepState.DONE, "the canaries were all there was", now)
    return msgspec.structs.replace(
        sweep, state=SweepState.RUNNING, note="its canaries succeeded", moved_at=now, version=sweep.version + 1
    )


def over(sweep: Sweep, state: SweepState, note: str, now: datetime) -> Sweep:
    return msgspec.structs.replace(sweep, state=state, note=note, moved_at=now, version=sweep.version + 1)


def refuse_sweep(sweep: Sweep) -> ConflictError:
    return ConflictError("sweep", id_text(sweep.id), f"is {sweep.state}: there is nothing to cancel", code="sweep_over")


def sweep_entry(act: str, sweep: Sweep, *, actor: Actor, now: datetime, reason: str) -> AuditEntry:
    """The audit log's entry for it; each run that is changed has an entry of its own besides."""
    details = {
        "reason": reason,
        "act": sweep.act,
        "filter": sweep.filter,
        "terms": sweep.terms,
        "canaries": sweep.canaries,
    }
    return audit_entry(act, "sweep", id_text(sweep.id), details, namespace=sweep.namespace, actor=actor, at=now)
